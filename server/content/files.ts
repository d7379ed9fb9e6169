/**
 * Reads files of `content/`: lists a folder, and holds YAML and front matter against a schema. Every error
 * names the file.
 *
 * @module
 */
// Not `yaml`, which asks for environment variables that the service is not permitted to read.
import { load as parseYaml } from "js-yaml";
import type { z } from "zod";

/** Lists the names in a folder, in order. */
export async function namesIn(folder: URL): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    // Editors and file managers create files such as `.DS_Store`.
    if (!name.startsWith(".")) names.push(name);
  }
  return names.sort();
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
  return { front: parseYamlFile(file, yaml, schema), body };
}

/** Parses the YAML of a file. */
export function parseYamlFile<T extends z.ZodType>(
  file: string,
  yaml: string,
  schema: T,
): z.infer<T> {
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
