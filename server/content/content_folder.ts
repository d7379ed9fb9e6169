/**
 * The folder of `CONTENT_PATH`. As a program, this module prints the folders of content that the service may
 * read, as a permission flag has them, for the task `start`.
 *
 * @module
 */
import { resolve } from "node:path";
import { PROJECT } from "../config/values.ts";

/** The absolute path of a folder of content; a relative path starts at the project, wherever the service runs. */
export function contentFolder(path: string): string {
  return resolve(PROJECT, path);
}

/** Throws an Error that names `CONTENT_PATH` where a folder of content cannot be read. */
export async function checkContentFolder(path: string): Promise<void> {
  const example =
    "Give the folder with your brand.yaml, texts and pictures, such as /srv/waitlist-content";
  const { isDirectory } = await Deno.stat(contentFolder(path)).catch((error: Error) => {
    throw new Error(
      `CONTENT_PATH is '${path}', which cannot be read: ${error.message}. ${example}`,
    );
  });
  if (!isDirectory) throw new Error(`CONTENT_PATH is '${path}', which is no folder. ${example}`);
}

if (import.meta.main) {
  const folders = ["content", ...Deno.args.filter((path) => path !== "")];
  console.log(folders.map(contentFolder).join(","));
}
