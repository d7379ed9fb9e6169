/**
 * The files and folders that the configuration names.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { PROJECT } from "./values.ts";

/** The absolute path of a file or folder; a relative path starts at the project, wherever the service runs. */
export function fromProject(path: string): string {
  return resolve(PROJECT, path);
}

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export function kvFolder(path: string): string {
  return dirname(fromProject(path));
}

/**
 * Makes the folder of a KV file, for its owner alone, where it is missing. An existing folder keeps its mode.
 *
 * @returns the folder's own path, where the one that was given leads over links
 * @throws {Error} naming `KV_PATH` and its value, where the folder cannot be made
 */
export async function makeKvFolder(path: string): Promise<string> {
  const folder = kvFolder(path);
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `KV_PATH is '${path}', whose folder cannot be made: ${message}; give a file in a folder that the ` +
        "service may write to",
    );
  }
  return await Deno.realPath(folder);
}
