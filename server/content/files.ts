/**
 * Reads and checks the files of `content/` and of the overlay. Each fault of a file is a `ConfigError` that names the
 * file. @module
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
// The package `yaml` cannot be used here: it reads environment variables, for which the service has no permission.
import { load } from "js-yaml";
import { z } from "zod";
import { ConfigError } from "../config/mod.ts";

/** A text that is not empty, without the white space around it. */
export const textSchema = z.string().trim().min(1, "must not be empty");

/** A file or a folder of `content/` or of the overlay. */
export interface ContentEntry {
  path: string;
  /** The path in messages, such as `content/en/privacy.md`. */
  label: string;
  /** The real path (without links) of `content/` or of the overlay. */
  root: string;
  /**
   * The built-in entry with the same path, if this entry belongs to the overlay. A file of the overlay replaces the
   * built-in file. A folder of the overlay adds its entries to the entries of the built-in folder.
   */
  under?: ContentEntry | undefined;
}

/**
 * Lists the entries of a folder, sorted by name. For a folder of the overlay, the list also has the entries of the
 * built-in folder with the same path. Hidden files are left out.
 */
export async function listFolder(folder: ContentEntry): Promise<Map<string, ContentEntry>> {
  const { path, label, root, under } = folder;
  const entries: Map<string, ContentEntry> = under ? await listFolder(under) : new Map();
  try {
    for (const name of await readdir(path)) {
      // Editors and file managers create hidden files, such as `.DS_Store`.
      if (name.startsWith(".")) continue;
      const entry = { path: join(path, name), label: `${label}/${name}`, root };
      entries.set(name, { ...entry, under: entries.get(name) });
    }
  } catch (error) {
    throw new ConfigError(`${label} cannot be read as a folder: ${(error as Error).message}`);
  }
  return new Map([...entries].sort(([a], [b]) => a < b ? -1 : 1));
}

/** A file with its content. */
export interface ContentFile {
  /** The name of the file, without the folder. */
  name: string;
  /** The path in messages, such as `content/assets/site.css`. */
  label: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a regular file. A symbolic link that leads out of the folder is refused, because the link could publish any
 * file of the machine. A pipe is refused as well, because reading it would not end.
 */
export async function readContentFile({ path, label, root }: ContentEntry): Promise<ContentFile> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error("it is not a regular file; remove it");
    const pathWithoutLinks = await realpath(path);
    if (!pathWithoutLinks.startsWith(root + sep)) {
      throw new Error(
        `it is a link to ${pathWithoutLinks}, outside of ${root}; copy the file into the folder`,
      );
    }
    return { name: basename(path), label, bytes: new Uint8Array(await readFile(path)) };
  } catch (error) {
    throw new ConfigError(`${label} cannot be read as a file: ${(error as Error).message}`);
  }
}

/** Reads a text file in UTF-8. A CR LF at the end of a line becomes a line feed. */
async function readTextFile(entry: ContentEntry): Promise<string> {
  const { label, bytes } = await readContentFile(entry);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    throw new ConfigError(`${label} is not UTF-8 text; save it as UTF-8`);
  }
}

/** A Markdown file that begins with front matter, which is YAML. */
export interface MarkdownFile {
  /** The path in messages, such as `content/en/privacy.md`. */
  label: string;
  /** The file name without its extension. Files of the same name in two languages are translations of each other. */
  name: string;
  /** The Markdown below the front matter. */
  body: string;
}

/** Reads a Markdown file and checks its front matter. @throws {ConfigError} with all faults of the front matter */
export async function readMarkdown<T extends z.ZodObject>(entry: ContentEntry, schema: T) {
  const { label, path } = entry;
  const [, yaml, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(await readTextFile(entry)) ?? [];
  if (yaml === undefined || body === undefined) {
    throw new ConfigError(`${label} does not begin with front matter between two lines of ---`);
  }
  const frontMatter = checkValue(label, parseYaml(label, yaml), schema);
  return { ...frontMatter, label, name: basename(path, ".md"), body };
}

/** Reads a YAML file. @throws {ConfigError} if the file cannot be read, or is not valid YAML */
export async function readYaml(entry: ContentEntry): Promise<unknown> {
  return parseYaml(entry.label, await readTextFile(entry));
}

/** Parses YAML. Returns an object without members for a text that is empty or has only comments. */
function parseYaml(label: string, yaml: string): unknown {
  if (!/^\s*[^#\s]/m.test(yaml)) return {};
  try {
    return load(yaml);
  } catch (error) {
    throw new ConfigError(`${label} is not valid YAML: ${(error as Error).message}`);
  }
}

/** Checks a value by a schema, and returns the schema's result. @throws {ConfigError} with all faults of the value */
export function checkValue<T extends z.ZodType>(label: string, value: unknown, schema: T) {
  const result = schema.safeParse(value, { error: describeFault });
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message
  );
  throw new ConfigError(`${label}: ${faults.join("; ")}`);
}

/**
 * Turns a plain `Error`, which is a fault of the content, into a `ConfigError`. Returns any other error unchanged: it
 * is already a `ConfigError`, or it is a bug, such as a `TypeError`.
 *
 * @param before the text to put before the message of the error
 */
export function toConfigError(error: unknown, before = ""): unknown {
  const { constructor, message } = error as Error;
  return constructor === Error ? new ConfigError(before + message) : error;
}

/** Turns a plain `Error` about the content of a file into a `ConfigError` that names the file. */
export const toFileError = (label: string, error: unknown): unknown =>
  toConfigError(error, `${label}: `);

/** The types of values in YAML, in words for the people who write the content. */
const TYPE_NAMES: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
};

/** Says what is wrong with a value. Returns `undefined` if the schema has a message for the fault. */
function describeFault(issue: z.core.$ZodRawIssue): string | undefined {
  const { input, inst } = issue;
  if (input === undefined) return "is missing";
  if (issue.code === "unrecognized_keys" && inst instanceof z.ZodObject) {
    const knownKeys = Object.keys(inst.shape);
    const unknownKeys = issue.keys.map((key) => `'${key}'`);
    return `there is no key ${unknownKeys.join(", and none ")} (the keys are ${
      knownKeys.join(", ")
    })`;
  }
  const expected = describeExpected(issue);
  if (expected === undefined) return undefined;
  return `must be ${expected}, ${input === null ? "and is empty" : `not ${JSON.stringify(input)}`}`;
}

/**
 * Says what a value must be, such as "a list"; `undefined` if neither the type nor the choice of the value is at fault.
 */
function describeExpected(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return TYPE_NAMES[issue.expected];
  if (issue.code === "invalid_value") return issue.values.join(" or ");
  return undefined;
}
