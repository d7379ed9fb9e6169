import assert from "node:assert/strict";
import { join } from "node:path";
import { findOpenPaths, makeFolder } from "../../../server/config/mod.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { compactFile } from "../../../server/store/kv/compact.ts";
import { accept } from "../../support/config.ts";

async function folderWith(mode: number) {
  // A variable cannot name a path with a comma.
  const path = await Deno.makeTempDir();
  await Deno.chmod(path, mode);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("makeFolder() refuses a folder to which every account may write, unless the folder has the sticky bit", async (t) => {
  for (const mode of [0o777, 0o707, 0o702]) {
    await t.step(`a folder of mode ${mode.toString(8)} is refused`, async () => {
      await using folder = await folderWith(mode);
      for (const variable of ["KV_PATH", "BACKUP_URL"] as const) {
        await assert.rejects(makeFolder(variable, folder.path), ({ message }: Error) => {
          const expected = `${variable} needs the folder '${folder.path}', to which every account`;
          assert.ok(message.startsWith(expected), message);
          assert.ok(message.includes(`chmod o-w '${folder.path}'`), message);
          return true;
        });
      }
      const path = join(folder.path, "kv.sqlite3");
      await assert.rejects(openKv({ kind: "file", path }), /^Error: KV_PATH needs the folder/);
      await Deno.writeTextFile(path, "");
      await assert.rejects(compactFile(path), /^Error: KV_PATH needs the folder/);
    });
  }
  for (const mode of [0o700, 0o755, 0o770, 0o1777]) {
    await t.step(`a folder of mode ${mode.toString(8)} is accepted`, async () => {
      await using folder = await folderWith(mode);
      assert.equal(await makeFolder("BACKUP_URL", folder.path), await Deno.realPath(folder.path));
    });
  }
});

Deno.test("findOpenPaths() reports the folder of KV_PATH or BACKUP_URL when other accounts may write to it, and advises a chmod command", async (t) => {
  for (
    const [mode, isOpen] of [[0o700, false], [0o755, false], [0o770, true], [0o1777, true]] as const
  ) {
    await t.step(
      `a folder of mode ${mode.toString(8)} is ${isOpen ? "" : "not "}reported`,
      async () => {
        await using folder = await folderWith(mode);
        await using other = await folderWith(mode);
        const config = accept({ KV_PATH: join(folder.path, "kv.sqlite3"), BACKUP_URL: other.path });
        const found = await findOpenPaths(config);
        assert.deepEqual(found.map(({ path }) => path), isOpen ? [folder.path, other.path] : []);
        for (const { path, advice } of found) {
          assert.ok(advice.endsWith(`chmod go-w '${path}'`), advice);
        }
      },
    );
  }
});

Deno.test("findOpenPaths() reports the folder of MAIL_URL=file:mail when other accounts may write to this folder", async () => {
  await using folder = await folderWith(0o700);
  await Deno.mkdir(join(folder.path, "mail"));
  await Deno.chmod(join(folder.path, "mail"), 0o770);
  const config = accept({ KV_PATH: join(folder.path, "kv.sqlite3"), MAIL_URL: "file:mail" });
  const found = await findOpenPaths(config);
  assert.deepEqual(found.map(({ path }) => path), [join(folder.path, "mail")]);
});

Deno.test("findOpenPaths() reports the KV file or the file of a secret when every account may read or write this file", async (t) => {
  const key = "0123456789".repeat(3) + "01";
  for (
    const [mode, isOpen] of [
      ...[[0o600, false], [0o400, false], [0o640, false]] as const,
      ...[[0o644, true], [0o604, true], [0o602, true]] as const,
    ]
  ) {
    await t.step(
      `files of mode ${mode.toString(8)} are ${isOpen ? "" : "not "}reported`,
      async () => {
        await using folder = await folderWith(0o700);
        const path = join(folder.path, "key");
        await Deno.writeTextFile(path, key);
        await Deno.chmod(path, mode);
        const KV_PATH = join(folder.path, "kv.sqlite3");
        await Deno.writeTextFile(KV_PATH, "");
        await Deno.chmod(KV_PATH, mode);
        const found = await findOpenPaths(accept({ KV_PATH, OPERATOR_KEY_FILE: path }));
        const expected = isOpen ? [path, KV_PATH] : [];
        assert.deepEqual(found.map(({ path }) => path), expected);
        for (const { advice } of found) {
          assert.match(advice, /remove these permissions with chmod o= '\/.+'$/);
          assert.ok(!advice.includes(key));
        }
      },
    );
  }
});
