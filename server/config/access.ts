/**
 * Makes the folders of the service, and finds files and folders to which other accounts of the machine have too many
 * rights. @module
 */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { HAS_MODES, PRIVATE_FOLDER_MODE } from "../../shared/private_files.ts";
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
    `${variable} needs the folder '${folder}', to which every account of this machine may write, so another one ` +
      `could replace the files in it; take that right away (chmod o-w '${folder}'), or give another folder`,
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
      `${variable} needs the folder '${folder}', which cannot be made: ${message}; ` +
        "give one that the service may write to",
    );
  }
  await refuseOpenFolder(variable, folder);
  return await realpath(folder);
}

/** The members of a configuration that name files and folders; `mail.target.name` is a folder beside the KV file. */
interface UsedFiles {
  kv: { kind: string; path?: string };
  backup: { location: { kind: string; path?: string } } | undefined;
  mail: { target: { kind: string; name?: string } } | undefined;
  secretFiles: string[];
}

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
export async function findOpenPaths(
  { kv, backup, mail, secretFiles }: UsedFiles,
): Promise<OpenPath[]> {
  const folders = new Set<string>();
  if (kv.path !== undefined) {
    const folder = kvFolder(kv.path);
    folders.add(folder);
    if (mail?.target.name !== undefined) folders.add(join(folder, mail.target.name));
  }
  if (backup?.location.path !== undefined) folders.add(backup.location.path);

  const openPaths: OpenPath[] = [];
  for (const path of folders) {
    if (!(await modeOf(path) & (GROUP_WRITE | OTHERS_WRITE))) continue;
    const advice =
      "Other accounts may write to this folder of the service, and could put files there; give the service a " +
      `folder of its own, or take that right away: chmod go-w '${path}'`;
    openPaths.push({ path, advice });
  }
  const files = kv.path === undefined ? secretFiles : [...secretFiles, kv.path];
  for (const path of files.map(fromProject)) {
    if (!(await modeOf(path) & (OTHERS_READ | OTHERS_WRITE))) continue;
    const advice =
      "Every account of this machine may read or change this file, which holds secrets; close it: " +
      `chmod o= '${path}'`;
    openPaths.push({ path, advice });
  }
  return openPaths;
}
