/**
 * Makes the folders of the service, and finds files and folders to which other accounts of the machine have too many
 * rights. @module
 */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { HAS_MODES, PRIVATE_FOLDER_MODE } from "../../shared/private_files.ts";
import type { Config } from "./config.ts";
import { fromProject, kvFolder } from "./paths.ts";

// Bits of the access rights (the mode) of a file or folder, as in chmod(2).
const STICKY = 0o1000;
const GROUP_WRITE = 0o020;
const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;

/**
 * Gives the access rights (the mode) of a file or folder. The mode of a file or folder that does not exist is 0, as if
 * nobody had any rights. On a system without modes, it is always 0.
 */
const modeOf = (path: string): Promise<number> =>
  HAS_MODES ? stat(path).then(({ mode }) => mode, () => 0) : Promise.resolve(0);

/**
 * Checks a folder that a variable names.
 * @throws an Error that names the variable and the folder, if every account of the machine may replace files in it
 */
export async function refuseOpenFolder(variable: string, folder: string): Promise<void> {
  const mode = await modeOf(folder);
  if (!(mode & OTHERS_WRITE) || mode & STICKY) return;
  throw new Error(
    `${variable} needs the folder '${folder}', to which every account of this machine may write, so other ` +
      `accounts could replace the files in it; run chmod o-w '${folder}', or give another folder`,
  );
}

/**
 * Makes the folder that a variable names, if the folder is missing. Only the owner of a new folder may open it.
 *
 * @param variable the name of the variable, for error messages
 * @returns the path of the folder without symbolic links
 * @throws an Error that names the variable and the folder, if the folder cannot be made or every account may write to
 * it
 */
export async function makeFolder(
  variable: "KV_PATH" | "BACKUP_URL",
  folder: string,
): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `${variable} needs the folder '${folder}', which cannot be made, because of the error ` +
        `'${message}'; give a folder that the service may write to`,
    );
  }
  await refuseOpenFolder(variable, folder);
  return await realpath(folder);
}

/** The settings that name files and folders of the service. */
type FileSettings = Pick<Config, "kv" | "backup" | "mail" | "secretFiles">;

/** An open file or folder: other accounts of the machine have too many rights to it. */
export interface OpenPath {
  path: string;
  /** What is wrong, and what the operator should do about it. */
  advice: string;
}

/**
 * Finds the open files and folders: folders of the service that other accounts may write to, and secret files and KV
 * files that every account may read or change.
 */
export async function findOpenPaths(settings: FileSettings): Promise<OpenPath[]> {
  const openFolders = await findPathsWithRight(foldersOf(settings), GROUP_WRITE | OTHERS_WRITE);
  const openFiles = await findPathsWithRight(filesOf(settings), OTHERS_READ | OTHERS_WRITE);
  return [
    ...openFolders.map((path) => ({
      path,
      advice:
        "Other accounts may write to this folder of the service, and could put files there; give the service a " +
        `folder of its own, or remove the write permission of other accounts with chmod go-w '${path}'`,
    })),
    ...openFiles.map((path) => ({
      path,
      advice:
        "Every account of this machine may read or change this file, which holds secrets; remove these permissions " +
        `with chmod o= '${path}'`,
    })),
  ];
}

/** Gives the folders of the KV file, of letters and of backups. Each folder is given only once. */
function foldersOf({ kv, backup, mail }: FileSettings): Set<string> {
  const folders = new Set<string>();
  if (kv.kind === "file") {
    const folder = kvFolder(kv.path);
    folders.add(folder);
    if (mail?.target.kind === "folder") folders.add(join(folder, mail.target.name));
  }
  if (backup?.location.kind === "folder") folders.add(backup.location.path);
  return folders;
}

/** Gives the secret files and the KV file. */
function filesOf({ kv, secretFiles }: FileSettings): string[] {
  const files = kv.kind === "file" ? [...secretFiles, kv.path] : secretFiles;
  return files.map(fromProject);
}

/** Finds the files or folders whose mode has at least one of the bits `rights`. */
async function findPathsWithRight(paths: Iterable<string>, rights: number): Promise<string[]> {
  const pathsWithRight: string[] = [];
  for (const path of paths) {
    if (await modeOf(path) & rights) pathsWithRight.push(path);
  }
  return pathsWithRight;
}
