/** The paths of files and folders in the configuration, and the files of secrets. @module */
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { ownMember } from "../../shared/own_member.ts";
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
export function holdsProgram(folder: string): boolean {
  if (isInside(folder, PROJECT)) {
    const [topFolder = ""] = relative(PROJECT, folder).split(sep);
    const isProject = topFolder === "";
    return isProject || PROGRAM_FOLDERS.includes(topFolder);
  }
  return isInside(PROJECT, folder);
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

/** Why a file with a secret cannot be read, by the code of the system's error. */
const READ_FAULTS: Record<string, string> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
};

/**
 * Reads a secret from a file, as Docker, Kubernetes and systemd (`LoadCredential=`) pass secrets. A line end at the end
 * of the file is dropped.
 *
 * @param variable the name of the variable that has the path of the file
 * @throws an Error whose message never quotes the secret. The caller puts the name of the secret's variable in front of
 * the message
 */
export function readSecretFile(path: string, variable: string): string {
  // A relative path is not quoted, because it may be the secret itself in the wrong variable.
  const isShown = isAbsolute(path);
  const source = isShown ? `'${path}' of ${variable}` : `the path in ${variable}`;
  const toError = (reason: string) => new Error(`cannot be read from ${source}: ${reason}`);
  if (!isShown && path.includes(",")) throw toError("it has a comma");
  let text: string;
  try {
    text = readFileSync(toPermittedPath(path), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const { message, code = "" } = error as Error & { code?: string };
    if (isShown) throw toError(message);
    // A path that is not shown must not be in the reason either. The reason comes from the error's code, because the
    // message of a system error quotes the path.
    const fault = ownMember(READ_FAULTS, code);
    throw toError(fault ? `${code}: ${fault}` : "it cannot be opened");
  }
  if (text) return text;
  throw toError("the file is empty");
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
