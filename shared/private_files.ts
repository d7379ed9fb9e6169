/**
 * Creates and opens files that only their owner can read. In a folder that is open to all, such as `/tmp`, another
 * account can put its own file or link under a name that this program uses. No function here opens a link, and only
 * `openOrCreateFile()` opens a file of another account.
 *
 * @module
 */
import { constants, type FileHandle, lstat, open, rm } from "node:fs/promises";
import process from "node:process";

/**
 * The mode of a file with addresses or keys: only the owner may read it. SQLite gives the files that it makes beside the
 * KV file the same mode.
 */
export const PRIVATE_FILE_MODE = 0o600;

/** The mode of a folder that only its owner may open. */
export const PRIVATE_FOLDER_MODE = 0o700;

/** The flag by which `open()` refuses a link. Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** Whether files have a mode that says who may read them. Files on Windows have no such mode. */
export const HAS_MODES = process.platform !== "win32";

/**
 * Creates a file and opens it for writing. An existing file or link with the same name is removed first.
 *
 * @throws if another program creates a file with this name at the same time
 */
export async function createFile(path: string, mode = PRIVATE_FILE_MODE): Promise<FileHandle> {
  await rm(path, { force: true });
  // The flag `x` makes `open()` fail if the name exists, even as a link.
  return await open(path, "wx", mode);
}

/**
 * Opens a file for reading and writing, and creates it if it does not exist.
 *
 * @throws if the name belongs to a link or to a folder
 */
export async function openOrCreateFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", PRIVATE_FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (!(await lstat(path)).isFile()) {
    throw new Error(
      `'${path}' is a link or a folder, but the program must write a file there; remove it`,
    );
  }
  return await open(path, constants.O_RDWR | NO_LINK);
}

/**
 * Opens, for reading and writing, a file that belongs to this account and that no other account can read; `undefined` if
 * there is no such file.
 */
export async function openOwnFile(path: string): Promise<FileHandle | undefined> {
  if (!await lstat(path).then((stats) => stats.isFile(), () => false)) return undefined;
  const owner = await ownerOfNewFiles(path);
  const file = await open(path, constants.O_RDWR | NO_LINK);
  const { uid, mode, nlink } = await file.stat();
  const isPrivate = !HAS_MODES || (mode & 0o077) === 0;
  // A file with more than one name is refused, because another account may have made the second name (a hard link).
  if (uid === owner && isPrivate && nlink === 1) return file;
  await file.close();
  return undefined;
}

/**
 * Returns the id of the account that runs this process, which is the owner of every file that the process creates.
 * Deno's own call for this id would need one more permission.
 */
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
