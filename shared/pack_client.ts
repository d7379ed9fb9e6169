/**
 * Packs the typed client as an npm package: `api_client.ts` and the modules that it imports, as ES modules with types.
 * The task `generate` packs the client that the service serves. The task `pack` (`pack.ts`) packs the client under the
 * name that somebody chooses.
 *
 * @module
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import project from "../deno.json" with { type: "json" };
import packages from "../package.json" with { type: "json" };
import * as client from "./api_client.ts";
import { outputOfProgram } from "./output_of_program.ts";
import { makeTarball } from "./tarball.ts";

const PROJECT = resolve(import.meta.dirname ?? "", "..");

/** The folder with the modules of the client. */
const MODULES_FOLDER = join(PROJECT, "shared");

/** The module that the package exports. */
const CLIENT_MODULE = "api_client.ts";

/** The modules whose docstrings make the README, in its order: all modules whose functions the package exports. */
const DESCRIBED_MODULES = [CLIENT_MODULE, "product_client.ts", "webhook_events.ts"];

/** The name of the file with the types for CommonJS. */
const TYPES_FOR_REQUIRE = "api_client.d.cts";

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
  const workFolder = await mkdtemp(join(tmpdir(), "waitlist-client-"));
  try {
    const sources = join(workFolder, "source");
    await writeSources(sources, name);
    const packed = join(workFolder, "packed.tgz");
    const options = ["--no-source-maps", "--output", packed];
    await outputOfProgram(process.execPath, ["pack", ...options], sources);
    // All files in the tarball of `deno pack` are in a folder `package`.
    await outputOfProgram("tar", ["-xzf", packed], workFolder);
    await completePackage(join(workFolder, "package"));
    return await makeTarball(workFolder, "package");
  } finally {
    await rm(workFolder, { recursive: true });
  }
}

/** Writes the sources of the package to a folder: the modules, the configuration, the licence and the README. */
async function writeSources(sources: string, name: string): Promise<void> {
  for (const path of await modulesOf(CLIENT_MODULE)) {
    await mkdir(dirname(join(sources, path)), { recursive: true });
    // The name of the package replaces the name of the file, because the examples in the client's docstrings import
    // the package.
    const text = await readFile(join(MODULES_FOLDER, path), "utf8");
    await writeFile(join(sources, path), text.replaceAll(`"./${CLIENT_MODULE}"`, `"${name}"`));
  }
  const config = {
    name,
    version: project.version,
    license: "MIT",
    exports: `./${CLIENT_MODULE}`,
    imports: { "openapi-fetch": `npm:openapi-fetch@${packages.dependencies["openapi-fetch"]}` },
  };
  await writeFile(join(sources, "deno.json"), JSON.stringify(config));
  await copyFile(join(PROJECT, "LICENSE"), join(sources, "LICENSE"));
  const texts = await Promise.all(
    DESCRIBED_MODULES.map(async (module) =>
      docstringOf(await readFile(join(sources, module), "utf8"))
    ),
  );
  await writeFile(join(sources, "README.md"), `# ${name}\n\n${texts.join("\n")}`);
}

/** Adds to the unpacked package what `deno pack` does not write: the versions of Node, and the types for CommonJS. */
async function completePackage(packageFolder: string): Promise<void> {
  const manifestPath = join(packageFolder, "package.json");
  const manifest = JSON.parse(await readFile(manifestPath, "utf8"));
  const exports = { ".": withTypesForRequire(manifest.exports["."]) };
  const completeManifest = { ...manifest, exports, engines: ENGINES };
  await writeFile(manifestPath, JSON.stringify(completeManifest, null, 2));
  await writeFile(join(packageFolder, TYPES_FOR_REQUIRE), typesForRequire());
}

/**
 * Returns the paths of a module in {@linkcode MODULES_FOLDER} and of all modules that it imports from this folder,
 * relative to this folder.
 */
async function modulesOf(module: string): Promise<string[]> {
  const moduleGraph = await outputOfProgram(
    process.execPath,
    ["info", "--json", join(MODULES_FOLDER, module)],
    PROJECT,
  );
  const { modules } = JSON.parse(moduleGraph) as { modules: { local?: string }[] };
  return modules.flatMap(({ local }) =>
    local?.startsWith(MODULES_FOLDER) ? relative(MODULES_FOLDER, local) : []
  );
}

/**
 * Adds the types for `require` to what the manifest says about the package's export, because Node 20.19 and later can
 * `require` ES modules.
 */
function withTypesForRequire(conditions: { default?: string; import?: string }) {
  const types = `./${TYPES_FOR_REQUIRE}`;
  return { require: { types, default: conditions.default ?? conditions.import }, ...conditions };
}

/** Returns the types for CommonJS, because TypeScript's `module: node16` refuses types of ES modules in CommonJS. */
function typesForRequire(): string {
  const from = `from "./${
    CLIENT_MODULE.replace(".ts", ".js")
  }" with { "resolution-mode": "import" };`;
  // The keys are the functions that the client exports, because its other exports are types.
  const functions = Object.keys(client).map((name) =>
    `export declare const ${name}: typeof client.${name};`
  );
  return [`import type * as client ${from}`, `export type * ${from}`, ...functions, ""].join("\n");
}

/** Returns the text of the docstring at the beginning of a module's source. */
function docstringOf(source: string): string {
  const [, comment = ""] = /^\/\*\*\n([^]*?) \*\n \* @module\n/.exec(source) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}
