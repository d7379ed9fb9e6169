/** What is wrong with a company's pages, and does not stop the start. */
import assert from "node:assert/strict";
import { CONTENT_FOLDER, createSite } from "../../../server/site/mod.ts";
import { writeContent } from "../../support/brand.ts";
import { SITE_OPTIONS } from "../../support/content.ts";

const social = await Deno.readFile(new URL("assets/social.png", CONTENT_FOLDER));

const page = (body: string, path = "/press/", lang = "en") =>
  `---\npath: ${path}\nlang: ${lang}\ntitle: T\ndescription: D.\n---\n\n# Own\n\n${body}\n`;

/** A picture of 1200 by 600 pixels, by its header. */
function flatPicture(): Uint8Array {
  const bytes = social.slice();
  new DataView(bytes.buffer).setUint32(20, 600);
  return bytes;
}

async function warningsOf(files: Record<string, string | Uint8Array>) {
  await using own = await writeContent(files);
  const { warnings } = await createSite({ ...SITE_OPTIONS, contentPath: own.path });
  return warnings.map(({ message }) => message.replaceAll(own.path, "own"));
}

Deno.test("createSite() warns of nothing when built-in pages or a company's pages have no fault", async (t) => {
  for (const sendsLetters of [false, true]) {
    for (const embedOrigins of [[], ["https://www.example.com"]]) {
      await t.step(JSON.stringify({ sendsLetters, embedOrigins }), async () => {
        const { warnings } = await createSite({ ...SITE_OPTIONS, sendsLetters, embedOrigins });
        assert.deepEqual(warnings, []);
      });
    }
  }
  const right = [
    "[a](/privacy/#how) [b](/privacy?x=1&y) [c](../privacy/) [d](/privacy.md) [e](/index.md)",
    "[f](/openapi.json) [g](/openapi.json.md) [h](/llms.txt) [i](/sitemap.xml) [j](/assets/site.css)",
    "[k](/api/v1/status) [l](/.well-known/api-catalog) [m](https://example.com/no) [n](#own)",
    "[o]({{base_url}}/de/) [p]({{contact}}) [q](http://[) `[q](/no/)` `:::`",
    "```\n[r](/no/)\n::: hero\n```",
  ];
  assert.deepEqual(await warningsOf({ "en/press.md": page(right.join("\n\n")) }), []);
});

Deno.test("createSite() warns of a page's fault, and names the file, when the fault does not prevent the start", async (t) => {
  const table: [files: Record<string, string | Uint8Array>, warnings: string[]][] = [
    [
      { "en/press.md": page("[a](/pricing/)"), "en/team.md": page("[a](/pricing/#b)", "/team/") },
      ["own/en/press.md, own/en/team.md: The link '/pricing/' leads to no page"],
    ],
    [{ "en/press.md": page("[a](kit/)") }, [
      "own/en/press.md: The link '/press/kit/' leads to no page",
    ]],
    [
      { "en/press.md": page("[a](/assets/kit.txt) [b]({{base_url}}/kit.md)") },
      [
        "own/en/press.md: The link '/assets/kit.txt' leads to no page",
        "own/en/press.md: The link '/kit.md' leads to no page",
      ],
    ],
    [
      { "de/texts.yaml": "navigation: { links: [{ label: Preise, path: /de/preise/ }] }\n" },
      ["de/texts.yaml: The link '/de/preise/' leads to no page"],
    ],
    [
      { "de/index.md": page("Bald.", "/de/", "de") },
      ["own/de/index.md: There is no form, so nobody can join on this page"],
    ],
    [{ "en/press.md": page("::: facts\n\n- One") }, [
      "own/en/press.md: A line with ::: is not part of a pair",
    ]],
    [{ "en/press.md": page("One\n:::") }, [
      "own/en/press.md: A line with ::: is not part of a pair",
    ]],
    [
      { "en/press.md": page("::: facts\n\nOne\n\n::: steps\n\nTwo\n\n:::") },
      ["own/en/press.md: A line with ::: is not part of a pair"],
    ],
    [
      { "brand.yaml": "social_image: flat.png\n", "flat.png": flatPicture() },
      ["The picture of link previews has 1200 by 600 pixels"],
    ],
    [
      { "assets/social.png": flatPicture() },
      ["The picture of link previews has 1200 by 600 pixels"],
    ],
  ];
  for (const [files, expected] of table) {
    await t.step(`${expected}`, async () => {
      const warnings = await warningsOf(files);
      assert.equal(warnings.length, expected.length, Deno.inspect(warnings));
      warnings.forEach((warning, index) => {
        assert.ok(warning.startsWith(expected[index]!), warning);
        assert.match(warning, /\. [A-Z][^.]+\.$/, "a remedy");
      });
    });
  }
});
