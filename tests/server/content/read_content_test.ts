/** `CONTENT_PATH`: what a folder that lies over the built-in content changes. */
import assert from "node:assert/strict";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { writeContent } from "../../support/brand.ts";

const page = (path: string, lang = "en") =>
  `---\npath: ${path}\nlang: ${lang}\ntitle: T\ndescription: D.\n---\n\n# Own\n`;

/** A page with an ü in another encoding. */
const LATIN_1 = new Uint8Array([...new TextEncoder().encode(page("/a/")), 0xfc]);

Deno.test("readContent() prefers a file of the overlay to the built-in file with the same path, and adds other files of the overlay", async () => {
  await using own = await writeContent({
    "README.md": "Our pages.",
    ".git/HEAD": "ref",
    "en/imprint.md": page("/imprint/"),
    "en/press.md": page("/press/").replaceAll("\n", "\r\n"),
    "en/letters/link.md": "---\nsubject: Own subject\n---\n\nHello\n",
    "de/texts.yaml": "sign_up:\n  submit: Ich will dabei sein\nfooter:\n  links: []\n",
    "assets/dawn.svg": "<svg/>",
    "assets/team.png": "png",
    "assets/50% off #1?.css": "a{}",
  });
  const { languages, assets } = await readContent(CONTENT_FOLDER, own.path);
  const built = await readContent(CONTENT_FOLDER);
  const [en, de] = languages;
  const find = (name: string) => en!.pages.find((page) => page.name === name);
  assert.equal(find("imprint")?.label, `${own.path}/en/imprint.md`);
  assert.equal(find("imprint")?.body, "\n# Own\n");
  assert.equal(find("press")?.path, "/press/");
  assert.equal(find("privacy")?.label, "content/en/privacy.md");
  assert.equal(en?.letters.find(({ name }) => name === "link")?.subject, "Own subject");
  assert.equal(en?.letters.length, built.languages[0]?.letters.length);
  assert.deepEqual(en?.texts, built.languages[0]?.texts);

  const texts = built.languages[1]!.texts;
  assert.deepEqual(de?.texts, {
    ...texts,
    sign_up: { ...texts.sign_up, submit: "Ich will dabei sein" },
    footer: { ...texts.footer, links: [] },
  });

  const names = built.assets.map(({ name }) => name);
  const added = ["50% off #1?.css", "team.png"];
  assert.deepEqual(assets.map(({ name }) => name).sort(), [...names, ...added].sort());
  const dawn = assets.find(({ name }) => name === "dawn.svg");
  assert.equal(new TextDecoder().decode(dawn?.bytes), "<svg/>");
});

Deno.test("readContent() follows symbolic links that stay within the overlay", async () => {
  // Kubernetes mounts a folder so: a new version is another folder, to which a link is moved.
  await using real = await writeContent({
    "..1/en/press.md": page("/press/"),
    "..1/assets/team.svg": "<svg/>",
    "assets/other.txt": "",
  });
  await Deno.symlink("..1", `${real.path}/..data`);
  await Deno.symlink("..data/en", `${real.path}/en`);
  await Deno.symlink("../..data/assets/team.svg", `${real.path}/assets/team.svg`);
  await using own = await writeContent({});
  await Deno.symlink(real.path, `${own.path}/link`);
  const { languages, assets } = await readContent(CONTENT_FOLDER, `${own.path}/link`);
  assert.ok(languages[0]?.pages.some(({ path }) => path === "/press/"));
  assert.ok(assets.some(({ name }) => name === "team.svg"));
});

Deno.test("readContent() refuses a file of the overlay that is a link out of the overlay or no regular file", async (t) => {
  await using other = await writeContent({
    "secret.txt": "secret",
    "en/press.md": page("/press/"),
  });
  const makePipe = (path: string) => new Deno.Command("mkfifo", { args: [path] }).output();
  const table: [file: string, make: (path: string) => Promise<unknown>, fault: RegExp][] = [
    [
      "assets/a.txt",
      (path) => Deno.symlink(`${other.path}/secret.txt`, path),
      /is a link to .+secret/,
    ],
    ["assets/a.txt", (path) => Deno.symlink("/dev/zero", path), /is not a regular file/],
    ["assets/a.txt", (path) => Deno.symlink("nowhere", path), /no such file/],
    ["assets/a.txt", makePipe, /is not a regular file/],
    ["en/a.md", (path) => Deno.symlink(`${other.path}/en/press.md`, path), /is a link to .+press/],
    ["brand.yaml", makePipe, /is not a regular file/],
  ];
  for (const [file, make, fault] of table) {
    await t.step(`the fault of ${file} matches ${fault}`, async () => {
      await using own = await writeContent({ "assets/b.txt": "", "en/press.md": page("/press/") });
      await make(`${own.path}/${file}`);
      await assert.rejects(readContent(CONTENT_FOLDER, own.path), ({ message }: Error) => {
        assert.ok(message.startsWith(`${own.path}/${file} cannot be read as a file: `), message);
        assert.match(message, fault);
        return true;
      });
    });
  }
  // The folder's name is the beginning of the other one's.
  await using own = await writeContent({ "assets/b.txt": "" });
  await Deno.mkdir(`${own.path}-2`);
  await Deno.writeTextFile(`${own.path}-2/a.txt`, "");
  await Deno.symlink(`${own.path}-2/a.txt`, `${own.path}/assets/a.txt`);
  await assert.rejects(readContent(CONTENT_FOLDER, own.path), { message: /is a link to .+-2/ });
  await Deno.remove(`${own.path}-2`, { recursive: true });
});

