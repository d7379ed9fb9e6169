/** The folders in which `.ci/install_generators` installs generators and libraries. @module */
import { join } from "node:path";

const CACHE = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "", ".cache");

/** The folder of all of them. */
export const INSTALLED = join(CACHE, "waitlist/generators");

/** Whether everything is installed in a folder of {@linkcode INSTALLED}. */
export function isInstalled(folder: string): boolean {
  try {
    return Deno.statSync(join(folder, "installed")).isFile;
  } catch {
    return false;
  }
}
