/** The READMEs: what they promise about themselves. The walk in `slow/` runs their commands. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { SERVICE_VARIABLES, type Variable } from "../server/config/variables.ts";
import { PROJECT } from "./support/process.ts";
import { DENO, readDocument, READMES, readSources, shellBlocks } from "./support/project_files.ts";

const DOCUMENTS = [...READMES, "SECURITY.md", "CHANGELOG.md"];

/** Files that a README tells its reader to make. */
const EXAMPLES = ["en/press.md", "assets/brand.css"];

Deno.test("CHANGELOG.md begins with the unreleased changes, and has a date for each version", async () => {
  const { version } = JSON.parse(await readDocument("deno.json"));
  const headings = (await readDocument("CHANGELOG.md")).matchAll(/^## (.+)$/gm);
  const [first, ...released] = Array.from(headings, ([, heading = ""]) => heading);
  assert.equal(first, "Unreleased");
  for (const heading of released) assert.match(heading, /^\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d$/);
  const [base, isDevelopment] = version.split("-");
  assert.equal(released[0]?.startsWith(`${base} – `), !isDevelopment, version);
});

Deno.test("README.md has at most 150 lines", async () => {
  const lines = (await readDocument("README.md")).trimEnd().split("\n");
  assert.ok(lines.length <= 150, `it has ${lines.length}`);
});

Deno.test("Each command in the READMEs and on the developers page calls Deno by 'npx -y deno@2.9.6', which needs only Node", async (t) => {
  for (const path of [...READMES, "content/en/developers.md", "content/de/developers.md"]) {
    await t.step(path, async () => {
      const blocks = shellBlocks(path, await readDocument(path));
      assert.ok(blocks.length > 0);
      const code = blocks.map(({ script }) => script).join("")
        .replaceAll("\\\n", "").replaceAll(/#.*$/gm, "");
      const lines = Array.from(code.matchAll(/^.*\bdeno\s.*$/gm), ([line]) => line);
      const others = lines.filter((line) => !/(^|\{ |^PORT=\d+ )npx -y deno@2\.9\.6 /.test(line));
      assert.deepEqual(others, []);
      const text = (await readDocument(path)).replaceAll(DENO, "");
      assert.doesNotMatch(text, /\bdeno task\b/);
    });
  }
});

Deno.test("The READMEs name only tasks that deno.json has", async (t) => {
  const { tasks } = JSON.parse(await readDocument("deno.json"));
  for (const path of READMES) {
    await t.step(path, async () => {
      const text = shellBlocks(path, await readDocument(path)).map(({ script }) => script).join("");
      for (const [, name = ""] of text.matchAll(/ task (?:--quiet |--config "\S+" )*([\w:]+)/g)) {
        assert.ok(name in tasks, `${path} names the task ${name}`);
      }
    });
  }
  const table = /## Run them\n([^]*?)\n## /.exec(await readDocument("tests/README.md"))?.[1] ?? "";
  const named = Array.from(table.matchAll(/^\| `([a-z:\d]+)` /gm), ([, name]) => name!);
  assert.ok(named.length > 5);
  assert.deepEqual(named.filter((name) => !(name in tasks)), []);
});

Deno.test("server/docs/configure.md lists the service's variables as the code defines them", async () => {
  const text = await readDocument("server/docs/configure.md");
  const [, table = ""] = /^\| Variable .*\n\|[- |]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const rows = table.trimEnd().split("\n").map((row) =>
    row.slice(1, -1).split("|").map((cell) => cell.trim())
  );
  const expected = Object.entries<Variable>(SERVICE_VARIABLES).map(([name, variable]) => {
    const { meaning, default: value } = variable;
    const { defaultDescription = value === undefined ? "–" : `\`${value}\`` } = variable;
    return [`\`${name}\``, defaultDescription, meaning];
  });
  assert.deepEqual(rows, expected);
});

Deno.test("The links in the documents lead to files and headings that exist", async (t) => {
  for (const path of DOCUMENTS) {
    await t.step(path, async () => {
      const text = (await readDocument(path)).replaceAll(/^```[^]*?^```$/gm, "");
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) return;
        const [file = "", anchor] = target.split("#");
        const linked = file ? join(dirname(path), file) : path;
        const info = await Deno.stat(join(PROJECT, linked)).catch(() => undefined);
        assert.ok(info?.isFile, `${path} links to ${target}`);
        if (anchor === undefined) return;
        const headings = (await readDocument(linked)).matchAll(/^#+ (.+)$/gm);
        const anchors = Array.from(headings, ([, heading = ""]) => anchorOf(heading));
        assert.ok(anchors.includes(anchor), `${path} links to ${target}; there are ${anchors}`);
      }
    });
  }
});

Deno.test("Messages and comments in the sources name only sections that the documents have", async () => {
  let found = 0;
  for (const { path, text } of await readSources(["server", "cli", "shared", "tests"])) {
    for (const [, file = "", heading] of text.matchAll(/\b([\w/]*\w\.md)`?, "([^"]+)"/g)) {
      if (!DOCUMENTS.includes(file)) continue;
      const headings = (await readDocument(file)).matchAll(/^#+ (.+)$/gm);
      const names = Array.from(headings, ([, name]) => name);
      assert.ok(names.includes(heading), `${path} names "${heading}" of ${file}`);
      found++;
    }
  }
  assert.ok(found > 0);
});

Deno.test("The READMEs name only files that exist", async (t) => {
  for (const path of READMES) {
    await t.step(path, async () => {
      const text = (await readDocument(path)).replaceAll(/^```[^]*?^```$/gm, "");
      const names = Array.from(
        text.matchAll(/`(\w[\w.-]*\/[\w./-]*\.(?:ts|md|yaml|json|css|js|svg|png))`/g),
      );
      for (const [, name = ""] of names) {
        // A file is named from the project's folder, or from the README's.
        const places = [name, join(dirname(path), name)].map((place) => join(PROJECT, place));
        const found = await Promise.all(places.map((place) => Deno.stat(place).catch(() => null)));
        assert.ok(found.some(Boolean) || EXAMPLES.includes(name), `${path} names ${name}`);
      }
    });
  }
});

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
