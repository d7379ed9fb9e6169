/** The names of all tests below `tests/`, as they stand in the source: a template keeps its `${…}`. */
export async function testNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const file of testFiles(new URL("../../", import.meta.url))) {
    const source = await Deno.readTextFile(file);
    for (const [, , name] of source.matchAll(/\bDeno\.test\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs)) {
      if (name) names.push(name.replace(/\\(.)/g, "$1"));
    }
  }
  return names;
}

async function* testFiles(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* testFiles(new URL(`${name}/`, folder));
    else if (name.endsWith("_test.ts")) yield new URL(name, folder);
  }
}
