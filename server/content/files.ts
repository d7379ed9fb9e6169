/**
 * Reads files of `content/` and of the folder that lies over it: lists both as one, and holds YAML and front
 * matter against a schema. Every error names the file.
 *
 * @module
 */
import { sep } from "node:path";
// Not `yaml`, which asks for environment variables that the service is not permitted to read.
import { load } from "js-yaml";
import { z } from "zod";
import { fromProject } from "../config/mod.ts";
import { describeUnknownKeys } from "./unknown_keys.ts";

/** A text that is not empty. */
export const textSchema = z.string().trim().min(1, "must not be empty");

/** A file or a folder. */
export interface ContentEntry {
  url: URL;
  /** The path for messages, such as `content/en/privacy.md`. */
  label: string;
  /** The real path of the folder of content that it belongs to. */
  root: string;
}

/**
 * Lists what some folders hold, by name and in order. A name has its entries from the lowest folder up: the last
 * one counts where it is a file, and all of them together where it is a folder.
 */
export async function listFolders(folders: ContentEntry[]): Promise<Map<string, ContentEntry[]>> {
  const entries: [name: string, entry: ContentEntry][] = [];
  for (const { url, label, root } of folders) {
    try {
      for await (const { name } of Deno.readDir(url)) {
        // Editors and file managers create files such as `.DS_Store`.
        if (name.startsWith(".")) continue;
        const inside = `${url.href.replace(/\/?$/, "/")}${encodeURIComponent(name)}`;
        entries.push([name, { url: new URL(inside), label: `${label}/${name}`, root }]);
      }
    } catch (error) {
      throw new Error(`${label} cannot be read as a folder: ${(error as Error).message}`);
    }
  }
  entries.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  const byName = Map.groupBy(entries, ([name]) => name);
  return new Map(Array.from(byName, ([name, all]) => [name, all.map(([, entry]) => entry)]));
}

/**
 * Reads the file that counts: the one of the uppermost folder. Only a regular file inside of its folder of content
 * is read: a link out of it would publish any file of the machine, and the reading of a pipe would not end.
 */
export async function readBytesOf(entries: ContentEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const { url, label, root } = uppermost(entries);
  try {
    const { isFile } = await Deno.stat(url);
    if (!isFile) throw new Error("it is no regular file; remove it");
    const path = await Deno.realPath(url);
    if (!path.startsWith(root + sep)) {
      throw new Error(`it is a link to ${path}, outside of ${root}; copy the file into the folder`);
    }
    return await Deno.readFile(url);
  } catch (error) {
    throw new Error(`${label} cannot be read as a file: ${(error as Error).message}`);
  }
}

/** Reads the text that counts, with the path of its file; its lines end with a line feed. */
export async function readTextOf(entries: ContentEntry[]): Promise<{ file: string; text: string }> {
  const file = uppermost(entries).label;
  const bytes = await readBytesOf(entries);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { file, text: text.replaceAll("\r\n", "\n") };
  } catch {
    throw new Error(`${file} is not UTF-8 text; save it as UTF-8`);
  }
}

/** Gives the entry that counts for a file. */
export function uppermost(entries: ContentEntry[]): ContentEntry {
  const entry = entries.at(-1);
  if (!entry) throw new Error("A name without an entry was read");
  return entry;
}

/** Returns the name of a Markdown file without its folders and its extension. */
export function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1, -".md".length);
}

/** Parses a Markdown file that begins with front matter between two lines of `---`. */
export function parseFrontMatter<T extends z.ZodType>(
  file: string,
  text: string,
  schema: T,
): { front: z.infer<T>; body: string } {
  const [, yaml, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (yaml === undefined || body === undefined) {
    throw new Error(`${file} does not begin with front matter between two lines of ---`);
  }
  return { front: checkValue(file, parseYaml(file, yaml), schema), body };
}

/** Parses the YAML of a file. One that is empty, or has comments alone, sets nothing. */
export function parseYaml(file: string, yaml: string): unknown {
  if (!/^\s*[^#\s]/m.test(yaml)) return {};
  try {
    return load(yaml);
  } catch (error) {
    throw new Error(`${file} is not valid YAML: ${(error as Error).message}`);
  }
}

/** Holds the value of a file against a schema; the error names all faults. */
export function checkValue<T extends z.ZodType>(
  file: string,
  value: unknown,
  schema: T,
): z.infer<T> {
  const result = schema.safeParse(value, { error: describeFault });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const { path } = issue;
    const message = issue.code === "unrecognized_keys"
      ? describeUnknownKeys(issue.keys, { schema, path })
      : issue.message;
    return path.length > 0 ? `${path.join(".")}: ${message}` : message;
  });
  throw new Error(`${file}: ${faults.join("; ")}`);
}

/** What writers call the types of YAML's values. */
const TYPE_NAMES: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
};

/** Says what a value must be, and quotes it, where a schema has no words of its own for that. */
function describeFault(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  if (input === undefined) return "is missing";
  if (issue.code === "too_small" && input === "") return "must not be empty";
  const wanted = issue.code === "invalid_type"
    ? TYPE_NAMES[issue.expected]
    : issue.code === "invalid_value"
    ? issue.values.join(" or ")
    : undefined;
  if (wanted === undefined) return undefined;
  return `must be ${wanted}, ${input === null ? "and is empty" : `not ${JSON.stringify(input)}`}`;
}

/** Throws an Error that names `CONTENT_PATH` where a folder of content cannot be read. */
export async function checkContentFolder(path: string): Promise<void> {
  const example =
    "Give the folder with your brand.yaml, texts and pictures, such as /srv/waitlist-content";
  const { isDirectory } = await Deno.stat(fromProject(path)).catch((error: Error) => {
    throw new Error(
      `CONTENT_PATH is '${path}', which cannot be read: ${error.message}. ${example}`,
    );
  });
  if (!isDirectory) throw new Error(`CONTENT_PATH is '${path}', which is no folder. ${example}`);
}
