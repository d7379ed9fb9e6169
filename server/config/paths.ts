/** The files and folders that the configuration names. @module */
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { shownAddress } from "../../shared/shown_address.ts";

export const PROJECT = resolve(import.meta.dirname ?? ".", "../..");

const PROGRAM_FOLDERS = [
  ...["server", "cli", "shared", "openapi", "content", "tests"],
  ...["node_modules", ".ci", ".git"],
];

/** The absolute path of a file or folder; a relative path starts at the project, wherever the service runs. */
export const fromProject = (path: string): string => resolve(PROJECT, path);

/** The absolute folder of a KV file: SQLite puts other files beside it. */
export const kvFolder = (path: string): string => dirname(fromProject(path));

/** Whether write access to a folder allows to change the program. */
export function holdsProgram(folder: string): boolean {
  const [first = ""] = relative(PROJECT, folder).split(sep);
  if (first !== "..") return first === "" || PROGRAM_FOLDERS.includes(first);
  return relative(folder, PROJECT).split(sep)[0] !== "..";
}

/** An absolute path that the start task can name in a permission: Deno separates paths by commas. */
export function permittedPath(text: string): string {
  if (!fromProject(text).includes(",")) return fromProject(text);
  throw new Error(
    `is '${shownAddress(text)}', a path with a comma, which the start task cannot allow`,
  );
}

/**
 * Reads a secret from the file that a variable names, as Docker, Kubernetes and systemd (`LoadCredential=`) hand it
 * over, without a last line end. @throws {Error} whose message goes on behind the secret's name, and does not quote it
 */
export function readSecretFile(path: string, variable: string): string {
  // A relative path may be the secret itself, which belongs into the other variable.
  const isShown = isAbsolute(path);
  const from = isShown ? `'${path}' of ${variable}` : `the path in ${variable}`;
  const fail = (reason: string) => new Error(`cannot be read from ${from}: ${reason}`);
  if (!isShown && path.includes(",")) throw fail("it has a comma");
  let text: string;
  try {
    text = readFileSync(permittedPath(path), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const { message } = error as Error;
    // What comes behind the comma quotes the path.
    throw fail(isShown ? message : message.split(",")[0]!);
  }
  if (text) return text;
  throw fail("the file is empty");
}

/** The path of a KV file. Deno allows nobody with limited permissions to write to a folder of the system. */
export function parseKvPath(text: string): string {
  if (text === ":memory:") {
    throw new Error(`is '${text}'; it takes a file, as sign-ups in memory end with the process`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new Error(
      `is '${shownAddress(text)}', an address; it takes a file, and KV_URL the address of a server`,
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
