/**
 * `package.json` names what the service and the CLI need, on Deno and on Node; a start downloads that. What Node needs
 * alone is in its `optionalDependencies`, which Deno passes over. Tests, benchmarks and the generator have
 * `tests/deno.json`, whose imports repeat those of the service.
 */
import assert from "node:assert/strict";
import { readSources } from "./support/project_files.ts";
import service from "../deno.json" with { type: "json" };
import packages from "../package.json" with { type: "json" };
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
  return /^(?!node:|(?:deno|package)\.json$|(?:server|cli|shared)\/)(@[^/]+\/)?[^/]+/.exec(
    specifier,
  )?.[0];
}

/** Asserts that a record of the development configuration has all entries of the service's. */
function assertIncludes(record: object, expected: object): void {
  const wayOut = "Repeat the change in tests/, with `deno task --frozen=false lock`";
  assert.deepEqual({ ...record, ...expected }, record, wayOut);
}

Deno.test("tests/deno.json has the packages of package.json and the compiler options of deno.json", () => {
  const named = { ...packages.dependencies, ...packages.optionalDependencies };
  const imports = Object.entries(named).map(([name, version]) => {
    const specifier = version.startsWith("npm:") ? version : `npm:${name}@${version}`;
    // Modules below a package are named by their paths in it.
    return name === "@noble/hashes"
      ? [`${name}/`, `${specifier.replace(":", ":/")}/`]
      : [name, specifier];
  });
  assertIncludes(development.imports, Object.fromEntries(imports));
  assert.deepEqual(development.compilerOptions, service.compilerOptions);
  assert.deepEqual(development.unstable, service.unstable);
});

Deno.test("tests/deno.lock holds the packages of deno.lock in the same versions", async () => {
  const lock = await readLock("../deno.lock");
  const developmentLock = await readLock("./deno.lock");
  assertIncludes(developmentLock.specifiers, lock.specifiers);
  assertIncludes(integrities(developmentLock), integrities(lock));
});

Deno.test("package-lock.json holds the packages of deno.lock in the same versions", async () => {
  const lock: { packages: Record<string, { name?: string; version: string; integrity: string }> } =
    JSON.parse(await Deno.readTextFile(new URL("../package-lock.json", import.meta.url)));
  const entries = Object.entries(lock.packages).filter(([path]) => path !== "");
  const held = entries.map(([path, { name = path.replace(/.*node_modules\//, ""), ...each }]) => {
    return [`${name}@${each.version}`, each.integrity];
  });
  // Names of peers follow the version.
  const expected = Object.entries(integrities(await readLock("../deno.lock")))
    .map(([id, integrity]) => [id.replace(/_.*/, ""), integrity]);
  const forNode = held.filter(([id]) => !id!.startsWith("@deno/kv"));
  assert.deepEqual(
    Object.fromEntries(forNode),
    Object.fromEntries(expected),
    "Make both with `deno task --frozen=false lock`; npm takes `--before` a date for older versions",
  );
  assert.deepEqual(Object.keys(packages.optionalDependencies), ["@deno/kv"]);
});

Deno.test("deno.json and tests/deno.json set `frozen` for their lock files", async (t) => {
  for (
    const [file, config] of Object.entries({ "deno.json": service, "tests/deno.json": development })
  ) {
    await t.step(file, () => {
      assert.deepEqual(config.lock, { path: "./deno.lock", frozen: true });
    });
  }
});

Deno.test("package.json names the packages that server/, cli/ and shared/ import, and no others", async () => {
  const sources = await readSources(["server", "cli", "shared"]);
  const imported = new Set(
    sources.flatMap(({ imports }) => imports.flatMap(({ to }) => packageOf(to) ?? [])),
  );
  assert.deepEqual(imported, new Set(Object.keys(packages.dependencies)));
});
