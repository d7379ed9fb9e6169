/**
 * Reads `content/` and the folder that lies over it: a folder for each language, with its pages, texts and
 * letters, `assets/`, and the brand. A fault in a file stops the start with a message that names both.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { type Brand, BRAND_FILE, readBrand } from "./brand.ts";
import { fromProject } from "../config/mod.ts";
import {
  checkContentFolder,
  type ContentEntry,
  listFolders,
  nameOf,
  parseFrontMatter,
  readBytesOf,
  readTextOf,
  textSchema,
  uppermost,
} from "./files.ts";
import {
  checkPaths,
  HOME,
  LEFT,
  NO_PERSON,
  NOT_FOUND,
  PERSON,
  REFUSED,
  SELF_SERVICE,
  SENT,
} from "./paths.ts";
import { readLetters, type SourceLetter } from "./letters.ts";
import { readTexts, type Texts, TEXTS_FILE } from "./texts.ts";

/** The pages that have no path of their own. */
const WITHOUT_PATH = [NOT_FOUND, REFUSED, PERSON, NO_PERSON];
const ASSETS = "assets", LETTERS = "letters";

/** What tells writers how to use the folder; it is not served. */
const FOR_WRITERS = ["README.md", "README.png"];

const frontMatterSchema = z.strictObject({
  path: z.string().regex(/^\/(?:[a-z0-9-]+\/)*$/, {
    error: "must begin and end with / and use a-z, 0-9 and hyphens",
  }),
  lang: z.string(),
  title: textSchema,
  description: textSchema,
  /** `guide` lists the headings beside the text; `embed` has the text alone, for frames on other sites. */
  layout: z.enum(["home", "text", "guide", "embed"]).default("text"),
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
  /**
   * The path of its Markdown alone, such as `/developers.md`. It is the page's own path for pages of a person, which
   * answer Markdown only there.
   */
  twin: string;
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

/** The pages, texts and letters of a language. */
export interface Language {
  lang: string;
  texts: Texts;
  letters: SourceLetter[];
  home: SourcePage;
  notFound: SourcePage;
  refused: SourcePage;
  /** The pages of a person. */
  selfService: Record<"person" | "noPerson" | "entry" | "sent" | "left", SourcePage>;
  /** All pages that have a path; the home page is the first. */
  pages: SourcePage[];
}

/** A file of `assets/`. */
export interface AssetFile {
  /** The file name, such as `site.css`. */
  name: string;
  /** The path of the file, for messages. */
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Everything in `content/`, and what lies over it. */
export interface Content {
  /** The languages; the first is the one whose home page is `/`. */
  languages: Language[];
  assets: AssetFile[];
  brand: Brand;
}

/**
 * Reads the folders.
 *
 * @param over the path of a folder whose files take the place of those of the same path, or are added to them; it
 * is `CONTENT_PATH`, and absent where there is none
 * @throws an Error that names a file and what is wrong with it
 */
export async function readContent(folder: URL, over?: string): Promise<Content> {
  const languages: Language[] = [];
  const assets: AssetFile[] = [];
  const folders = [{ url: folder, label: "content", root: await Deno.realPath(folder) }];
  if (over !== undefined) {
    await checkContentFolder(over);
    const path = fromProject(over);
    folders.push({
      url: pathToFileURL(path),
      label: over.replace(/\/+$/, ""),
      root: await Deno.realPath(path),
    });
  }
  const beside = await listFolders(folders);
  const brand = await readBrand(beside);
  const ofBrand = [BRAND_FILE, brand.logo?.name, brand.socialImage?.name];
  for (const [name, entries] of beside) {
    if (FOR_WRITERS.includes(name) || ofBrand.includes(name)) continue;
    if (name === ASSETS) {
      for (const [name, files] of await listFolders(entries)) {
        assets.push({ name, file: uppermost(files).label, bytes: await readBytesOf(files) });
      }
    } else if (/^[a-z]{2}$/.test(name)) {
      languages.push(await readLanguage(name, entries));
    } else {
      throw new Error(
        `${uppermost(entries).label} is neither '${ASSETS}' nor the folder of a language, ` +
          `such as 'en', nor '${BRAND_FILE}' or a picture that it names`,
      );
    }
  }
  checkPaths(languages.flatMap((language) => language.pages));
  languages.sort((a, b) => a.home.path.length - b.home.path.length);
  if (languages[0]?.home.path !== "/") {
    const files = languages.map(({ home }) => home.file).join(" or ");
    throw new Error(`${files} must have the path '/'`);
  }
  return { languages, assets, brand };
}

async function readLanguage(lang: string, folders: ContentEntry[]): Promise<Language> {
  const label = folders[0]!.label;
  const pages: SourcePage[] = [];
  let texts: Texts | undefined;
  let letters: SourceLetter[] = [];
  for (const [name, entries] of await listFolders(folders)) {
    if (name === TEXTS_FILE) texts = await readTexts(entries);
    else if (name === LETTERS) letters = await readLetters(entries);
    else if (name.endsWith(".md")) {
      const { file, text } = await readTextOf(entries);
      pages.push(parsePage(file, text, lang));
    } else {
      throw new Error(
        `${uppermost(entries).label} is neither a page (.md), nor '${TEXTS_FILE}' or '${LETTERS}'`,
      );
    }
  }
  const find = (name: string) => {
    const page = pages.find((page) => page.name === name);
    if (!page) throw new Error(`${label}/${name}.md is missing`);
    return page;
  };
  const [home, notFound, refused] = [find(HOME), find(NOT_FOUND), find(REFUSED)];
  if (!texts) throw new Error(`${label}/${TEXTS_FILE} is missing`);
  return {
    lang,
    texts,
    letters,
    home,
    notFound,
    refused,
    selfService: {
      person: find(PERSON),
      noPerson: find(NO_PERSON),
      entry: find(SELF_SERVICE),
      sent: find(SENT),
      left: find(LEFT),
    },
    pages: [home, ...pages.filter((page) => page !== home && page.path !== "")],
  };
}

/** Parses a page's file: front matter between two lines of `---`, then Markdown. */
export function parsePage(file: string, text: string, lang: string): SourcePage {
  const name = nameOf(file);
  // The front matter of a page without a path must not have one.
  const schema = WITHOUT_PATH.includes(name)
    ? frontMatterSchema.extend({
      path: z.undefined("must be left out here").optional().transform(() => ""),
    })
    : frontMatterSchema;
  const { front, body } = parseFrontMatter(file, text, schema);
  if (front.lang !== lang) {
    throw new Error(`${file}: lang is '${front.lang}', but the file is in the folder '${lang}'`);
  }
  return { ...front, file, name, body };
}
