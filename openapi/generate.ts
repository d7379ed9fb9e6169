/**
 * Turns each hand-written document `openapi/<name>.yaml` into what the programs import:
 * `shared/generated/<name>.json`, the document, and `shared/generated/<name>.ts`, its types.
 *
 * `deno task generate` writes both; with `--check` it writes nothing and fails when one is stale.
 */
import openapiTypescript, { astToString } from "openapi-typescript";
import { parse } from "yaml";

/** The documents, by the name of their file. */
const documents = ["public", "operator"];

const project = new URL("../", import.meta.url);

interface GeneratedFile {
  /** Where the file belongs, relative to the project. */
  path: string;
  text: string;
}

/** Makes the files that belong to one document. The same YAML always gives the same text. */
async function generate(name: string): Promise<GeneratedFile[]> {
  const source = `openapi/${name}.yaml`;
  const yaml = await Deno.readTextFile(new URL(source, project));
  // Shared headers are merged in from anchors; every response repeats them, so aliases are many.
  const json = JSON.stringify(parse(yaml, { merge: true, maxAliasCount: -1 }), null, 2);

  // A property with a default may still be left out of a request.
  const types = await openapiTypescript(json, { defaultNonNullable: false });
  const header = `// Generated from ${source} by \`deno task generate\`; do not edit.\n\n`;

  return [
    { path: `shared/generated/${name}.json`, text: json + "\n" },
    { path: `shared/generated/${name}.ts`, text: header + astToString(types) },
  ];
}

/** Says whether the stored file differs from the generated one, or is missing. */
async function isStale({ path, text }: GeneratedFile): Promise<boolean> {
  try {
    return await Deno.readTextFile(new URL(path, project)) !== text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

/** Writes the files, leaving alone those that are fresh already. */
async function write(stale: GeneratedFile[]): Promise<void> {
  await Deno.mkdir(new URL("shared/generated/", project), { recursive: true });
  for (const { path, text } of stale) {
    await Deno.writeTextFile(new URL(path, project), text);
    console.log(`Wrote ${path}.`);
  }
}

/** Names each stale file and the command that mends it. */
function report(stale: GeneratedFile[]): void {
  for (const { path } of stale) {
    console.error(`${path} is out of date with its document. Run \`deno task generate\`.`);
  }
}

if (import.meta.main) {
  const files = (await Promise.all(documents.map(generate))).flat();
  const checked = await Promise.all(
    files.map(async (file) => ({ file, stale: await isStale(file) })),
  );
  const stale = checked.filter((entry) => entry.stale).map((entry) => entry.file);

  if (Deno.args.includes("--check")) {
    report(stale);
    Deno.exit(stale.length > 0 ? 1 : 0);
  }
  await write(stale);
}
