/**
 * Where the embedded KV file is. Run as a program it makes the file's folder and prints it: `deno task
 * start` runs the service there, so that its permission flags can say `.`; Deno 2.9.6 splits a path at its
 * commas.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { DEFAULT_KV_PATH } from "../config.ts";
import { PROJECT } from "../config_values.ts";

/** The absolute path of a KV file; a relative one starts at the project, wherever the service runs. */
export function kvFile(path: string): string {
  return resolve(PROJECT, path);
}

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export function kvFolder(path: string): string {
  return dirname(kvFile(path));
}

/**
 * Makes the folder of a KV file, for its owner alone, where it is missing; one that is there keeps its mode.
 *
 * @throws {Error} naming `KV_PATH` and its value, where there can be no such folder
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
  // Where it cannot be made, the task says so: its shell ends at a command that fails, but not at this one.
  await makeKvFolder(path).catch(() => {});
  console.log(kvFolder(path));
}
