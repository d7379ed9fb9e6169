/**
 * Reads `content/`: a folder for each language, with its pages and texts, and `assets/`. A fault in a file
 * stops the start with a message that names the file and the fault.
 *
 * @module
 */
// Not `yaml`, which asks for environment variables that the service is not permitted to read.
import { load as parseYaml } from "js-yaml";
import { z } from "zod";
import { type Texts, textsSchema } from "./texts.ts";

/** The file names, without extension, of the page for unknown paths and of the home page. */
export const NOT_FOUND = "not-found", HOME = "index";

const ASSETS = "assets";

/** What tells writers how to use the folder, and its picture; neither is served. */
const FOR_WRITERS = ["README.md", "README.png"];

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

/** The pages and texts of a language. */
export interface Language {
  lang: string;
  texts: Texts;
  home: SourcePage;
  notFound: SourcePage;
  /** All pages except the one for unknown paths; the home page is the first. */
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
    texts: read(`${label}/texts.yaml`, yaml, textsSchema),
    home,
    notFound,
    pages: [home, ...pages.filter((page) => page !== home && page !== notFound)],
  };
}

/** Parses a page's file: front matter between two lines of `---`, then Markdown. */
export function parsePage(file: string, text: string, lang: string): SourcePage {
  const [, yaml, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (yaml === undefined || body === undefined) {
    throw new Error(`${file} does not begin with front matter between two lines of ---`);
  }
  const name = file.slice(file.lastIndexOf("/") + 1, -".md".length);
  // The page for unknown paths has no path, and its front matter must not have one.
  const schema = name === NOT_FOUND
    ? frontMatterSchema.extend({ path: z.undefined().optional().transform(() => "") })
    : frontMatterSchema;
  const front = read(file, yaml, schema);
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

function read<T extends z.ZodType>(file: string, yaml: string, schema: T): z.infer<T> {
  let value: unknown;
  try {
    value = parseYaml(yaml);
  } catch (error) {
    throw new Error(`${file} is not valid YAML: ${(error as Error).message}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message
  );
  throw new Error(`${file}: ${faults.join("; ")}`);
}

async function namesIn(folder: URL): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    // Editors and file managers create files such as `.DS_Store`.
    if (!name.startsWith(".")) names.push(name);
  }
  return names.sort();
}
