/**
 * Files that only their owner can read. No other account can have made them before: where a folder is open to others,
 * they could wait with a file of their own, or with a link that leads to another file.
 *
 * @module
 */
import { constants, type FileHandle, lstat, open, rm } from "node:fs/promises";
import process from "node:process";

/** What holds addresses or keys is for its owner alone; SQLite gives the files beside a file the same mode. */
export const PRIVATE_FILE = 0o600, PRIVATE_FOLDER = 0o700;

/** Windows has no such flag, and tells nothing by the mode of a file. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
export const HAS_MODES = process.platform !== "win32";

/** Creates a file to write to; what has its name, such as a link, is removed first. @throws where it comes back */
export async function createFile(path: string, mode = PRIVATE_FILE): Promise<FileHandle> {
  await rm(path, { force: true });
  // Exclusive: it fails where the name is taken, also by a link.
  return await open(path, "wx", mode);
}

/** Opens a file that may be there already, and makes an empty one where it is not. @throws where the name is a link's */
export async function openOrCreateFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", PRIVATE_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (!(await lstat(path)).isFile()) {
    throw new Error(`'${path}' is a link or no file, and the program writes there; remove it`);
  }
  return await open(path, constants.O_RDWR | NO_LINK);
}

/** Opens a file that this account has made for itself alone, to go on with it; `undefined` where it is none. */
export async function openOwnFile(path: string): Promise<FileHandle | undefined> {
  if (!await lstat(path).then((info) => info.isFile(), () => false)) return undefined;
  const file = await open(path, constants.O_RDWR | NO_LINK);
  const { uid, mode, nlink } = await file.stat();
  const isPrivate = !HAS_MODES || (mode & 0o077) === 0;
  // A second name would be one that another account has given the file.
  if (isPrivate && nlink === 1 && uid === await ownerOfNewFiles(path)) return file;
  await file.close();
  return undefined;
}

/** Deno gives the account of the process only with a permission of its own. */
async function ownerOfNewFiles(path: string): Promise<number> {
  const probe = `${path}.owner`;
  const file = await createFile(probe);
  try {
    return (await file.stat()).uid;
  } finally {
    await file.close();
    await rm(probe, { force: true });
  }
}
