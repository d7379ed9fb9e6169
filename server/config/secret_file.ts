/** Reads the secrets that are in files (`OPERATOR_KEY_FILE` and other variables in `_FILE`). @module */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ownMember } from "../../shared/own_member.ts";
import { toPermittedPath } from "./paths.ts";

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
  const isQuoted = isAbsolute(path);
  const source = isQuoted ? `'${path}' of ${variable}` : `the path in ${variable}`;
  const toError = (reason: string) => new Error(`cannot be read from ${source}: ${reason}`);
  if (!isQuoted && path.includes(",")) throw toError("it has a comma");
  let secret: string;
  try {
    secret = readFileSync(toPermittedPath(path), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw toError(isQuoted ? (error as Error).message : reasonWithoutPath(error));
  }
  if (secret) return secret;
  throw toError("the file is empty");
}

/** Gives the reason of a system error by its code, because the message of a system error quotes the path. */
function reasonWithoutPath(error: unknown): string {
  const { code = "" } = error as { code?: string };
  const reason = ownMember(READ_FAULTS, code);
  return reason ? `${code}: ${reason}` : "it cannot be opened";
}
