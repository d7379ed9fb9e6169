/**
 * Where the embedded KV file is. Run as a program it prints the file's folder: `deno task start` runs
 * the service there, so that its permission flags can say `.`; Deno 2.9.6 splits a path at its commas.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { DEFAULT_KV_PATH } from "../config.ts";

const PROJECT = resolve(import.meta.dirname ?? ".", "../..");

/** The absolute path of a KV file; a relative one starts at the project, wherever the service runs. */
export function kvFile(path: string): string {
  return resolve(PROJECT, path);
}

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export function kvFolder(path: string): string {
  return dirname(kvFile(path));
}

if (import.meta.main) console.log(kvFolder(Deno.args[0] || DEFAULT_KV_PATH));
