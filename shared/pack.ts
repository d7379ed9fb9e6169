/**
 * Packs the typed client as an npm package: `api_client.ts` and the modules that it imports, as ES modules with
 * their types. As a program (`deno task pack`), this module takes the name of the package and the folder for
 * the tarball, and prints the tarball's path.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import project from "../deno.json" with { type: "json" };

const PROJECT = resolve(import.meta.dirname ?? "", "..");
const CLIENT = "api_client.ts";

/** What the client runs in, beside Deno and browsers. */
const ENGINES = { node: ">=20.19" };

/** The name of the package where a company does not give it another one. */
const PACKAGE_NAME = "@example/waitlist-client";

/**
 * Writes the tarball `<scope>-<name>-<version>.tgz`. Its version is that of `deno.json`.
 *
 * @param name the name of the package, with its scope
 * @param folder where the tarball goes
 * @returns the path of the tarball
 * @throws {Error} saying what is wrong with the name or the folder, or why it cannot be packed
 */
export async function packClient(name: string, folder: string): Promise<string> {
  if (!/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/.test(name)) {
    throw new Error(`The name '${name}' is not one of a package with a scope, as ${PACKAGE_NAME}`);
  }
  if (!(await Deno.stat(folder).catch(() => undefined))?.isDirectory) {
    throw new Error(`There is no folder '${folder}' for the tarball; make it, or give another one`);
  }
  const stage = await Deno.makeTempDir({ prefix: "waitlist-client-" });
  try {
    const source = join(stage, "source");
    for (const path of await modulesOf(CLIENT)) {
      await Deno.mkdir(dirname(join(source, path)), { recursive: true });
      // The examples of the client import it by the name of the package.
      const text = await Deno.readTextFile(join(PROJECT, "shared", path));
      await Deno.writeTextFile(join(source, path), text.replaceAll(`"./${CLIENT}"`, `"${name}"`));
    }
    const { version, imports: { "openapi-fetch": httpClient } } = project;
    const config = {
      name,
      version,
      license: "MIT",
      exports: `./${CLIENT}`,
      imports: { "openapi-fetch": httpClient },
    };
    await Deno.writeTextFile(join(source, "deno.json"), JSON.stringify(config));
    await Deno.copyFile(join(PROJECT, "LICENSE"), join(source, "LICENSE"));
    const client = await Deno.readTextFile(join(source, CLIENT));
    await Deno.writeTextFile(join(source, "README.md"), `# ${name}\n\n${moduleText(client)}`);

    const packed = join(stage, "packed.tgz");
    await run(Deno.execPath(), ["pack", "--no-source-maps", "--output", packed], source);
    // Its files are in the folder `package`. Deno writes no `engines` into their `package.json`.
    await run("tar", ["-xzf", packed], stage);
    const manifest = join(stage, "package", "package.json");
    const fields = JSON.parse(await Deno.readTextFile(manifest));
    await Deno.writeTextFile(manifest, JSON.stringify({ ...fields, engines: ENGINES }, null, 2));
    const tarball = resolve(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`);
    await run("tar", ["-czf", tarball, "package"], stage);
    return tarball;
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/** The paths, relative to this folder, of a module and of everything in the project that it imports. */
async function modulesOf(entry: string): Promise<string[]> {
  const folder = join(PROJECT, "shared");
  const info = await run(Deno.execPath(), ["info", "--json", join(folder, entry)], PROJECT);
  const { modules } = JSON.parse(info) as { modules: { local?: string }[] };
  return modules.flatMap(({ local }) => local?.startsWith(folder) ? relative(folder, local) : []);
}

/** The text of a module's docstring. */
function moduleText(module: string): string {
  const [, comment = ""] = /^\/\*\*\n([^]*?) \*\n \* @module\n/.exec(module) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}

/** Runs a program; resolves to what it prints. */
async function run(program: string, args: string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`'${program} ${args[0]}' failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

if (import.meta.main) {
  const [name = PACKAGE_NAME, folder = "."] = Deno.args;
  try {
    console.log(await packClient(name, folder));
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
