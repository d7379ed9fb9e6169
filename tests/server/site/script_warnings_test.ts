/** What the start says of scripts in a company's folder. */
import assert from "node:assert/strict";
import { CONTENT_FOLDER, createSite } from "../../../server/site/mod.ts";
import { writeContent } from "../../support/brand.ts";
import { copyContent, SITE_OPTIONS } from "../../support/content.ts";

const page = (body: string) =>
  `---\npath: /press/\nlang: en\ntitle: T\ndescription: D.\n---\n\n# Own\n\n${body}\n`;
const svg = (inner: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"${attributes}>${inner}</svg>`;

/** Gives what the start warns of, without the warnings of other things. */
async function warningsOf(files: Record<string, string>, contentScripts = false) {
  await using own = await writeContent(files);
  const { warnings } = await createSite({ ...SITE_OPTIONS, contentPath: own.path, contentScripts });
  return warnings.filter(({ about }) => about === "scripts")
    .map(({ message }) => message.replaceAll(own.path, "own"));
}

const NEEDS_ON =
  "This script will not run. Remove it, or set CONTENT_SCRIPTS=on after reading in SECURITY.md what scripts may do.";
const ON = "CONTENT_SCRIPTS is on: the scripts in the folder of CONTENT_PATH run on the origin of";

/** Each with what is said where scripts are off, and whether the same is said where they are on. */
const TABLE: [files: Record<string, string>, warnings: string[], always: boolean][] = [
  [{ "assets/own.js": "", "assets/sign_up.js": "" }, [
    `own/assets/own.js, own/assets/sign_up.js: ${NEEDS_ON}`,
  ], false],
  [{ "en/press.md": page('<script src="/assets/sign_up.js"></script>') }, [
    `own/en/press.md: <script src="/assets/sign_up.js">: ${NEEDS_ON}`,
  ], false],
  [{ "en/press.md": page("<SCRIPT\ntype=module src=../assets/sign_up.js></SCRIPT>") }, [
    `own/en/press.md: <script src="../assets/sign_up.js">: ${NEEDS_ON}`,
  ], false],
  [{ "en/press.md": page("<script>alert(1)</script>") }, [
    "own/en/press.md: Inline code in a <script> will never run.",
  ], true],
  [{ "en/press.md": page('<script type="importmap">{}</script>') }, [
    "own/en/press.md: Inline code in a <script> will never run.",
  ], true],
  [{ "en/press.md": page('<script src="https://stats.example/a.js"></script>') }, [
    "own/en/press.md: The script 'https://stats.example/a.js' is on another host",
  ], true],
  [{ "en/press.md": page("<p onClick=\"alert('>')\">Own</p>") }, [
    "own/en/press.md: The attribute onclick will never run.",
  ], true],
  [{ "en/press.md": page("Own <img src=/assets/dawn.svg alt='' onerror=alert(1)>") }, [
    "own/en/press.md: The attribute onerror will never run.",
  ], true],
  [{ "en/press.md": page("[Own](javascript:alert(1))") }, [
    "own/en/press.md: An address that begins with javascript: will never run.",
  ], true],
  [{ "en/press.md": page('<a href=" java\tscript:alert(1)">Own</a>') }, [
    "own/en/press.md: An address that begins with javascript: will never run.",
  ], true],
  [{ "de/texts.yaml": "sign_up: { consent: 'Ja, [gern](javascript:alert(1)).' }\n" }, [
    "de/texts.yaml: An address that begins with javascript: will never run.",
  ], true],
  [{ "assets/a.svg": svg("<script>alert(1)</script>") }, [
    "own/assets/a.svg: A script in a picture will never run.",
  ], true],
  [{ "assets/a.svg": svg("<svg:script href='a.js'/>") }, [
    "own/assets/a.svg: A script in a picture will never run.",
  ], true],
  [{ "brand.yaml": "logo: a.svg\n", "a.svg": svg("", ' onload="alert(1)"') }, [
    "own/a.svg: A script in a picture will never run.",
  ], true],
  [{ "assets/a.svg": svg('<a xlink:href="javascript:alert(1)"/>') }, [
    "own/assets/a.svg: A script in a picture will never run.",
  ], true],
];

Deno.test("createSite() warns of each overlay script that does not run, and says what to do about the script", async (t) => {
  for (const [files, expected] of TABLE) {
    await t.step(Object.keys(files).join(", "), async () => {
      const warnings = await warningsOf(files);
      assert.equal(warnings.length, expected.length, Deno.inspect([files, warnings]));
      warnings.forEach((warning, index) => {
        assert.ok(warning.startsWith(expected[index]!), warning);
        assert.match(warning, /\. (Remove|Link) /);
      });
    });
  }
});

Deno.test("createSite() gives one warning for all running overlay scripts, and one warning for each script that never runs, when CONTENT_SCRIPTS is on", async (t) => {
  for (const [files, expected, always] of TABLE) {
    await t.step(Object.keys(files).join(", "), async () => {
      const [first = "", ...others] = await warningsOf(files, true);
      assert.ok(first.startsWith(ON), first);
      assert.equal(others.length, always ? expected.length : 0, Deno.inspect([files, others]));
    });
  }
  const { warnings } = await createSite({ ...SITE_OPTIONS, contentScripts: true });
  assert.deepEqual(warnings, [], "without an overlay there is nothing to run");
});

Deno.test("createSite() gives no warning for a script element with data, for code that a page shows as text, or for a copy of a built-in script", async () => {
  const harmless = [
    '<script type="application/ld+json">{ "@type": "Organization" }</script>',
    '`<script>alert(1)</script>` and `onclick="a()"`',
    '```html\n<a href="javascript:a()" onclick="a()">a</a>\n```',
    '[a](https://example.com/?to=javascript:a) <b title="javascript: the parts">b</b>',
  ];
  const files = {
    "en/press.md": page(harmless.join("\n\n")),
    "assets/a.svg": svg("<style>a { fill: red }</style><text>onload = 1</text>"),
  };
  assert.deepEqual(await warningsOf(files), []);
  await using copy = await copyContent();
  const contentPath = copy.folder.pathname;
  for (const lang of ["en", "de"]) {
    // The one file that an overlay may not have.
    await Deno.remove(new URL(`${lang}/console.yaml`, copy.folder));
  }
  const { warnings } = await createSite({ ...SITE_OPTIONS, folder: CONTENT_FOLDER, contentPath });
  assert.deepEqual(warnings, []);
});
