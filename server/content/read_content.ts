/**
 * Reads `content/` and the overlay: the languages with their pages, texts and letters, the assets and the brand.
 * @module
 */
import { realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import contract from "../../shared/generated/public.json" with { type: "json" };
import { fromProject } from "../config/mod.ts";
import { type Brand, BRAND_FILE, pageFilesOf, readBrand } from "./brand.ts";
import {
  type ContentEntry,
  type ContentFile,
  listFolder,
  type MarkdownFile,
  readContentFile,
  readMarkdown,
  textSchema,
} from "./files.ts";
import { CONSOLE_TEXTS_FILE, readTexts, type Texts, TEXTS_FILE } from "./texts.ts";

/** The file name (without `.md`) of the page after a sign-up. */
export const THANKS_PAGE = "thanks";

/** The file names of pages that every language has. */
const PAGES = {
  home: "index",
  /** The page for unknown paths. */
  notFound: "not-found",
  /** The page that shows a refused form again. */
  refused: "sign-up-error",
};

/** The file names of the pages of the self-service. */
const SELF_SERVICE_PAGES = {
  /** The page of a person, behind the link in a letter. */
  person: "place-person",
  /** The page that asks before the person leaves. */
  leaving: "place-leave",
  /** The page for an invalid link. */
  noPerson: "place-not-found",
  /** The page on which people ask for the link to their own page. */
  entry: "place",
  /** The page that follows after a person has asked for a link. */
  sent: "place-sent",
  /** The page that follows after a person has left. */
  left: "place-left",
};

/** The paths that no page may have. `/index/` is one of them because `/index.md` is the Markdown of the home page. */
const RESERVED = /^\/(?:api|sandbox|operator|assets|\.well-known)\/|\/index\/$/;

/**
 * The paths that certain pages must have, by the language and name of the page. The API (`joinWaitlist`) and the
 * snippet for other sites contain these paths.
 */
const FIXED_PATHS: Record<string, string> = {
  "en/thanks": "/thanks/",
  "de/thanks": "/de/danke/",
  "en/embed": "/embed/",
  "de/embed": "/de/embed/",
};

/** The folder with the letters of a language. */
const LETTERS = "letters";

const pageSchema = z.strictObject({
  path: z.string().regex(/^\/(?:[a-z0-9-]+\/)*$/, {
    error: "must begin and end with / and use a-z, 0-9 and hyphens",
  }),
  lang: z.string(),
  title: textSchema,
  description: textSchema,
  /** `guide` lists the headings beside the text; `embed` has only the text, for a frame on another site. */
  layout: z.enum(["home", "text", "guide", "embed"]).default("text"),
  /** Whether search engines may list the page. */
  indexed: z.boolean().default(true),
});

/** The front matter of a page that is not served at a path of its own. */
const pageWithoutPathSchema = pageSchema.extend({
  path: z.undefined("must be left out here").optional().transform(() => ""),
});

/** A page as its file has it. `path` is empty for a page that is not served at a path of its own. */
export interface SourcePage extends MarkdownFile, z.infer<typeof pageSchema> {}

/**
 * The front matter of a letter: plain texts with placeholders. Mail programs show the preheader after the subject in
 * their list of letters. The open letter does not show the preheader.
 */
const letterSchema = z.strictObject({
  subject: textSchema,
  preheader: textSchema.optional(),
});

/** A letter as its file has it. */
export interface SourceLetter extends MarkdownFile, z.infer<typeof letterSchema> {}

/** The data of a page that lists of pages need, such as `/sitemap.xml` and `/llms.txt`. */
export interface ListedPage extends Pick<SourcePage, "path" | "lang" | "indexed"> {
  /** The path of the page as Markdown, such as `/developers.md`. For a page of a person, it is the page's own path. */
  markdownPath: string;
  title: string;
  /** The description of the page: one sentence of plain text. */
  description: string;
  /** The translations of the page, and the page itself; empty for a page without translations. */
  alternates: { lang: string; path: string }[];
}

/** A language with its pages, texts and letters. */
export interface Language extends Record<keyof typeof PAGES, SourcePage> {
  lang: string;
  texts: Texts;
  letters: SourceLetter[];
  selfService: Record<keyof typeof SELF_SERVICE_PAGES, SourcePage>;
  /** All pages with a path. The home page is the first. */
  pages: SourcePage[];
}

/** Reads the folder of a language. */
async function readLanguage(lang: string, folder: ContentEntry): Promise<Language> {
  const pages: SourcePage[] = [];
  let letters: SourceLetter[] = [];
  let texts: Texts | undefined;
  for (const [name, entry] of await listFolder(folder)) {
    if (name === TEXTS_FILE) texts = await readTexts(entry);
    else if (name === LETTERS) letters = await readLetters(entry);
    else if (name.endsWith(".md")) pages.push(await readPage(entry, lang));
    else if (!isConsoleTexts(name, entry)) {
      throw new Error(
        `${entry.label} is neither a page (.md), nor '${TEXTS_FILE}' or '${LETTERS}'`,
      );
    }
  }
  if (!texts) throw new Error(`${folder.label}/${TEXTS_FILE} is missing`);
  const required = findPages(PAGES, pages, folder);
  return {
    ...required,
    lang,
    texts,
    letters,
    selfService: findPages(SELF_SERVICE_PAGES, pages, folder),
    pages: [required.home, ...pages.filter((page) => page !== required.home && page.path !== "")],
  };
}

/**
 * Whether an entry is the built-in file with the console's texts, which `texts.ts` reads. The overlay cannot replace
 * these texts, so such a file in the overlay is an error.
 */
function isConsoleTexts(name: string, { root, under }: ContentEntry): boolean {
  return name === CONSOLE_TEXTS_FILE && (under === undefined || under.root === root);
}

async function readLetters(folder: ContentEntry): Promise<SourceLetter[]> {
  const letters: SourceLetter[] = [];
  for (const [name, entry] of await listFolder(folder)) {
    if (!name.endsWith(".md")) {
      throw new Error(`${entry.label} is no letter; letters are .md files`);
    }
    letters.push(await readMarkdown(entry, letterSchema));
  }
  return letters;
}

/** Finds the pages that a language must have. @param names the file name of each page, by the role of the page */
function findPages<Role extends string>(
  names: Record<Role, string>,
  pages: SourcePage[],
  folder: ContentEntry,
): Record<Role, SourcePage> {
  const found = Object.entries<string>(names).map(([role, name]) => {
    const page = pages.find((page) => page.name === name);
    if (!page) throw new Error(`${folder.label}/${name}.md is missing`);
    return [role, page];
  });
  // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
  return Object.fromEntries(found) as Record<Role, SourcePage>;
}

async function readPage(entry: ContentEntry, lang: string): Promise<SourcePage> {
  const { person, leaving, noPerson } = SELF_SERVICE_PAGES;
  const withoutPath = [PAGES.notFound, PAGES.refused, person, leaving, noPerson];
  const hasNoPath = withoutPath.includes(basename(entry.path, ".md"));
  const page = await readMarkdown(entry, hasNoPath ? pageWithoutPathSchema : pageSchema);
  if (page.lang === lang) return page;
  throw new Error(`${page.label}: lang is '${page.lang}', but the file is in the folder '${lang}'`);
}

/**
 * Checks the paths of all pages. @throws an Error that names a file whose path is taken, or differs from the fixed path
 */
function checkPaths(pages: SourcePage[]): void {
  const labels = new Map<string, string>();
  for (const { path, label, lang, name } of pages) {
    const fixed = FIXED_PATHS[`${lang}/${name}`] ?? path;
    if (path !== fixed) throw new Error(`${label}: the path must be ${fixed}, as forms lead there`);
    if (RESERVED.test(path)) throw new Error(`${label}: the service uses the path ${path} itself`);
    const labelOfOther = labels.get(path);
    if (labelOfOther) throw new Error(`${label}: ${labelOfOther} has the path ${path} too`);
    labels.set(path, label);
  }
}

/** The folder with style sheets, scripts and pictures. */
const ASSETS = "assets";

/** Files for the people who write the texts. The service does not serve these files. */
const FOR_WRITERS = ["README.md", "README.png", "person.png"];

/** The languages of sign-ups. The API would refuse a form with any other language. */
const { enum: LANGUAGES } = contract.components.schemas.WaitlistSignup.properties.lang;

/** The content of the folder `content/` and the overlay. */
export interface Content {
  /** The languages. The first language is the one whose home page is `/`. */
  languages: Language[];
  /** The files of `assets/`. A file of the overlay replaces the built-in file of the same name. */
  assets: ContentFile[];
  /** The built-in scripts, including those that the overlay replaces. */
  scripts: ContentFile[];
  brand: Brand;
}

/**
 * Reads the content.
 *
 * @param folder the folder `content/`, with a slash at its end
 * @param overlay the value of `CONTENT_PATH`
 * @throws an Error that names a file and its fault
 */
export async function readContent(folder: URL, overlay?: string): Promise<Content> {
  const path = fileURLToPath(folder);
  const builtIn = { path, label: "content", root: await realpath(path) };
  const entries = await listFolder(
    overlay === undefined ? builtIn : await openOverlay(overlay, builtIn),
  );
  const brand = await readBrand(entries);
  const { letterLogo } = brand;
  const brandFiles = [...pageFilesOf(brand), ...letterLogo ? [letterLogo] : []];
  const known = [...FOR_WRITERS, BRAND_FILE, ...brandFiles.map(({ name }) => name)];
  const languages: Language[] = [];
  let assets: Pick<Content, "assets" | "scripts"> = { assets: [], scripts: [] };
  for (const [name, entry] of entries) {
    if (known.includes(name)) continue;
    if (name === ASSETS) assets = await readAssets(entry, builtIn);
    else if (/^[a-z]{2}$/.test(name)) {
      checkLanguage(name, entry);
      languages.push(await readLanguage(name, entry));
    } else {
      throw new Error(
        `${entry.label} is neither '${ASSETS}' nor the folder of a language, such as 'en', ` +
          `nor '${BRAND_FILE}' or a file that it names`,
      );
    }
  }
  checkPaths(languages.flatMap((language) => language.pages));
  languages.sort((a, b) => a.home.path.length - b.home.path.length);
  if (languages[0]?.home.path !== "/") {
    const files = languages.map(({ home }) => home.label).join(" or ");
    throw new Error(`${files} must have the path '/'`);
  }
  return { languages, ...assets, brand };
}

/** Reads the files of `assets/`, and the built-in scripts. */
async function readAssets(
  folder: ContentEntry,
  builtIn: Pick<ContentEntry, "root">,
): Promise<Pick<Content, "assets" | "scripts">> {
  const assets: ContentFile[] = [];
  const scripts: ContentFile[] = [];
  for (const entry of (await listFolder(folder)).values()) {
    const asset = await readContentFile(entry);
    assets.push(asset);
    const builtInEntry = entry.root === builtIn.root ? entry : entry.under;
    if (!builtInEntry || !asset.name.endsWith(".js")) continue;
    scripts.push(builtInEntry === entry ? asset : await readContentFile(builtInEntry));
  }
  return { assets, scripts };
}

/** Checks the name of a language's folder. @throws an Error if the API accepts no sign-ups in this language */
function checkLanguage(lang: string, { label }: ContentEntry): void {
  if (LANGUAGES.includes(lang)) return;
  throw new Error(
    `${label} is the folder of a language that sign-ups do not have; ` +
      `the languages are ${LANGUAGES.join(", ")}. Remove the folder`,
  );
}

/** Opens the folder of the overlay. @param contentPath the value of `CONTENT_PATH` */
async function openOverlay(contentPath: string, under: ContentEntry): Promise<ContentEntry> {
  const fault = (reason: string) =>
    new Error(
      `CONTENT_PATH is '${contentPath}', ${reason}. ` +
        "Give the folder with your brand.yaml, texts and pictures, such as /srv/waitlist-content",
    );
  const path = fromProject(contentPath);
  const info = await stat(path).catch(({ message }: Error) => {
    throw fault(`which cannot be read: ${message}`);
  });
  if (!info.isDirectory()) throw fault("which is not a folder");
  return { path, label: contentPath.replace(/\/+$/, ""), root: await realpath(path), under };
}
