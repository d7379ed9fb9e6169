/** The project's own sources as text: their imports and their lines of code. @module */
import { join } from "node:path";
import { PROJECT } from "./process.ts";

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
