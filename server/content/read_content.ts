/**
 * Reads `content/` and the overlay: the languages, the assets and the brand. `read_language.ts` reads the folder of a
 * language. @module
 */
import { realpath, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import contract from "../../shared/generated/public.json" with { type: "json" };
import { fromProject } from "../config/mod.ts";
import { type Brand, BRAND_FILE, pageFilesOf, readBrand } from "./brand.ts";
import { type ContentEntry, type ContentFile, listFolder, readContentFile } from "./files.ts";
import { type Language, readLanguage, type SourcePage } from "./read_language.ts";

/** The folder with style sheets, scripts and pictures. */
const ASSETS_FOLDER = "assets";

/** Files for the people who write the texts. The service does not serve these files. */
const FILES_FOR_WRITERS = ["README.md", "README.png", "person.png"];

/** The languages of sign-ups. The API would refuse a form with any other language. */
const { enum: LANGUAGES } = contract.components.schemas.WaitlistSignup.properties.lang;

/** The paths that no page may have. `/index/` is one of them because `/index.md` is the Markdown of the home page. */
const RESERVED_PATH = /^\/(?:api|sandbox|operator|assets|\.well-known)\/|\/index\/$/;

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

/** The content of the folder `content/` and the overlay. */
export interface Content {
  /** The languages. The first language is the language whose home page is `/`. */
  languages: Language[];
  /** The files of `assets/`. A file of the overlay replaces the built-in file of the same name. */
  assets: ContentFile[];
  /** The built-in scripts, including scripts that the overlay replaces. */
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
  const namesToSkip = [...FILES_FOR_WRITERS, BRAND_FILE, ...brandFiles.map(({ name }) => name)];
  const languages: Language[] = [];
  let assets: Pick<Content, "assets" | "scripts"> = { assets: [], scripts: [] };
  for (const [name, entry] of entries) {
    if (namesToSkip.includes(name)) continue;
    if (name === ASSETS_FOLDER) assets = await readAssets(entry, builtIn);
    else if (/^[a-z]{2}$/.test(name)) {
      checkLanguage(name, entry);
      languages.push(await readLanguage(name, entry));
    } else {
      throw new Error(
        `${entry.label} is neither '${ASSETS_FOLDER}' nor the folder of a language, such as 'en', ` +
          `nor '${BRAND_FILE}' or a file that it names`,
      );
    }
  }
  checkPaths(languages.flatMap((language) => language.pages));
  return { languages: sortLanguages(languages), ...assets, brand };
}

/** Puts the language whose home page is `/` first. @throws an Error if there is no such language */
function sortLanguages(languages: Language[]): Language[] {
  const sorted = languages.toSorted((a, b) => a.home.path.length - b.home.path.length);
  if (sorted[0]?.home.path === "/") return sorted;
  const files = sorted.map(({ home }) => home.label).join(" or ");
  throw new Error(`${files} must have the path '/'`);
}

/**
 * Checks the paths of all pages.
 * @throws an Error that names a file with a wrong path: a path that no page may have, the path of another page, or a
 * path that differs from {@linkcode FIXED_PATHS}
 */
function checkPaths(pages: SourcePage[]): void {
  const labels = new Map<string, string>();
  for (const { path, label, lang, name } of pages) {
    const fixedPath = FIXED_PATHS[`${lang}/${name}`] ?? path;
    if (path !== fixedPath) {
      throw new Error(`${label}: the path must be ${fixedPath}, as forms lead there`);
    }
    if (RESERVED_PATH.test(path)) {
      throw new Error(`${label}: the service uses the path ${path} itself`);
    }
    const labelOfOther = labels.get(path);
    if (labelOfOther) throw new Error(`${label}: ${labelOfOther} has the path ${path} too`);
    labels.set(path, label);
  }
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
  const toError = (reason: string) =>
    new Error(
      `CONTENT_PATH is '${contentPath}', ${reason}. ` +
        "Give the folder with your brand.yaml, texts and pictures, such as /srv/waitlist-content",
    );
  const path = fromProject(contentPath);
  const stats = await stat(path).catch(({ message }: Error) => {
    throw toError(`which cannot be read, because of the error '${message}'`);
  });
  if (!stats.isDirectory()) throw toError("which is not a folder");
  return { path, label: contentPath.replace(/\/+$/, ""), root: await realpath(path), under };
}
