/**
 * Reads `content/`: a folder for each language, with its pages, texts and letters, and `assets/`. A fault in a file
 * stops the start with a message that names the file and the fault.
 *
 * @module
 */
import { z } from "zod";
import { nameOf, namesIn, parseFrontMatter, parseYamlFile } from "./files.ts";
import { type Texts, textsSchema } from "./texts.ts";

/** The file names, without extension, of the page for unknown paths and of the home page. */
export const NOT_FOUND = "not-found", HOME = "index";

/**
 * The file names, without extension, of the pages of a person: the page itself in all states, the page for a link
 * that is not good, and the pages without a link, before and after a letter with one is asked for, and after
 * leaving.
 */
const PERSON = "place-person",
  NO_PERSON = "place-not-found",
  PLACE = "place",
  SENT = "place-sent",
  LEFT = "place-left";

/** The pages that have no path of their own. */
const WITHOUT_PATH = [NOT_FOUND, PERSON, NO_PERSON];

const ASSETS = "assets", LETTERS = "letters";

/** What tells writers how to use the folder, and its picture; neither is served. */
const FOR_WRITERS = ["README.md", "README.png"];

const letterSchema = z.strictObject({ subject: z.string().trim().min(1) });

const frontMatterSchema = z.strictObject({
  path: z.string().regex(/^\/(?:[a-z0-9-]+\/)*$/, {
    error: "must begin and end with / and use a-z, 0-9 and hyphens",
  }),
  lang: z.string(),
  title: z.string().trim().min(1),
  description: z.string().trim().min(1),
  /** `guide` lists the headings beside the text. */
  layout: z.enum(["home", "text", "guide"]).default("text"),
  /** Whether search engines may list the page. */
  indexed: z.boolean().default(true),
});

/** A page as it is written. Pages of the same name in two languages are translations of each other. */
export interface SourcePage extends z.infer<typeof frontMatterSchema> {
  /** The path of the file, for messages, such as `content/en/privacy.md`. */
  file: string;
  name: string;
  /** Markdown. */
  body: string;
}

/** The entry of a page in a list of pages, such as `/sitemap.xml` and `/llms.txt`. */
export interface ListedPage {
  /** The path with its slashes, such as `/developers/`. */
  path: string;
  /** Plain text. */
  title: string;
  /** One sentence of plain text. */
  description: string;
  lang: string;
  /** The page's versions in all languages, its own included; empty if there is only one. */
  alternates: { lang: string; path: string }[];
  /** Whether the lists contain the page. A thanks page, for example, is useful only after a sign-up. */
  indexed: boolean;
}

/** A letter as it is written. Letters of the same name in two languages are translations of each other. */
export interface SourceLetter {
  /** The path of the file, for messages, such as `content/en/letters/invitation.md`. */
  file: string;
  /** The file name without its extension. */
  name: string;
  /** Plain text with placeholders. */
  subject: string;
  /** Markdown. */
  body: string;
}

/** The pages, texts and letters of a language. */
export interface Language {
  lang: string;
  texts: Texts;
  letters: SourceLetter[];
  home: SourcePage;
  notFound: SourcePage;
  /** The pages of a person. */
  place: Record<"person" | "noPerson" | "entry" | "sent" | "left", SourcePage>;
  /** All pages that have a path; the home page is the first. */
  pages: SourcePage[];
}

