import { PRIVATE_FILE } from "./kv_file.ts";

/** How long a free lock may take to be granted, in milliseconds; a taken one is not granted at all. */
const GRANT_MS = 1_000;

/** That another process has the file, which the message names; what to do about it differs. */
export class FileInUse extends Error {}

/** A lock that is held. */
export interface FileLock extends Disposable {
  /** Gives it back, and leaves no file of it behind: for where there is nothing to lock after all. */
  remove: () => Promise<void>;
}

/**
 * Locks an embedded KV file until what is returned is disposed of or the process ends, however it
 * ends. SQLite itself would let a second process in, and fail its commits with "database is locked".
 *
 * The lock is one on the file `<path>.lock`, which holds the owner's process id. `tryLock` would say at
 * once whether it is free, but Deno 2.5 has only `lock`, which waits.
 *
 * @throws {FileInUse} naming the owner, where another process has the file
 */
export async function lockFile(path: string): Promise<FileLock> {
  const options = { create: true, read: true, write: true, mode: PRIVATE_FILE };
  const file = await Deno.open(`${path}.lock`, options);
  const granted = file.lock(true).then(() => true, () => false);
  const { promise: refused, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), GRANT_MS);
  if (!await Promise.race([granted, refused])) {
    const owner = (await Deno.readTextFile(`${path}.lock`)).trim();
    file.close();
    throw new FileInUse(`The KV file '${path}' is in use by process ${owner}`);
  }
  clearTimeout(timer);
  await file.truncate();
  await file.write(new TextEncoder().encode(String(Deno.pid)));
  const dispose = () => file.close();
  return {
    async remove() {
      await Deno.remove(`${path}.lock`).catch(() => {});
      dispose();
    },
    [Symbol.dispose]: dispose,
  };
}
