/**
 * Packs the typed client as an npm package: `api_client.ts` and the modules that it imports, as ES modules with types.
 * The task `pack` runs this module as a program: its arguments are the name of the package and the folder for the tarball,
 * and it prints the tarball's path. The task `generate` packs the package that the service serves.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import project from "../deno.json" with { type: "json" };
import packages from "../package.json" with { type: "json" };

const PROJECT = resolve(import.meta.dirname ?? "", "..");
const CLIENT = "api_client.ts";

/** The versions of Node in which the client runs. It also runs in Deno and in browsers. */
const ENGINES = { node: ">=20.19" };

/** The default name of the package. */
export const PACKAGE_NAME = "@example/waitlist-client";

/**
 * Packs the client; its version is that of `deno.json`.
 *
 * @param name the name of the package, with its scope
 * @returns the tarball; the same sources give the same bytes
 * @throws {Error} if the name is not valid, or if `deno pack` or `tar` fails
 */
export async function packClient(name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw new Error(`The name '${name}' is not one of a package with a scope, as ${PACKAGE_NAME}`);
  }
  const stage = await mkdtemp(join(tmpdir(), "waitlist-client-"));
  try {
    const source = join(stage, "source");
    for (const path of await modulesOf(CLIENT)) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      // The name of the package replaces the name of the file, because the examples in the client's docstrings import
      // the package.
      const text = await readFile(join(PROJECT, "shared", path), "utf8");
      await writeFile(join(source, path), text.replaceAll(`"./${CLIENT}"`, `"${name}"`));
    }
    const { version } = project;
    const config = {
      name,
      version,
      license: "MIT",
      exports: `./${CLIENT}`,
      imports: { "openapi-fetch": `npm:openapi-fetch@${packages.dependencies["openapi-fetch"]}` },
    };
    await writeFile(join(source, "deno.json"), JSON.stringify(config));
    await copyFile(join(PROJECT, "LICENSE"), join(source, "LICENSE"));
    const texts = await Promise.all(
      [CLIENT, "product_client.ts"].map(async (module) =>
        moduleText(await readFile(join(source, module), "utf8"))
      ),
    );
    await writeFile(join(source, "README.md"), `# ${name}\n\n${texts.join("\n")}`);

    const packed = join(stage, "packed.tgz");
    await run(process.execPath, ["pack", "--no-source-maps", "--output", packed], source);
    // The tarball has a folder `package`. Its `package.json` gets `engines`, which Deno does not write.
    await run("tar", ["-xzf", packed], stage);
    const manifest = join(stage, "package", "package.json");
    const fields = JSON.parse(await readFile(manifest, "utf8"));
    await writeFile(manifest, JSON.stringify({ ...fields, engines: ENGINES }, null, 2));
    return new Uint8Array(gzipSync(await tarOf(stage, "package"), { level: 9 }));
  } finally {
    await rm(stage, { recursive: true });
  }
}

/** Makes a tar archive (POSIX ustar) of a folder's files, sorted by name and without times, so that its bytes repeat. */
async function tarOf(stage: string, folder: string): Promise<Uint8Array> {
  const entries = await readdir(join(stage, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(stage, join(parentPath, name))).sort();
  const blocks: Uint8Array[] = [];
  for (const path of paths) {
    const content = await readFile(join(stage, path));
    blocks.push(tarHeader(path, content.byteLength), content);
    blocks.push(new Uint8Array(-content.byteLength & 511));
  }
  // Two empty blocks end an archive.
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

/** Returns the header of a file in a tar archive, 512 bytes. */
function tarHeader(path: string, size: number): Uint8Array {
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length, "0")}\0`;
  const fieldsBefore = path.padEnd(100, "\0") + octal(0o644, 7) + octal(0, 7) + octal(0, 7) +
    octal(size, 11) + octal(0, 11);
  const fieldsBehind = `0${"\0".repeat(100)}ustar\x0000`.padEnd(356, "\0");
  // The checksum is the sum of all bytes. The field of the checksum counts as eight spaces.
  const sum = Buffer.from(`${fieldsBefore}        ${fieldsBehind}`, "latin1")
    .reduce((total, byte) => total + byte, 0);
  return Buffer.from(`${fieldsBefore}${octal(sum, 6)} ${fieldsBehind}`, "latin1");
}

/** Returns the paths, relative to this folder, of a module and of all modules in this folder that it imports. */
async function modulesOf(entry: string): Promise<string[]> {
  const folder = join(PROJECT, "shared");
  const info = await run(process.execPath, ["info", "--json", join(folder, entry)], PROJECT);
  const { modules } = JSON.parse(info) as { modules: { local?: string }[] };
  return modules.flatMap(({ local }) => local?.startsWith(folder) ? relative(folder, local) : []);
}

/** Returns the text of a module's docstring. */
function moduleText(module: string): string {
  const [, comment = ""] = /^\/\*\*\n([^]*?) \*\n \* @module\n/.exec(module) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}

/** Runs a program and returns its output. */
async function run(program: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`'${program} ${args[0]}' failed:\n${stderr ?? message}`);
  }
}

if (import.meta.main) {
  const [name = PACKAGE_NAME, folder = "."] = process.argv.slice(2);
  try {
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
      throw new Error(`There is no folder '${folder}' for the tarball; make it, or give another`);
    }
    const tarball = await packClient(name);
    const file = `${name.slice(1).replace("/", "-")}-${project.version}.tgz`;
    await writeFile(join(folder, file), tarball);
    console.log(resolve(folder, file));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
