/**
 * Loads the tests of a folder into one isolate, so that they share what takes longer than most of them: to load the
 * service, to build its pages and to compile the contract's schemas. `deno task test` runs each folder that has an
 * `all.ts`; a single file runs alone as well. @module
 */

/** Loads every test file of the folder of `url` and of those below, unless they have an `all.ts` of their own. */
export async function loadTests(url: string): Promise<void> {
  const folders: string[] = [];
  for (const { name, isDirectory } of entriesOf(url)) {
    if (isDirectory && name !== "slow") folders.push(new URL(`${name}/all.ts`, url).href);
    else if (name.endsWith("_test.ts")) await import(new URL(name, url).href);
  }
  for (const folder of folders) {
    if (!entriesOf(folder).some(({ name }) => name === "all.ts")) await loadTests(folder);
  }
}

function entriesOf(url: string): Deno.DirEntry[] {
  return [...Deno.readDirSync(new URL(".", url))].toSorted((a, b) => a.name < b.name ? -1 : 1);
}
