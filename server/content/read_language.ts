/**
 * Reads the folder of one language, such as `content/en/`: the pages, the texts and the letters. Checks that the
 * language has all the pages that the service needs. @module
 */
import { basename } from "node:path";
import { z } from "zod";
import { CONSOLE_TEXTS_FILE } from "./console_texts.ts";
import {
  type ContentEntry,
  listFolder,
  type MarkdownFile,
  readMarkdown,
  textSchema,
} from "./files.ts";
import { readTexts, type Texts, TEXTS_FILE } from "./texts.ts";

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
  /** The self-service page, behind the link in a letter. */
  person: "place-person",
  /** The page that asks before the person leaves. */
  leaving: "place-leave",
  /** The page for an invalid link. */
  noPerson: "place-not-found",
  /** The page on which people ask for the link to the self-service page. */
  asking: "place",
  /** The page that follows after a person has asked for a link. */
  sent: "place-sent",
  /** The page that follows after a person has left. */
  left: "place-left",
};

/** The folder with the letters of a language. */
const LETTERS_FOLDER = "letters";

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
  /**
   * The path of the page as Markdown, such as `/developers.md`. For a page of the self-service, it is the page's own
   * path.
   */
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
export async function readLanguage(lang: string, folder: ContentEntry): Promise<Language> {
  const pages: SourcePage[] = [];
  let letters: SourceLetter[] = [];
  let texts: Texts | undefined;
  for (const [name, entry] of await listFolder(folder)) {
    if (name === TEXTS_FILE) texts = await readTexts(entry);
    else if (name === LETTERS_FOLDER) letters = await readLetters(entry);
    else if (name.endsWith(".md")) pages.push(await readPage(entry, lang));
    else if (!isConsoleTexts(name, entry)) {
      throw new Error(
        `${entry.label} is neither a page (.md), nor '${TEXTS_FILE}' or '${LETTERS_FOLDER}'`,
      );
    }
  }
  if (!texts) throw new Error(`${folder.label}/${TEXTS_FILE} is missing`);
  const requiredPages = findPages(PAGES, pages, folder);
  const { home } = requiredPages;
  return {
    ...requiredPages,
    lang,
    texts,
    letters,
    selfService: findPages(SELF_SERVICE_PAGES, pages, folder),
    pages: [home, ...pages.filter((page) => page !== home && page.path !== "")],
  };
}

/**
 * Whether an entry is the built-in file with the console's texts, which `console_texts.ts` reads. The overlay cannot
 * replace these texts, so such a file in the overlay is an error.
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
  const rolesWithPages = Object.entries<string>(names).map(([role, name]) => {
    const page = pages.find((page) => page.name === name);
    if (!page) throw new Error(`${folder.label}/${name}.md is missing`);
    return [role, page];
  });
  // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
  return Object.fromEntries(rolesWithPages) as Record<Role, SourcePage>;
}

async function readPage(entry: ContentEntry, lang: string): Promise<SourcePage> {
  const { person, leaving, noPerson } = SELF_SERVICE_PAGES;
  const namesWithoutPath = [PAGES.notFound, PAGES.refused, person, leaving, noPerson];
  const hasNoPath = namesWithoutPath.includes(basename(entry.path, ".md"));
  const page = await readMarkdown(entry, hasNoPath ? pageWithoutPathSchema : pageSchema);
  if (page.lang === lang) return page;
  throw new Error(`${page.label}: lang is '${page.lang}', but the file is in the folder '${lang}'`);
}
