/** `CONTENT_PATH` under the real start task, and the task `brand`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { LOGO, writeContent } from "../../support/brand.ts";
import { makeTestFolder, PROJECT, runTask, startService } from "../../support/process.ts";

const BRAND = {
  "brand.yaml": 'name: Acme\nlogo: logo.svg\ncolors: { light: { accent: "#7a1fa2" } }\n',
  "logo.svg": LOGO,
  "en/press.md": "---\npath: /press/\nlang: en\ntitle: Press\ndescription: News.\n---\n\n# Press\n",
};

Deno.test("main() serves the overlay when CONTENT_PATH is a folder outside of the project", async (t) => {
  await using folder = await makeTestFolder();
  await using own = await writeContent(BRAND);
  // A release may be swapped by a link.
  await using releases = await writeContent({});
  const link = join(releases.path, "current");
  await Deno.symlink(own.path, link);
  for (const CONTENT_PATH of [own.path, link]) {
    await t.step(CONTENT_PATH, async () => {
      await using service = await startService({
        KV_PATH: join(folder.path, "kv.sqlite3"),
        CONTENT_PATH,
      });
      const press = await service.request("/press/");
      assert.equal(press.status, 200);
      const html = await press.text();
      assert.match(html, /<title>Press · Acme<\/title>/);
      const [, style = ""] = /href="(\/assets\/brand\.css[^"]+)"/.exec(html) ?? [];
      assert.match(await (await service.request(style)).text(), /--accent: #7a1fa2;/);
    });
  }
});

Deno.test("main() logs a warning for each setting that still has a placeholder value when BASE_URL is https:", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  const service = await startService({ KV_PATH, BASE_URL: "https://waitlist.example.com" });
  const lines = (await service.end("SIGTERM")).stderr.trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  const warnings = lines.filter(({ event }) => event === "not ready for launch");
  assert.deepEqual(warnings.map(({ about }) => about), [
    "name",
    "promise",
    "picture",
    "contact",
    "texts",
    "proxy",
  ]);
  for (const { level, message } of warnings) {
    assert.equal(level, "warn");
    assert.match(message, /\. (Set|Put) /);
  }
});

Deno.test("main() logs one warning when the overlay has scripts, and says in it whether the scripts run", async (t) => {
  await using folder = await makeTestFolder();
  await using own = await writeContent({ "assets/own.js": "", "assets/sign_up.js": "" });
  const table = {
    off: `${own.path}/assets/own.js, ${own.path}/assets/sign_up.js: This script will not run.`,
    on: "CONTENT_SCRIPTS is on: the scripts in the folder of CONTENT_PATH run on the origin of the",
  };
  for (const [CONTENT_SCRIPTS, said] of Object.entries(table)) {
    await t.step(`CONTENT_SCRIPTS=${CONTENT_SCRIPTS}`, async () => {
      const KV_PATH = join(folder.path, "kv.sqlite3");
      const service = await startService({ KV_PATH, CONTENT_PATH: own.path, CONTENT_SCRIPTS });
      const lines = (await service.end("SIGTERM")).stderr.trim().split("\n").map((line) =>
        JSON.parse(line)
      );
      const warnings = lines.filter(({ event }) => event === "check the scripts in CONTENT_PATH");
      assert.equal(warnings.length, 1);
      assert.equal(warnings[0].level, "warn");
      assert.ok(warnings[0].message.startsWith(said), warnings[0].message);
    });
  }
});

Deno.test("main() ends with one line that names the fault when the overlay is wrong", async (t) => {
  await using folder = await makeTestFolder();
  await using own = await writeContent({ "brand.yaml": "colors: { light: { ink: '#999' } }\n" });
  await using letters = await writeContent({
    "en/letters/confirmation.md": "---\nsubject: Confirm\n---\n\nPlease confirm.\n",
  });
  const table: [path: string, line: RegExp][] = [
    [
      "/nowhere",
      /"error":"CONTENT_PATH is '\/nowhere', which cannot be read, because of the error 'ENOENT: no such file/,
    ],
    [
      own.path,
      /"error":"\/.+\/brand\.yaml: colors\.light: ink #999999 on paper #faf8f3 has a contrast of/,
    ],
    [letters.path, /"error":"\/.+\/confirmation\.md: the letter lacks \{\{place_url\}\}/],
    [`${own.path},x`, /^CONTENT_PATH is '.+,x', a path with a comma, .+\. Example: CONTENT_PATH=/],
  ];
  for (const [CONTENT_PATH, pattern] of table) {
    await t.step(CONTENT_PATH, async () => {
      const KV_PATH = join(folder.path, "kv.sqlite3");
      const { code, stdout, stderr } = await runTask(["start"], {
        ...{ PORT: "0", KV_PATH, CONTENT_PATH },
        MAIL_URL: "file:mail",
      });
      assert.equal(code, 78, stderr);
      assert.equal(stdout, "");
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
      assert.match(stderr, pattern);
    });
  }
});

Deno.test("The task 'brand' writes the preview of a brand, and names the fault of a wrong brand.yaml", async () => {
  await using own = await writeContent(BRAND);
  const file = join(PROJECT, "brand-preview.html");
  const { code, stdout, stderr } = await runTask(["brand"], { CONTENT_PATH: own.path });
  assert.equal(code, 0, stderr);
  const [wrote, ...left] = stdout.trimEnd().split("\n");
  assert.equal(wrote, "Wrote brand-preview.html. Open it in a browser.");
  assert.match(left[0]!, /^Before you publish: The home page does not say what the company offers/);
  assert.match(
    left[1]!,
    /^Before you publish: The picture of link previews is the built-in picture/,
  );
  assert.equal(left.length, 4, "and what to do about the contact address and the texts");
  assert.match(await Deno.readTextFile(file), /<title>Acme: pages, letters and console<\/title>/);
  await Deno.remove(file);

  const wrong = await runTask(["brand"], { CONTENT_PATH: "/nowhere" });
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /^CONTENT_PATH is '\/nowhere', which cannot be read, because of the error .+\n$/,
  );
});