/** A file of `assets/`. */
export interface AssetFile {
  /** The file name, such as `site.css`. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Everything in `content/`. */
export interface Content {
  /** The languages; the first is the one whose home page is `/`. */
  languages: Language[];
  assets: AssetFile[];
}

/**
 * Reads the folder.
 *
 * @throws an Error that names a file and what is wrong with it
 */
export async function readContent(folder: URL): Promise<Content> {
  const languages: Language[] = [];
  const assets: AssetFile[] = [];
  for (const name of await namesIn(folder)) {
    if (FOR_WRITERS.includes(name)) continue;
    const subfolder = new URL(`${name}/`, folder);
    if (name === ASSETS) {
      for (const file of await namesIn(subfolder)) {
        assets.push({ name: file, bytes: await Deno.readFile(new URL(file, subfolder)) });
      }
    } else if (/^[a-z]{2}$/.test(name)) {
      languages.push(await readLanguage(name, subfolder));
    } else {
      throw new Error(
        `content/${name} is neither '${ASSETS}' nor the folder of a language, such as 'en'`,
      );
    }
  }
  checkPaths(languages.flatMap((language) => language.pages));
  languages.sort((a, b) => a.home.path.length - b.home.path.length);
  if (languages[0]?.home.path !== "/") {
    throw new Error(`content/ has no ${HOME}.md with the path '/', which is the first page`);
  }
  return { languages, assets };
}

async function readLanguage(lang: string, folder: URL): Promise<Language> {
  const label = `content/${lang}`;
  const names = await namesIn(folder);
  const pages: SourcePage[] = [];
  for (const name of names.filter((name) => name.endsWith(".md"))) {
    pages.push(parsePage(`${label}/${name}`, await Deno.readTextFile(new URL(name, folder)), lang));
  }
  const find = (name: string) => {
    const page = pages.find((page) => page.name === name);
    if (!page) throw new Error(`${label}/${name}.md is missing`);
    return page;
  };
  const [home, notFound] = [find(HOME), find(NOT_FOUND)];
  if (!names.includes("texts.yaml")) throw new Error(`${label}/texts.yaml is missing`);
  const yaml = await Deno.readTextFile(new URL("texts.yaml", folder));
  return {
    lang,
    texts: parseYamlFile(`${label}/texts.yaml`, yaml, textsSchema),
    letters: names.includes(LETTERS)
      ? await readLetters(`${label}/${LETTERS}`, new URL(`${LETTERS}/`, folder))
      : [],
    home,
    notFound,
    place: {
      person: find(PERSON),
      noPerson: find(NO_PERSON),
      entry: find(PLACE),
      sent: find(SENT),
      left: find(LEFT),
    },
    pages: [home, ...pages.filter((page) => page !== home && page.path !== "")],
  };
}

async function readLetters(label: string, folder: URL): Promise<SourceLetter[]> {
  const letters: SourceLetter[] = [];
  for (const name of await namesIn(folder)) {
    const file = `${label}/${name}`;
    if (!name.endsWith(".md")) throw new Error(`${file} is no letter; letters are .md files`);
    const text = await Deno.readTextFile(new URL(name, folder));
    const { front, body } = parseFrontMatter(file, text, letterSchema);
    letters.push({ file, name: nameOf(file), body, ...front });
  }
  return letters;
}

/** Parses a page's file: front matter between two lines of `---`, then Markdown. */
export function parsePage(file: string, text: string, lang: string): SourcePage {
  const name = nameOf(file);
  // The front matter of a page without a path must not have one.
  const schema = WITHOUT_PATH.includes(name)
    ? frontMatterSchema.extend({ path: z.undefined().optional().transform(() => "") })
    : frontMatterSchema;
  const { front, body } = parseFrontMatter(file, text, schema);
  if (front.lang !== lang) {
    throw new Error(`${file}: lang is '${front.lang}', but the file is in the folder '${lang}'`);
  }
  return { ...front, file, name, body };
}

/** The paths that the service uses itself. */
const RESERVED = /^\/(?:api|sandbox|operator|assets|\.well-known)\//;

function checkPaths(pages: SourcePage[]): void {
  const files = new Map<string, string>();
  for (const { path, file } of pages) {
    if (RESERVED.test(path)) throw new Error(`${file}: the service uses the path ${path} itself`);
    const other = files.get(path);
    if (other) throw new Error(`${file}: ${other} has the path ${path} too`);
    files.set(path, file);
  }
}
