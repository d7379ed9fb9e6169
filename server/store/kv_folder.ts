/**
 * Prints the folder of the embedded KV file, for `deno task start` to name in its permissions: the
 * file can be anywhere, and SQLite puts others beside it.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { DEFAULT_KV_PATH } from "../config.ts";

/** The absolute folder of a KV file, for a permission flag, where a comma is written twice. */
export function kvFolder(path: string): string {
  return dirname(resolve(path)).replaceAll(",", ",,");
}

if (import.meta.main) console.log(kvFolder(Deno.args[0] || DEFAULT_KV_PATH));
