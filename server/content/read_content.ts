/** Reads `content/` and the folder that lies over it: languages, assets and the brand. @module */
import { realpath, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import contract from "../../shared/generated/public.json" with { type: "json" };
import { fromProject } from "../config/mod.ts";
import { type Brand, BRAND_FILE, filesOf, readBrand } from "./brand.ts";
import { type ContentEntry, type ContentFile, listFolder, readFile } from "./files.ts";
import { checkPaths, type Language, readLanguage } from "./read_language.ts";

const ASSETS = "assets";

/** What tells writers how to use the folder; it is not served. */
const FOR_WRITERS = ["README.md", "README.png"];

/** The languages that a sign-up can have: the forms of another one would always be refused. */
const { enum: LANGUAGES } = contract.components.schemas.WaitlistSignup.properties.lang;

export interface Content {
  /** The languages; the first is the one whose home page is `/`. */
  languages: Language[];
  assets: ContentFile[];
  brand: Brand;
}

/**
 * @param over `CONTENT_PATH`: the files of this folder are added, or take the place of those of the same path
 * @throws an Error that names a file and what is wrong with it
 */
export async function readContent(folder: URL, over?: string): Promise<Content> {
  const path = fileURLToPath(folder);
  const builtIn = { path, label: "content", root: await realpath(path) };
  const beside = await listFolder(over === undefined ? builtIn : await openFolder(over, builtIn));
  const brand = await readBrand(beside);
  const known = [...FOR_WRITERS, BRAND_FILE, ...filesOf(brand).map(({ name }) => name)];
  const languages: Language[] = [];
  const assets: ContentFile[] = [];
  for (const [name, entry] of beside) {
    if (known.includes(name)) continue;
    if (name === ASSETS) {
      for (const file of (await listFolder(entry)).values()) assets.push(await readFile(file));
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
  return { languages, assets, brand };
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
