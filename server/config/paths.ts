/**
 * The folder of the embedded KV file. As a program, this module makes the folder and prints its path: `deno
 * task start` runs the service in that folder, so that its permission flags can name it as `.`. A path in a
 * flag would be split at its commas (Deno 2.9.6).
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { DEFAULT_KV_PATH } from "./mod.ts";
import { PROJECT } from "./values.ts";

/** The absolute path of a KV file; a relative path starts at the project, wherever the service runs. */
export function kvFile(path: string): string {
  return resolve(PROJECT, path);
}

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export function kvFolder(path: string): string {
  return dirname(kvFile(path));
}

/**
 * Makes the folder of a KV file, for its owner alone, where it is missing. An existing folder keeps its mode.
 *
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
  return folder;
}

if (import.meta.main) {
  const path = Deno.args[0] || DEFAULT_KV_PATH;
  // The task itself reports a folder that cannot be made: its shell does not stop where this command fails.
  await makeKvFolder(path).catch(() => {});
  console.log(kvFolder(path));
}
