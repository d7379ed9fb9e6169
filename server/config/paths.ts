/** The files and folders that the configuration names. @module */
import { mkdir, realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";

export const PROJECT = resolve(import.meta.dirname ?? ".", "../..");

/** The folders of the project that hold the program. */
const PROGRAM_FOLDERS = [
  ...["server", "cli", "shared", "openapi", "content", "tests"],
  ...["node_modules", ".ci", ".git"],
];

/** The absolute path of a file or folder; a relative path starts at the project, wherever the service runs. */
export function fromProject(path: string): string {
  return resolve(PROJECT, path);
}

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export function kvFolder(path: string): string {
  return dirname(fromProject(path));
}

/** Whether write access to a folder allows to change the program. */
export function holdsProgram(folder: string): boolean {
  const [first = ""] = relative(PROJECT, folder).split(sep);
  if (first !== "..") return first === "" || PROGRAM_FOLDERS.includes(first);
  return relative(folder, PROJECT).split(sep)[0] !== "..";
}

/**
 * Makes the folder of a KV file, for its owner alone; an existing one keeps its mode. Gives its own path, without
 * links. @throws {Error} naming `KV_PATH` and its value, where the folder cannot be made
 */
export function makeKvFolder(path: string): Promise<string> {
  const hint = "give a file in a folder that the service may write to";
  return makeFolder(kvFolder(path), (message) => {
    return `KV_PATH is '${path}', whose folder cannot be made: ${message}; ${hint}`;
  });
}

/** Makes the folder of backups in the same way. @throws {Error} naming `BACKUP_URL`, where it cannot be made */
export function makeBackupFolder(folder: string): Promise<string> {
  return makeFolder(folder, (message) => {
    const hint = "give a folder that the service may write to";
    return `BACKUP_URL is '${folder}', which cannot be made: ${message}; ${hint}`;
  });
}

async function makeFolder(folder: string, explain: (message: string) => string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(explain((error as Error).message));
  }
  return await realpath(folder);
}

/** The path of a KV file. Deno allows nobody with limited permissions to write to a folder of the system. */
export function parseKvPath(text: string): string {
  if (text === ":memory:") {
    throw new Error(`is '${text}'; it takes a file, as sign-ups in memory end with the process`);
  }
  const folder = kvFolder(text);
  if (holdsProgram(folder)) {
    throw new Error(
      `is '${text}'; the service may write to the file's folder, and '${folder}' holds its own code. ` +
        "Give the file a folder of its own",
    );
  }
  if (/^\/(?:dev|proc|sys)(?:\/|$)/.test(folder)) {
    throw new Error(
      `is '${text}'; '${folder}' belongs to the operating system, which keeps no files there. ` +
        "Give the file a folder on a disk",
    );
  }
  return text;
}

/** The path of the folder that lies over the built-in content, without a comma: Deno separates folders by commas. */
export function parseContentPath(text: string): string {
  if (fromProject(text).includes(",")) {
    throw new Error(`is '${text}', a path with a comma, which the start task cannot allow to read`);
  }
  return text;
}
