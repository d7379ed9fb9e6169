/** Secrets in files, as Docker, Kubernetes and systemd (`LoadCredential=`) hand them over. @module */
import { readFileSync } from "node:fs";
import { fromProject } from "./paths.ts";

/**
 * Reads the file that `NAME_FILE` names, without a last line end. No message quotes what is in it.
 * @throws {Error} whose message goes on behind the variable's name, where the file has no secret for it
 */
export function readSecretFile(path: string, from: string): string {
  const file = fromProject(path);
  if (file.includes(",")) {
    const fault = `${from} is '${path}', a path with a comma, which the start task cannot allow`;
    throw new Error(`cannot be read: ${fault} to read`);
  }
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new Error(`cannot be read: ${from} is '${path}': ${(error as Error).message}`);
  }
  if (text) return text;
  throw new Error(`cannot be read: ${from} is '${path}', a file that is empty`);
}
