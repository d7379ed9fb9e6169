/**
 * The service and the CLI have `deno.json`, which a start downloads; tests, benchmarks and the generator
 * have `tests/deno.json`, whose imports repeat those of the service.
 */
import assert from "node:assert/strict";
import { readSources } from "./support/sources.ts";
import service from "../deno.json" with { type: "json" };
import development from "./deno.json" with { type: "json" };

/** The parts of a lock file that say which package is used. */
interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, { integrity: string }>;
}

async function readLock(name: string): Promise<Lock> {
  return JSON.parse(await Deno.readTextFile(new URL(name, import.meta.url)));
}

/** The digest of each package, by its name and version. */
function integrities({ npm }: Lock): Record<string, string> {
  return Object.fromEntries(Object.entries(npm).map(([id, { integrity }]) => [id, integrity]));
}

/** The package that an import names, `undefined` where it names a file or a part of Node. */
function packageOf(specifier: string): string | undefined {
  return /^(?!node:|deno\.json$|(?:server|cli|shared)\/)(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

/** Asserts that a record of the development configuration has all entries of the service's. */
function assertIncludes(record: object, expected: object): void {
  const wayOut = "Repeat the change in tests/, with `deno install --frozen=false` in both folders";
  assert.deepEqual({ ...record, ...expected }, record, wayOut);
}

Deno.test("tests/deno.json repeats the imports and compiler options of deno.json", () => {
  assertIncludes(development.imports, service.imports);
  assert.deepEqual(development.compilerOptions, service.compilerOptions);
  assert.deepEqual(development.unstable, service.unstable);
});

Deno.test("tests/deno.lock holds the packages of deno.lock in the same versions", async () => {
  const lock = await readLock("../deno.lock");
  const developmentLock = await readLock("./deno.lock");
  assertIncludes(developmentLock.specifiers, lock.specifiers);
  assertIncludes(integrities(developmentLock), integrities(lock));
});

Deno.test("deno.json and tests/deno.json freeze their lock files", () => {
  for (const config of [service, development]) {
    assert.deepEqual(config.lock, { path: "./deno.lock", frozen: true });
  }
});

Deno.test("deno.json imports what server/, cli/ and shared/ import, and nothing else", async () => {
  const sources = await readSources(["server", "cli", "shared"]);
  const imported = new Set(
    sources.flatMap(({ imports }) => imports.flatMap(({ to }) => packageOf(to) ?? [])),
  );
  assert.deepEqual(imported, new Set(Object.keys(service.imports).map(packageOf)));
});
