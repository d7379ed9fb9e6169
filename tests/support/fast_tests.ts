/** The fast tests: all but those in `slow/`, in groups of folders whose tests share an isolate. @module */

/** The folder `tests/`. */
const ROOT = new URL("../", import.meta.url);

/**
 * The folders whose tests share an isolate, each with the folders below it that are in no other group. The groups that
 * take longest come first, so that all cores end at about the same time.
 */
export const GROUPS = [
  "server/store/",
  "server/operator/",
  "server/",
  "cli/",
  "server/console/",
  "",
];

const SLOW = "slow/";

/** Lists the fast test files of a folder and of those below it, relative to `tests/`. */
export function fastTestsIn(folder: string): string[] {
  const entries = [...Deno.readDirSync(new URL(folder, ROOT))];
  return entries.toSorted((a, b) => a.name < b.name ? -1 : 1).flatMap(({ name, isDirectory }) => {
    const path = folder + name;
    if (isDirectory) return path === SLOW.slice(0, -1) ? [] : fastTestsIn(`${path}/`);
    return name.endsWith("_test.ts") ? path : [];
  });
}

/** Finds the group of a test file. */
export const groupOf = (path: string): string =>
  GROUPS.filter((group) => path.startsWith(group)).toSorted((a, b) => b.length - a.length)[0]!;
