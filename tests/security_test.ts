/** SECURITY.md: that it speaks of each known threat in the same form, and names test files that exist. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "./support/process.ts";
import { readDocument } from "./support/project_files.ts";

/** Words that some section must have. */
const THREATS = [
  ...["algorithm", "key", "issuer", "audience", "sandbox token", "type", "Brute force", "Timing"],
  ...["X-Forwarded-For", "Host", "IPv6", "Many processes", "Probing", "List bombing"],
  ...["CSV injection", "across sites", "Markup", "Path traversal", "Response splitting"],
  ...["Slow clients", "huge bodies", "client addresses", "logs and errors", "deno audit"],
];

/** The most characters of a section: it fits on a screen. */
const LONGEST = 1_200;

/** The sections of the third level, each of which describes one threat. */
async function readSections(): Promise<string[]> {
  const text = await readDocument("SECURITY.md");
  return text.split(/^(?=#{2,3} )/m).filter((section) => section.startsWith("### "));
}

Deno.test("Each section of SECURITY.md describes attack, protection and tests, and is short", async (t) => {
  const sections = await readSections();
  assert.ok(sections.length > 50);
  for (const section of sections) {
    const [heading = ""] = section.split("\n", 1);
    await t.step(heading, () => {
      const form =
        /^### .+\n\n- \*\*Attack\.\*\* [^]+\n- \*\*Protection\.\*\* [^]+\n- \*\*Tests\.\*\* [^]+$/;
      assert.match(section, form);
      assert.ok(section.length <= LONGEST, `${heading}: ${section.length} characters`);
    });
  }
});

Deno.test("Each section of SECURITY.md names at least one test file, and only test files that exist", async (t) => {
  for (const section of await readSections()) {
    const [heading = ""] = section.split("\n", 1);
    await t.step(heading, async () => {
      const [, tests = ""] = section.split("**Tests.**");
      const files = Array.from(tests.matchAll(/`([^`]+)`/g), ([, file = ""]) => file);
      assert.ok(files.length > 0);
      for (const file of files) {
        assert.match(file, /^tests\/\S+_test\.ts$/);
        const info = await Deno.stat(join(PROJECT, file)).catch(() => undefined);
        assert.ok(info?.isFile, `${heading} names ${file}`);
      }
    });
  }
});

Deno.test("SECURITY.md contains every threat of this test's list", async () => {
  const said = (await readSections()).join("");
  assert.deepEqual(THREATS.filter((threat) => !said.includes(threat)), []);
});
