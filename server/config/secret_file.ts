import { readFileSync } from "node:fs";
import { permittedPath } from "./paths.ts";

/**
 * Reads a secret from the file that a variable names, as Docker, Kubernetes and systemd (`LoadCredential=`) hand it
 * over, without a last line end. @throws {Error} whose message goes on behind the secret's name, and does not quote it
 */
export function readSecretFile(path: string, variable: string): string {
  try {
    const text = readFileSync(permittedPath(path), "utf8").replace(/\r?\n$/, "");
    if (text) return text;
  } catch (error) {
    throw new Error(`cannot be read from '${path}' of ${variable}: ${(error as Error).message}`);
  }
  throw new Error(`cannot be read from '${path}' of ${variable}: the file is empty`);
}
