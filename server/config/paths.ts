/** Reads and checks the paths of files and folders in the configuration. @module */
import { dirname, relative, resolve, sep } from "node:path";
import { redactUrl } from "../../shared/redact_url.ts";

/** The absolute folder of the project. */
export const PROJECT = resolve(import.meta.dirname ?? ".", "../..");

/** The folders of the project that only a developer changes: code, content, tests, and the files of Git. */
const PROGRAM_FOLDERS = [
  "server",
  "cli",
  "shared",
  "openapi",
  "content",
  "tests",
  "node_modules",
  ".ci",
  ".git",
];

/** Gives the absolute path of a file or folder. A relative path starts at the project, not at the current folder. */
export const fromProject = (path: string): string => resolve(PROJECT, path);

/** Gives the absolute folder of a KV file. SQLite makes further files in this folder. */
export const kvFolder = (path: string): string => dirname(fromProject(path));

/** Whether a folder holds code of the service. A program that may write to such a folder could change the code. */
export function holdsServiceCode(folder: string): boolean {
  if (isInside(PROJECT, folder)) return true;
  if (!isInside(folder, PROJECT)) return false;
  const [topFolder = ""] = relative(PROJECT, folder).split(sep);
  return PROGRAM_FOLDERS.includes(topFolder);
}

/** Whether `path` is the same as `folder`, or lies in `folder` at any depth. */
const isInside = (path: string, folder: string): boolean =>
  relative(folder, path).split(sep)[0] !== "..";

/**
 * Gives the absolute form of a path. A path with a comma is refused, because Deno separates the paths of a permission
 * (`--allow-read=a,b`) by commas.
 */
export function toPermittedPath(text: string): string {
  const path = fromProject(text);
  if (path.includes(",")) {
    throw new Error(
      `is '${redactUrl(text)}', a path with a comma, which the start task cannot allow`,
    );
  }
  return path;
}

/** Reads `CONTENT_PATH`. The path stays as it is given, because messages about the overlay show it. */
export function parseContentPath(text: string): string {
  toPermittedPath(text);
  return text;
}

/**
 * Reads `KV_PATH`. Folders of the operating system, such as `/proc`, are refused, because Deno never lets a program
 * with limited permissions write there.
 */
export function parseKvPath(text: string): string {
  if (text === ":memory:") {
    throw new Error(`is '${text}'; it takes a file, as sign-ups in memory end with the process`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new Error(
      `is '${redactUrl(text)}', an address; it takes a file, and KV_URL the address of a server`,
    );
  }
  const folder = kvFolder(text);
  if (holdsServiceCode(folder)) {
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