Deno.test("readContent() resolves a relative CONTENT_PATH from the project's folder", async () => {
  const { brand } = await readContent(CONTENT_FOLDER, "./content");
  assert.deepEqual(brand, { colors: {} });
});

Deno.test("readContent() fails with a message that names CONTENT_PATH when CONTENT_PATH is not a readable folder", async () => {
  await using own = await writeContent({ file: "" });
  await assert.rejects(readContent(CONTENT_FOLDER, "/nowhere/at all"), {
    message:
      /^CONTENT_PATH is '\/nowhere\/at all', which cannot be read, because of the error 'ENOENT: no such file .+'\. Give the folder with/,
  });
  await assert.rejects(readContent(CONTENT_FOLDER, `${own.path}/file`), {
    message: /^CONTENT_PATH is '.+\/file', which is not a folder\. Give the folder with/,
  });
});

Deno.test("readContent() fails with the file's name when a file of the overlay has a fault", async (t) => {
  const table: [file: string, text: string | Uint8Array, fault: string][] = [
    ["en/a.md", "# A\n", "en/a.md does not begin with front matter"],
    ["en/z.md", page("/privacy/"), "en/z.md: content/en/privacy.md has the path /privacy/ too"],
    ["en/a.md", page("/a/", "de"), "en/a.md: lang is 'de', but the file is in the folder 'en'"],
    ["en/a.md", page("/a/: x"), "en/a.md is not valid YAML: "],
    ["en/a.md", page("/a/").replace("title: T\n", ""), "en/a.md: title: is missing"],
    [
      "en/a.md",
      page("/a/\ntitel: B"),
      "en/a.md: there is no key 'titel' (the keys are path, lang, ",
    ],
    ["en/a.md", page("/a"), "en/a.md: path: must begin and end with / and use a-z, 0-9 and hyp"],
    ["en/a.md", page("/:id/"), "en/a.md: path: must begin and end"],
    [
      "en/a.md",
      page("/a/\nlayout: wide"),
      'en/a.md: layout: must be home or text or guide or embed, not "wide"',
    ],
    ["en/text.yaml", "", "en/text.yaml is neither a page (.md), nor 'texts.yaml' or 'letters'"],
    ["en/console.yaml", "", "en/console.yaml is neither a page (.md), nor 'texts.yaml'"],
    ["en/texts.yaml", "skip: [", "en/texts.yaml is not valid YAML"],
    [
      "en/texts.yaml",
      "sign_up: { sumbit: Go }",
      "en/texts.yaml: sign_up: there is no key 'sumbit' (the keys are ",
    ],
    [
      "en/texts.yaml",
      "footer: { links: [{ lable: Imprint, path: /imprint/ }] }",
      "en/texts.yaml: footer.links.0.label: is missing; footer.links.0: " +
      "there is no key 'lable' (the keys are label, path)",
    ],
    ["en/letters/a.txt", "", "en/letters/a.txt is no letter"],
    ["en/letters/link.md", "Hello\n", "en/letters/link.md does not begin with front matter"],
    ["asset/a.css", "", "asset is neither 'assets' nor the folder of a language"],
    ["brand.yml", "", "brand.yml is neither 'assets' nor"],
    ["notes.txt", "", "notes.txt is neither 'assets' nor the folder of a language"],
    ["en/a.md", page("/api/v1/"), "en/a.md: the service uses the path /api/v1/ itself"],
    ["en/a.md", page("/index/"), "en/a.md: the service uses the path /index/ itself"],
    ["en", "", "en cannot be read as a folder"],
    ["assets/fonts/a.css", "", "assets/fonts cannot be read as a file"],
    [
      "fr/index.md",
      page("/fr/", "fr"),
      "fr is the folder of a language that sign-ups do not have; the languages are en, de. Remove the folder",
    ],
    [
      "en/thanks.md",
      page("/merci/"),
      "en/thanks.md: the path must be /thanks/, as forms lead there",
    ],
    ["de/embed.md", page("/de/form/", "de"), "de/embed.md: the path must be /de/embed/"],
    ["en/not-found.md", page("/404/"), "en/not-found.md: path: must be left out here"],
    ["en/texts.yaml", "skip: ''", "en/texts.yaml: skip: must not be empty"],
    [
      "en/texts.yaml",
      "sign_up: { rate_limited: Wait. }",
      "en/texts.yaml: sign_up.rate_limited: must have {seconds}",
    ],
    ["en/a.md", LATIN_1, "en/a.md is not UTF-8 text; save it as UTF-8"],
  ];
  for (const [file, text, fault] of table) {
    await t.step(`the fault is: ${fault}`, async () => {
      await using own = await writeContent({ [file]: text });
      await assert.rejects(readContent(CONTENT_FOLDER, own.path), (error: Error) => {
        assert.ok(error.message.startsWith(`${own.path}/${fault}`), error.message);
        return true;
      });
    });
  }
});
