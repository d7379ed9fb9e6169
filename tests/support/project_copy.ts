/** A copy of the project, for tests of what changes it or needs another account. @module */
import { join } from "node:path";
import { makeTestFolder, outputOf, PROJECT } from "./process.ts";

/** Copies the files that git knows, as they are now, into a folder of its own. */
export async function copyProject(): Promise<AsyncDisposable & { path: string }> {
  const folder = await makeTestFolder();
  const path = join(folder.path, "waitlist");
  await Deno.mkdir(path);
  const files = await outputOf(["git", "ls-files", "-z"], { cwd: PROJECT });
  const list = join(folder.path, "files");
  const present = await Promise.all(
    files.split("\0").filter(Boolean).map(async (file) => {
      return await Deno.lstat(join(PROJECT, file)).then(() => file, () => []);
    }),
  );
  await Deno.writeTextFile(list, present.flat().join("\0"));
  const copy = 'tar -C "$0" --null -T "$1" -cf - | tar -C "$2" -xf -';
  await outputOf(["sh", "-c", copy, PROJECT, list, path]);
  return { path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}
