/** Reads `content/` and the folder that lies over it: languages with their pages, texts and letters, assets, brand. @module */
import { realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import contract from "../../shared/generated/public.json" with { type: "json" };
import { fromProject } from "../config/mod.ts";
import { type Brand, BRAND_FILE, filesOf, readBrand } from "./brand.ts";
import {
  type ContentEntry,
  type ContentFile,
  listFolder,
  type MarkdownFile,
  readFile,
  readMarkdown,
  textSchema,
} from "./files.ts";
import { CONSOLE_TEXTS_FILE, readTexts, type Texts, TEXTS_FILE } from "./texts.ts";

/** The name of the page after a sign-up. */
export const THANKS = "thanks";

/** The names of the home page, the page for unknown paths, and the one that shows a refused form again. */
const PAGES = { home: "index", notFound: "not-found", refused: "sign-up-error" };

/** A person's page, its question before leaving, for a bad link; without a link: to ask for one, once asked, once left. */
const SELF_SERVICE_PAGES = {
  person: "place-person",
  leaving: "place-leave",
  noPerson: "place-not-found",
  entry: "place",
  sent: "place-sent",
  left: "place-left",
};

/** The paths that the service uses itself; `/index.md` is the Markdown of the home page, not of a page `/index/`. */
const RESERVED = /^\/(?:api|sandbox|operator|assets|\.well-known)\/|\/index\/$/;

/** The paths of pages to which the API (`joinWaitlist`) and the snippet for other sites lead, by language and name. */
const FIXED: Record<string, string> = {
  "en/thanks": "/thanks/",
  "de/thanks": "/de/danke/",
  "en/embed": "/embed/",
  "de/embed": "/de/embed/",
};

const LETTERS = "letters";

const pageSchema = z.strictObject({
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

/** A page that answers no path of its own. */
const pageWithoutPathSchema = pageSchema.extend({
  path: z.undefined("must be left out here").optional().transform(() => ""),
});

export type SourcePage = MarkdownFile & z.infer<typeof pageSchema>;

/** `subject` is plain text with placeholders. */
const letterSchema = z.strictObject({ subject: textSchema });

export type SourceLetter = MarkdownFile & z.infer<typeof letterSchema>;

/** A page in lists such as `/sitemap.xml` and `/llms.txt`. */
export interface ListedPage extends Pick<SourcePage, "path" | "lang" | "indexed"> {
  /** The path of its Markdown alone, such as `/developers.md`; the page's own path for pages of a person. */
  twin: string;
  title: string;
  /** One sentence of plain text. */
  description: string;
  /** The page's versions in all languages, its own included; empty if there is only one. */
  alternates: { lang: string; path: string }[];
}

export interface Language extends Record<keyof typeof PAGES, SourcePage> {
  lang: string;
  texts: Texts;
  letters: SourceLetter[];
  selfService: Record<keyof typeof SELF_SERVICE_PAGES, SourcePage>;
  /** All pages that have a path; the home page is the first. */
  pages: SourcePage[];
}

async function readLanguage(lang: string, folder: ContentEntry): Promise<Language> {
  const pages: SourcePage[] = [];
  const letters: SourceLetter[] = [];
  let texts: Texts | undefined;
  for (const [name, entry] of await listFolder(folder)) {
    if (name === TEXTS_FILE) texts = await readTexts(entry);
    else if (name.endsWith(".md")) pages.push(await readPage(entry, lang));
    else if (name === LETTERS) {
      for (const [name, letter] of await listFolder(entry)) {
        if (!name.endsWith(".md")) {
          throw new Error(`${letter.label} is no letter; letters are .md files`);
        }
        letters.push(await readMarkdown(letter, letterSchema));
      }
      // The console reads its own texts, which no other folder can replace.
    } else if (name !== CONSOLE_TEXTS_FILE || (entry.under ?? entry).root !== entry.root) {
      throw new Error(
        `${entry.label} is neither a page (.md), nor '${TEXTS_FILE}' or '${LETTERS}'`,
      );
    }
  }
  const findAll = <Role extends string>(names: Record<Role, string>) => {
    const found = Object.entries<string>(names).map(([role, name]) => {
      const page = pages.find((page) => page.name === name);
      if (!page) throw new Error(`${folder.label}/${name}.md is missing`);
      return [role, page];
    });
    return Object.fromEntries(found) as Record<Role, SourcePage>;
  };
  const always = findAll(PAGES);
  if (!texts) throw new Error(`${folder.label}/${TEXTS_FILE} is missing`);
  return {
    ...always,
    lang,
    texts,
    letters,
    selfService: findAll(SELF_SERVICE_PAGES),
    pages: [always.home, ...pages.filter((page) => page !== always.home && page.path !== "")],
  };
}

async function readPage(entry: ContentEntry, lang: string): Promise<SourcePage> {
  const { person, leaving, noPerson } = SELF_SERVICE_PAGES;
  const withoutPath = [PAGES.notFound, PAGES.refused, person, leaving, noPerson];
  const hasNoPath = withoutPath.includes(basename(entry.path, ".md"));
  const page = await readMarkdown(entry, hasNoPath ? pageWithoutPathSchema : pageSchema);
  if (page.lang === lang) return page;
  throw new Error(`${page.file}: lang is '${page.lang}', but the file is in the folder '${lang}'`);
}

/** Throws an Error that names the file of a page whose path is taken, or is not the one that others lead to. */
function checkPaths(pages: SourcePage[]): void {
  const files = new Map<string, string>();
  for (const { path, file, lang, name } of pages) {
    const fixed = FIXED[`${lang}/${name}`] ?? path;
    if (path !== fixed) throw new Error(`${file}: the path must be ${fixed}, as forms lead there`);
    if (RESERVED.test(path)) throw new Error(`${file}: the service uses the path ${path} itself`);
    const other = files.get(path);
    if (other) throw new Error(`${file}: ${other} has the path ${path} too`);
    files.set(path, file);
  }
}

const ASSETS = "assets";

/** What tells writers how to use the folder; it is not served. */
const FOR_WRITERS = ["README.md", "README.png"];

/** The languages that a sign-up can have: the forms of another one would always be refused. */
const { enum: LANGUAGES } = contract.components.schemas.WaitlistSignup.properties.lang;

export interface Content {
  /** The languages; the first is the one whose home page is `/`. */
  languages: Language[];
  assets: ContentFile[];
  /** The built-in scripts, whatever the upper folder has in their place. */
  scripts: ContentFile[];
  brand: Brand;
}

/** @param over `CONTENT_PATH`, whose files add to the others or replace them @throws an Error that names a file */
export async function readContent(folder: URL, over?: string): Promise<Content> {
  const path = fileURLToPath(folder);
  const builtIn = { path, label: "content", root: await realpath(path) };
  const beside = await listFolder(over === undefined ? builtIn : await openFolder(over, builtIn));
  const brand = await readBrand(beside);
  const known = [...FOR_WRITERS, BRAND_FILE, ...filesOf(brand).map(({ name }) => name)];
  const languages: Language[] = [];
  const assets: ContentFile[] = [];
  const scripts: ContentFile[] = [];
  for (const [name, entry] of beside) {
    if (known.includes(name)) continue;
    if (name === ASSETS) {
      for (const file of (await listFolder(entry)).values()) {
        const asset = await readFile(file);
        assets.push(asset);
        const below = file.root === builtIn.root ? file : file.under;
        if (below && asset.name.endsWith(".js")) {
          scripts.push(below === file ? asset : await readFile(below));
        }
      }
    } else if (/^[a-z]{2}$/.test(name)) {
      if (!LANGUAGES.includes(name)) {
        throw new Error(
          `${entry.label} is the folder of a language that sign-ups do not have; ` +
            `the languages are ${LANGUAGES.join(", ")}. Remove the folder`,
        );
      }
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
    const files = languages.map(({ home }) => home.file).join(" or ");
    throw new Error(`${files} must have the path '/'`);
  }
  return { languages, assets, scripts, brand };
}

async function openFolder(given: string, under: ContentEntry): Promise<ContentEntry> {
  const fault = (what: string) =>
    new Error(
      `CONTENT_PATH is '${given}', ${what}. ` +
        "Give the folder with your brand.yaml, texts and pictures, such as /srv/waitlist-content",
    );
  const path = fromProject(given);
  const info = await stat(path).catch(({ message }: Error) => {
    throw fault(`which cannot be read: ${message}`);
  });
  if (!info.isDirectory()) throw fault("which is not a folder");
  return { path, label: given.replace(/\/+$/, ""), root: await realpath(path), under };
}
