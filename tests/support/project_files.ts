/**
 * The project's own files: its sources with their imports, its READMEs with their shell blocks, and a copy of the project
 * for tests that change it. @module
 */
import { join } from "node:path";
import { makeTestFolder, outputOf, PROJECT } from "./process.ts";

/** One module of the project. */
export type Source = Awaited<ReturnType<typeof readSources>>[number];

/** Reads the TypeScript modules of some folders of the project; a folder that is not there has none. */
export async function readSources(folders: string[]) {
  const paths = (await Promise.all(folders.map(modulesIn))).flat().toSorted();
  return await Promise.all(paths.map(async (path) => {
    const text = await Deno.readTextFile(join(PROJECT, path));
    return {
      /** Relative to the project, such as `server/main.ts`. */
      path,
      text,
      imports: importsOf(path, text),
      lines: codeLines(path, text),
    };
  }));
}

async function modulesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) paths.push(...await modulesIn(path));
      else if (/\.tsx?$/.test(name)) paths.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return paths;
}

/** Finds imports as `deno fmt` writes them: the specifier in double quotes, on one line. */
function importsOf(path: string, text: string) {
  const statement =
    /^(?:import|export)( type)?\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statement)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? "";
    const end = text.slice(0, match.index + match[0].length);
    return {
      at: `${path}:${end.split("\n").length}`,
      /** A path relative to the project, or a name such as `zod` or `node:path`. */
      to: specifier.startsWith(".") ? join(path, "..", specifier) : specifier,
      /** Whether the whole statement is `import type`, which leaves nothing to run. */
      typeOnly: match[1] !== undefined,
    };
  });
}

/** The lines that are no comments, each with its place as in `server/main.ts:12`. */
function codeLines(path: string, text: string) {
  return text.split("\n")
    .map((line, index) => ({ at: `${path}:${index + 1}`, text: line.trim() }))
    .filter(({ text }) => !/^(\/\/|\/?\*)/.test(text));
}

/**
 * Copies the files that git knows, as they are now, into a folder of its own.
 * @param folder where the copy is made; it is removed with the copy
 */
export async function copyProject(
  folder?: AsyncDisposable & { path: string },
): Promise<AsyncDisposable & { path: string }> {
  folder ??= await makeTestFolder();
  const path = join(folder.path, "waitlist");
  await Deno.mkdir(path);
  const files = await outputOf(["git", "ls-files", "-z"], { cwd: PROJECT });
  const list = join(folder.path, "files");
  const present = await Promise.all(
    files.split("\0").filter(Boolean).map(async (file) => {
      return await Deno.lstat(join(PROJECT, file)).then(() => file, () => []);
    }),
  );
  await Deno.writeTextFile(list, present.flat().join("\0"));
  const copy = 'tar -C "$0" --null -T "$1" -cf - | tar -C "$2" -xf -';
  await outputOf(["sh", "-c", copy, PROJECT, list, path]);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

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
