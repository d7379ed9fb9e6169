import assert from "node:assert/strict";
import { readSources } from "./support/sources.ts";

/** What the table must speak of. */
const THREATS = [
  ...["algorithm", "key", "issuer", "audience", "sandbox token", "type", "Brute force", "Timing"],
  ...[
    "X-Forwarded-For",
    "Host",
    "IPv6",
    "Many processes",
    "Probing",
    "List bombing",
    "CSV injection",
  ],
  ...["across sites", "Markup", "Path traversal", "Response splitting", "Slow clients"],
  ...["huge bodies", "many addresses", "logs and errors", "deno audit"],
];

const text = await Deno.readTextFile(new URL("../SECURITY.md", import.meta.url));
const rows = text.split("\n").filter((line) => line.startsWith("| ")).slice(2)
  .map((line) => line.slice(2, -2).split(" | "));

Deno.test("SECURITY.md names tests that exist, each once, for every threat", async () => {
  // As they stand in the source: a template keeps its `${…}`.
  const declaration = /(?:\bDeno\.|^ *)test\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gms;
  const names = (await readSources(["tests"]))
    .flatMap(({ text }) => [...text.matchAll(declaration)])
    .map((match) => match[2]?.replaceAll(/\\(.)/g, "$1"));
  assert.ok(rows.length > 30);
  for (const row of rows) {
    assert.equal(row.length, 5, row.join(" | "));
    for (const name of row.at(-1)?.split("<br>") ?? []) {
      assert.equal(names.filter((each) => each === name).length, 1, name);
    }
  }
});

Deno.test("SECURITY.md speaks of every threat that is known", () => {
  const said = rows.map((row) => row.join(" ")).join("\n");
  assert.deepEqual(THREATS.filter((threat) => !said.includes(threat)), []);
});
