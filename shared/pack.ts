/**
 * Packs the typed client as an npm package: `api_client.ts` and the modules that it imports, as ES modules with types.
 * The task `generate` packs the package that the service serves.
 *
 * The task `pack` runs this module as a program, which also packs the CLI (`pack_cli.ts`) and prints the paths of both
 * tarballs. Its first argument is the name of the client's package, and the package of the CLI gets the same scope. Its
 * second argument is the folder for the tarballs.
 *
 * @module
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import project from "../deno.json" with { type: "json" };
import packages from "../package.json" with { type: "json" };
import { outputOfProgram } from "./output_of_program.ts";
import { packCli } from "./pack_cli.ts";
import { makeTarball } from "./tarball.ts";

const PROJECT = resolve(import.meta.dirname ?? "", "..");

/** The module of the client, in this folder. */
const CLIENT_MODULE = "api_client.ts";

/** The versions of Node in which the client runs. It also runs in Deno and in browsers. */
const ENGINES = { node: ">=20.19" };

/** The name of the client's package if the caller gives no other name. */
export const PACKAGE_NAME = "@example/waitlist-client";

/**
 * Packs the client. The package has the version in `deno.json`.
 *
 * @param name the name of the package, with its scope
 * @returns the tarball; the same sources give the same bytes
 * @throws {Error} if the name is not valid, or if `deno pack` or `tar` fails
 */
export async function packClient(name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw new Error(`The name '${name}' is not one of a package with a scope, as ${PACKAGE_NAME}`);
  }
  const folder = await mkdtemp(join(tmpdir(), "waitlist-client-"));
  try {
    const sources = join(folder, "source");
    await writeSources(sources, name);
    const packed = join(folder, "packed.tgz");
    const options = ["--no-source-maps", "--output", packed];
    await outputOfProgram(process.execPath, ["pack", ...options], sources);
    // All files in the tarball of `deno pack` are in a folder `package`.
    await outputOfProgram("tar", ["-xzf", packed], folder);
    await completePackage(join(folder, "package"));
    return await makeTarball(folder, "package");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the sources of the package to a folder: the modules, the configuration, the licence and the README. */
async function writeSources(folder: string, name: string): Promise<void> {
  for (const path of await modulesOf(CLIENT_MODULE)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // The name of the package replaces the name of the file, because the examples in the client's docstrings import
    // the package.
    const text = await readFile(join(PROJECT, "shared", path), "utf8");
    await writeFile(join(folder, path), text.replaceAll(`"./${CLIENT_MODULE}"`, `"${name}"`));
  }
  const config = {
    name,
    version: project.version,
    license: "MIT",
    exports: `./${CLIENT_MODULE}`,
    imports: { "openapi-fetch": `npm:openapi-fetch@${packages.dependencies["openapi-fetch"]}` },
  };
  await writeFile(join(folder, "deno.json"), JSON.stringify(config));
  await copyFile(join(PROJECT, "LICENSE"), join(folder, "LICENSE"));
  const texts = await Promise.all(
    [CLIENT_MODULE, "product_client.ts", "webhook_events.ts"].map(async (module) =>
      moduleText(await readFile(join(folder, module), "utf8"))
    ),
  );
  await writeFile(join(folder, "README.md"), `# ${name}\n\n${texts.join("\n")}`);
}

/** Adds to the unpacked package what `deno pack` does not write: the versions of Node, and the types for CommonJS. */
async function completePackage(folder: string): Promise<void> {
  const manifest = join(folder, "package.json");
  const fields = JSON.parse(await readFile(manifest, "utf8"));
  const exports = { ".": withTypesForRequire(fields.exports["."]) };
  await writeFile(manifest, JSON.stringify({ ...fields, exports, engines: ENGINES }, null, 2));
  await writeFile(join(folder, TYPES_FOR_REQUIRE), typesForRequire());
}

/**
 * Returns the paths of a module in this folder and of all modules that it imports from this folder, relative to this
 * folder.
 */
async function modulesOf(entry: string): Promise<string[]> {
  const folder = join(PROJECT, "shared");
  const info = await outputOfProgram(
    process.execPath,
    ["info", "--json", join(folder, entry)],
    PROJECT,
  );
  const { modules } = JSON.parse(info) as { modules: { local?: string }[] };
  return modules.flatMap(({ local }) => local?.startsWith(folder) ? relative(folder, local) : []);
}

/** The name of the file with the types for CommonJS. */
const TYPES_FOR_REQUIRE = "api_client.d.cts";

/** The functions that the client exports. Its other exports are types. */
const EXPORTED_FUNCTIONS = ["createApiClient", "createProductClient", "verifyEvent"];

/** Adds the types for `require` to the entry of the package, because Node 20.19 and later can `require` ES modules. */
function withTypesForRequire(entry: { default?: string; import?: string }) {
  const types = `./${TYPES_FOR_REQUIRE}`;
  return { require: { types, default: entry.default ?? entry.import }, ...entry };
}

/** Returns the types for CommonJS, because TypeScript's `module: node16` refuses types of ES modules in CommonJS. */
function typesForRequire(): string {
  const from = `from "./${
    CLIENT_MODULE.replace(".ts", ".js")
  }" with { "resolution-mode": "import" };`;
  const functions = EXPORTED_FUNCTIONS.map((name) =>
    `export declare const ${name}: typeof client.${name};`
  );
  return [`import type * as client ${from}`, `export type * ${from}`, ...functions, ""].join("\n");
}

/** Returns the text of a module's docstring. */
function moduleText(module: string): string {
  const [, comment = ""] = /^\/\*\*\n([^]*?) \*\n \* @module\n/.exec(module) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}

if (import.meta.main) {
  const [name = PACKAGE_NAME, folder = "."] = process.argv.slice(2);
  try {
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
      throw new Error(`There is no folder '${folder}' for the tarballs; make it, or give another`);
    }
    const cliName = name.replace(/\/.*/, "/waitlist-cli");
    const tarballs = { [name]: await packClient(name), [cliName]: await packCli(cliName) };
    for (const [packageName, tarball] of Object.entries(tarballs)) {
      const file = `${packageName.slice(1).replace("/", "-")}-${project.version}.tgz`;
      await writeFile(join(folder, file), tarball);
      console.log(resolve(folder, file));
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
