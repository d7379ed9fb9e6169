import assert from "node:assert/strict";
import { join } from "node:path";
import { createFile, openOrCreateFile, openOwnFile } from "../../shared/private_files.ts";
import { makeTestFolder } from "../support/process.ts";

/** What another account could have put where a file is to be made; `victim` is a file elsewhere. */
const PLANTED: Record<string, (path: string, victim: string) => Promise<void>> = {
  "a file that everybody may read": async (path) => {
    await Deno.writeTextFile(path, "planted");
    await Deno.chmod(path, 0o666);
  },
  "a link to a file": (path, victim) => Deno.symlink(victim, path),
  "a link to nothing": (path, victim) => Deno.symlink(`${victim}.absent`, path),
  "a second name of a file": (path, victim) => Deno.link(victim, path),
};

async function plant(name: string) {
  const folder = await makeTestFolder();
  const [path, victim] = [join(folder.path, "list.part"), join(folder.path, "victim")];
  await Deno.writeTextFile(victim, "of value");
  await Deno.chmod(victim, 0o644);
  await PLANTED[name]!(path, victim);
  return {
    path,
    isUnharmed: async () =>
      await Deno.readTextFile(victim) === "of value" &&
      await Deno.stat(`${victim}.absent`).then(() => false, () => true),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

for (const name of Object.keys(PLANTED)) {
  Deno.test(`createFile() writes to a new file when something already stands at the path (${name})`, async () => {
    await using test = await plant(name);
    const file = await createFile(test.path);
    await file.writeFile("addresses");
    await file.close();
    const { mode, isSymlink } = await Deno.lstat(test.path);
    assert.deepEqual([mode! & 0o777, isSymlink], [0o600, false]);
    assert.equal(await Deno.readTextFile(test.path), "addresses");
    assert.ok(await test.isUnharmed());
  });

  Deno.test(`openOwnFile() returns undefined when the path has ${name}`, async () => {
    await using test = await plant(name);
    assert.equal(await openOwnFile(test.path), undefined);
    assert.ok(await test.isUnharmed());
  });
}

Deno.test("openOwnFile() opens a file that createFile() has made, and leaves no other file behind", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "list.part");
  await (await createFile(path)).close();
  const file = await openOwnFile(path);
  assert.ok(file);
  await file.writeFile("addresses");
  await file.close();
  assert.equal(await Deno.readTextFile(path), "addresses");
  assert.deepEqual(Array.from(Deno.readDirSync(folder.path), ({ name }) => name), ["list.part"]);
});

Deno.test("openOrCreateFile() creates a new file, opens an existing file, and refuses a symbolic link", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.lock");
  for (const text of ["1", "2"]) {
    const file = await openOrCreateFile(path);
    await file.writeFile(text);
    await file.close();
    assert.equal(await Deno.readTextFile(path), text);
  }
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  await using test = await plant("a link to a file");
  await assert.rejects(openOrCreateFile(test.path), /'.+list\.part' is a link .+; remove it$/);
  assert.ok(await test.isUnharmed());
});
