/**
 * The program of the task `pack`. It packs the typed client (`pack_client.ts`) and the CLI (`pack_cli.ts`) as npm
 * packages, and prints the paths of the tarballs. Its first argument is the name of the client's package, and the
 * package of the CLI gets the same scope. Its second argument is the folder for the tarballs.
 *
 * @module
 */
import { stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import project from "../deno.json" with { type: "json" };
import { packCli } from "./pack_cli.ts";
import { PACKAGE_NAME, packClient } from "./pack_client.ts";

const [clientName = PACKAGE_NAME, folder = "."] = process.argv.slice(2);
try {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new Error(`There is no folder '${folder}' for the tarballs; make it, or give another`);
  }
  // A name without a scope stays the same here. `packClient()` then refuses it before a file is written.
  const cliName = clientName.replace(/\/.*/, "/waitlist-cli");
  const tarballs = {
    [clientName]: await packClient(clientName),
    [cliName]: await packCli(cliName),
  };
  for (const [packageName, tarball] of Object.entries(tarballs)) {
    // The file of `@example/waitlist-cli` is `example-waitlist-cli-1.0.0.tgz`, as npm names it.
    const file = `${packageName.slice(1).replace("/", "-")}-${project.version}.tgz`;
    await writeFile(join(folder, file), tarball);
    console.log(resolve(folder, file));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
