/** The guides of the project (its READMEs and the pages for operators), and the shell blocks in them. @module */
import { join } from "node:path";
import { PROJECT } from "./process.ts";

/** The guides, in the order in which a new reader meets them. */
export const READMES = [
  "README.md",
  "server/README.md",
  "server/docs/configure.md",
  "server/docs/deploy.md",
  "server/docs/operate.md",
  "cli/README.md",
  "content/README.md",
  "tests/README.md",
];

/** The form in which they call Deno: so that Node alone is enough. */
export const DENO = "npx -y deno@2.9.6";

/** A shell block of a document. */
export interface ShellBlock {
  /** The file and the line that it begins on, as in `cli/README.md:14`. */
  at: string;
  script: string;
  /** Why the tests do not run it: the text of a line `<!-- not run: … -->` above it. */
  notRun?: string;
}

/** Reads a file of the project. */
export function readDocument(path: string): Promise<string> {
  return Deno.readTextFile(join(PROJECT, path));
}

/** Finds the shell blocks of a document, indented ones too. */
export function shellBlocks(path: string, text: string): ShellBlock[] {
  const pattern = /^(?:<!-- not run: (.+) -->\n\n)?( *)```sh\n([^]*?)^ *```$/gm;
  return Array.from(text.matchAll(pattern), ({ index, 1: notRun, 3: script = "" }) => ({
    at: `${path}:${text.slice(0, index).split("\n").length}`,
    script,
    ...(notRun && { notRun }),
  }));
}
