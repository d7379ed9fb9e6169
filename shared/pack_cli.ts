/**
 * Packs the CLI as an npm package: one file without dependencies, for Node 20.19 and later, Deno and Bun. `deno bundle`
 * joins the modules and the npm packages of `deno.lock`; esbuild then writes syntax that Node 20 does not have, such as
 * `using`, in an older form, and makes the file small. Only `deno task pack` and `deno task generate` call this module,
 * so it runs in Deno.
 *
 * @module
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import project from "../deno.json" with { type: "json" };
import { outputOfProgram } from "./output_of_program.ts";
import { makeTarball } from "./tarball.ts";

const PROJECT = resolve(import.meta.dirname ?? "", "..");

/** The versions of Node in which the CLI runs. It also runs in Deno and in Bun. */
const ENGINES = { node: ">=20.19" };

/** The file of the CLI in its package. */
const PROGRAM = "waitlist.mjs";

/** The name of the CLI's package if the caller gives no other name. */
export const CLI_PACKAGE_NAME = "@example/waitlist-cli";

/**
 * Packs the CLI. The package has the version in `deno.json`.
 *
 * @param name the name of the package, with its scope
 * @returns the tarball; the same sources give the same bytes
 * @throws {Error} if `deno bundle` or esbuild fails, or if the licences of the bundled packages cannot be found
 */
export async function packCli(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-cli-"));
  try {
    await copySources(folder);
    const bundle = join(folder, "bundled.js");
    await outputOfProgram(process.execPath, ["bundle", "--output", bundle, "cli/main.ts"], folder);
    const packageFolder = join(folder, "package");
    await mkdir(packageFolder);
    await minify(bundle, join(packageFolder, PROGRAM), folder);
    await writeFile(join(packageFolder, "package.json"), manifestOf(name));
    await writeFile(join(packageFolder, "README.md"), readmeOf(name));
    await writeFile(join(packageFolder, "LICENSE"), await joinLicences(bundle, folder));
    return await makeTarball(folder, "package");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Copies the sources of the CLI, because the copy of the OpenAPI document is shortened before it is bundled. */
async function copySources(folder: string): Promise<void> {
  for (const path of ["cli", "shared", "deno.json", "deno.lock", "package.json"]) {
    await cp(join(PROJECT, path), join(folder, path), { recursive: true });
  }
  await shortenDocument(join(folder, "shared", "generated", "operator.json"));
}

const manifestOf = (name: string): string =>
  JSON.stringify(
    {
      name,
      version: project.version,
      description: "Uses a waitlist service, checks it and does its operator's work",
      license: "MIT",
      type: "module",
      bin: { waitlist: PROGRAM },
      engines: ENGINES,
    },
    null,
    2,
  );

/** Returns the licence of the project and those of the npm packages in a bundle, as one text. */
async function joinLicences(bundle: string, bundleFolder: string): Promise<string> {
  const projectLicence = await readFile(join(PROJECT, "LICENSE"), "utf8");
  const packageLicences = await licencesIn(await readFile(bundle, "utf8"), bundleFolder);
  return [projectLicence, ...packageLicences].join("\n---\n\n");
}

/** Turns a bundle into a small program for Node, by esbuild. */
async function minify(bundle: string, program: string, folder: string): Promise<void> {
  await outputOfProgram(process.execPath, [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-all",
    "--config",
    join(PROJECT, "tests", "deno.json"),
    "esbuild",
    bundle,
    `--outfile=${program}`,
    "--banner:js=#!/usr/bin/env node",
    "--format=esm",
    "--platform=node",
    "--target=node20.19",
    "--minify",
    "--legal-comments=none",
    "--log-level=error",
  ], folder);
}

/** The parts of an operation in an OpenAPI document that the CLI reads. */
interface Operation {
  operationId: string;
  /** The answers by their status, such as `200`. */
  responses: Record<string, unknown>;
}

/**
 * Removes from the OpenAPI document at a path what the CLI does not read: texts, examples, webhooks, and everything of an
 * operation except its id and its successful answers.
 */
async function shortenDocument(path: string): Promise<void> {
  const { webhooks: _, ...document } = JSON.parse(await readFile(path, "utf8"));
  // These components describe only failures.
  delete document.components.responses;
  for (const operations of Object.values<Record<string, Operation>>(document.paths)) {
    delete operations.parameters;
    for (const [method, { operationId, responses }] of Object.entries(operations)) {
      const successful = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      operations[method] = { operationId, responses: Object.fromEntries(successful) };
    }
  }
  const text = JSON.stringify(document, (key, value) => {
    const isText = ["description", "summary"].includes(key) && typeof value === "string";
    return isText || key === "examples" ? undefined : value;
  });
  await writeFile(path, text);
}

/**
 * Matches a comment of a bundle that stands before a module of an npm package. It captures the path of the package's
 * folder, and the name of the package.
 */
const MODULE_COMMENT = /^\/\/ (\S*\/registry\.npmjs\.org\/((?:@[^/]+\/)?[^/]+)\/[^/]+)\//gm;

/**
 * Returns the licences of the npm packages in a bundle, because each copy of a package must include the text of its
 * licence.
 *
 * @throws {Error} if no comment of the bundle names a package, because the form of these comments has then changed
 */
async function licencesIn(bundle: string, bundleFolder: string): Promise<string[]> {
  const folders = new Map(
    Array.from(bundle.matchAll(MODULE_COMMENT), ([, path, name]) => [path!, name!]),
  );
  if (folders.size === 0) {
    throw new Error(
      "No comment of the bundle names the folder of an npm package, so the licences of the packages cannot be found; " +
        "adapt `MODULE_COMMENT` in shared/pack_cli.ts to the comments that `deno bundle` writes now",
    );
  }
  const texts = Array.from(folders, async ([path, name]) => {
    const packageFolder = resolve(bundleFolder, path);
    const file = (await readdir(packageFolder)).find((file) => /^licen[cs]e/i.test(file));
    const text = file === undefined
      ? JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")).license
      : await readFile(join(packageFolder, file), "utf8");
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).sort();
}

const readmeOf = (name: string) =>
  `# ${name}

The command-line tool of a waitlist service, in one file without dependencies, for Node 20.19 and later,
Deno and Bun. It calls the API, checks a service against its contract, and does the operator's work.
Each service serves the package at \`/developers/waitlist-cli.tgz\`. It is in no registry.

\`\`\`sh
npx -y ./waitlist-cli.tgz status --sandbox --base-url https://waitlist.example
npm install -g ./waitlist-cli.tgz
waitlist --help
\`\`\`
`;
