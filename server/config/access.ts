/** The folders that the service makes, and whether other accounts of the machine can open what it uses. @module */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { HAS_MODES, PRIVATE_FOLDER } from "../../shared/private_files.ts";
import { fromProject, kvFolder } from "./paths.ts";

/** Parts of a file's mode (chmod(2)). */
const STICKY = 0o1000, OTHERS_READ = 0o004, OTHERS_WRITE = 0o002, GROUP_WRITE = 0o020;

/** The mode of a file or folder; 0, in which nobody else has a right, where there is none. */
const modeOf = (path: string): Promise<number> =>
  HAS_MODES ? stat(path).then(({ mode }) => mode, () => 0) : Promise.resolve(0);

/** @throws naming a variable and its folder where everybody may put their own files in place of the service's */
export async function refuseOpenFolder(variable: string, folder: string): Promise<void> {
  const mode = await modeOf(folder);
  if (!(mode & OTHERS_WRITE) || mode & STICKY) return;
  throw new Error(
    `${variable} needs the folder '${folder}', to which every account of this machine may write, so another one ` +
      `could replace the files in it; take that right away (chmod o-w '${folder}'), or give another folder`,
  );
}

/**
 * Makes a variable's folder, for its owner alone if it is new; gives its path without links.
 * @throws naming both, where it cannot be made, and where everybody may write to it
 */
export async function makeFolder(variable: "KV_PATH" | "BACKUP_URL", folder: string) {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
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

/** As much of a configuration as names files and folders. */
interface UsedFiles {
  kv: { kind: string; path?: string };
  backup: { location: { kind: string; path?: string } } | undefined;
  mail: { target: { kind: string; name?: string } } | undefined;
  secretFiles: string[];
}

/** What an operator should close to other accounts. */
export interface OpenAccess {
  path: string;
  advice: string;
}

/** Gives the folders that others may write to, and the KV file and files of secrets that they may read. */
export async function findOpenAccess(
  { kv, backup, mail, secretFiles }: UsedFiles,
): Promise<OpenAccess[]> {
  const { path: backups } = backup?.location ?? {};
  const { path: kvPath } = kv;
  const kvFolderPath = kvPath === undefined ? undefined : kvFolder(kvPath);
  const { name: letters } = mail?.target ?? {};
  const folders = [
    kvFolderPath,
    kvFolderPath !== undefined && letters !== undefined ? join(kvFolderPath, letters) : undefined,
    backups,
  ];
  const found: OpenAccess[] = [];
  for (const path of new Set(folders)) {
    if (path === undefined || !(await modeOf(path) & (GROUP_WRITE | OTHERS_WRITE))) continue;
    const advice =
      "Other accounts may write to this folder of the service, and could put files there; give the service a " +
      `folder of its own, or take that right away: chmod go-w '${path}'`;
    found.push({ path, advice });
  }
  const files = [...secretFiles, kvPath ?? []].flat();
  for (const path of files.map(fromProject)) {
    if (!(await modeOf(path) & (OTHERS_READ | OTHERS_WRITE))) continue;
    const advice =
      "Every account of this machine may read or change this file, which holds secrets; close it: " +
      `chmod o= '${path}'`;
    found.push({ path, advice });
  }
  return found;
}
