/** `CONTENT_PATH`: faults of a company's own files that show when pages and letters are made of them. */
import assert from "node:assert/strict";
import { DEFAULT_COLORS } from "../../../server/content/colors.ts";
import { createLetterWriter } from "../../../server/letters/letter_texts.ts";
import { createSite } from "../../../server/site/mod.ts";
import { writeContent } from "../../support/brand.ts";
import { SITE_OPTIONS } from "../../support/content.ts";

/** Makes the site and the letters of a company's files. */
async function makeAll(contentPath: string) {
  const site = await createSite({ ...SITE_OPTIONS, sendsLetters: true, contentPath });
  return { site, letters: createLetterWriter({ ...SITE_OPTIONS, ...site }) };
}

const page = (body: string, path?: string) =>
  `---\n${
    path ? `path: ${path}\n` : ""
  }lang: en\ntitle: T\ndescription: D.\n---\n\n# Own\n\n${body}\n`;
const letter = (body: string, subject = "Own") => `---\nsubject: "${subject}"\n---\n\n${body}\n`;

const PERSON = "{{place-kept}}\n\n{{place-data}}\n\n{{place-leave}}";

Deno.test("createSite() and createLetterWriter() use the pages, picture, style sheet and texts of the overlay", async () => {
  await using own = await writeContent({
    "en/thanks.md": page("We are glad.", "/thanks/"),
    "en/not-found.md": page("Not here."),
    "en/letters/link.md": letter("Dear reader, see {{place_url}}"),
    "assets/brand.css": ".hero { background: url('own.svg') }",
    "assets/own.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  });
  const { site, letters } = await makeAll(own.path);
  const get = async (path: string) => await (await site.routes.request(path)).text();
  assert.match(await get("/thanks/"), /We are glad\./);
  assert.match(await get("/de/danke/"), /Schauen Sie in Ihr Postfach/);
  const missing = site.notFound(new Request("http://localhost/pricing"));
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /Not here\./);
  assert.match(await get("/assets/brand.css"), /url\("\/assets\/own\.svg\?v=[\w-]{10}"\)/);
  const values = {
    id: "1",
    lang: "en",
    placeUrl: "http://a.example/",
    leaveUrl: "http://b.example/",
  };
  assert.match(letters({ kind: "link", ...values }).text, /^Dear reader/);
});

Deno.test("createLetterWriter() uses the name and the colours of brand.yaml, or the built-in ones when there is no brand.yaml", async (t) => {
  const brand =
    'name: A & B\ncolors:\n  light: { accent: "#7a1fa2" }\n  dark: { accent: "#e1bee7" }\n';
  const table: [files: Record<string, string>, name: string, light: string, dark: string][] = [
    [{ "brand.yaml": brand }, "A &amp; B", "#7a1fa2", "#e1bee7"],
    [{}, "Example Company", DEFAULT_COLORS.light.accent, DEFAULT_COLORS.dark.accent],
  ];
  for (const [files, name, light, dark] of table) {
    await t.step(name, async () => {
      await using own = await writeContent(files);
      const { letters } = await makeAll(own.path);
      const urls = { placeUrl: "http://a.example/", leaveUrl: "http://b.example/" };
      const { html } = letters({ kind: "link", id: "1", lang: "de", ...urls });
      assert.ok(html.includes(`>${name}</p>`));
      assert.ok(html.includes(`background:${light};color:${DEFAULT_COLORS.light.paper}`));
      assert.ok(html.includes(`background: ${dark} !important`));
    });
  }
});

Deno.test("createSite() and createLetterWriter() name the file in their error when a file of the overlay is wrong", async (t) => {
  const needed = "the link for which the letter is sent";
  const table: [file: string, text: string, fault: string][] = [
    ["en/sign-up-error.md", page("No form."), "{{sign-up again}} is missing"],
    [
      "en/place-person.md",
      page(PERSON),
      "{{place-confirm}} is missing for people who are unconfirmed",
    ],
    [
      "en/place-person.md",
      page(`{{place-confirm}}\n\n${PERSON.replace("{{place-leave}}", "")}`),
      "{{place-leave}} is missing for people who are unconfirmed",
    ],
    ["en/a.md", page("{{site_nam}}", "/a/"), "{{site_nam}} is not a placeholder; the placeholders"],
    ["en/a.md", page("{{sign-up footer}}", "/a/"), "{{sign-up footer}} is not a marker; the mark"],
    [
      "en/a.md",
      page("::: heroes\n\nHi\n\n:::", "/a/"),
      "::: heroes is not a section; the sections",
    ],
    ["en/a.md", page("![](/assets/none.png)", "/a/"), "there is no file assets/none.png"],
    [
      "en/a.md",
      page("{{if mail}}\n\nA letter.", "/a/"),
      "{{if mail}} must be on a line of its own, between {{if …}} and {{end}} of one part",
    ],
    [
      "assets/brand.css",
      "a { background: url(none.png) }",
      "there is no file 'none.png' beside it",
    ],
    [
      "assets/social.png",
      "GIF89a",
      "is not a PNG, although its name ends in .png; save it as a PNG, or rename it",
    ],
    ["en/letters/confirmation.md", letter("Hello"), `the letter lacks {{place_url}}, ${needed}`],
    [
      "en/letters/attention.md",
      letter("{{overview_url}}"),
      "the letter lacks {{attention}}, which stands for the list of problems",
    ],
    [
      "en/letters/confirmation.md",
      letter("Hello\n\n<!-- Write more, and add {{place_url}}. -->"),
      `the letter lacks {{place_url}}, ${needed}`,
    ],
    [
      "en/letters/invitation.md",
      letter("{{place_url}}"),
      `the letter lacks {{invitation_url}}, ${needed}`,
    ],
    [
      "en/letters/link.md",
      letter("{{place_url}} {{nobody}}"),
      "{{nobody}} is not a placeholder; the placeholders are",
    ],
    ["en/letters/link.md", letter("{{invitation_url}}"), "{{invitation_url}} is not a placeholder"],
    ["en/letters/link.md", letter("", "{{x}}"), "{{x}} is not a placeholder"],
    ["en/letters/link.md", letter("![](/assets/dawn.svg)"), "plain text cannot show"],
    ["de/letters/link.md", "---\ntitle: A\n---\n", "subject: "],
    [
      "en/letters/conformation.md",
      letter("{{place_url}}"),
      "no letter has this name; the letters are confirmation, invitation, link",
    ],
  ];
  for (const [file, text, fault] of table) {
    await t.step(`${file}: ${fault}`, async () => {
      await using own = await writeContent({ [file]: text });
      await assert.rejects(makeAll(own.path), ({ message }: Error) => {
        assert.ok(message.replace(": ", " ").startsWith(`${own.path}/${file} ${fault}`), message);
        return true;
      });
    });
  }
});
