import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openKv } from "../../../../server/store/kv/open.ts";
import { storeSignUp } from "../../../support/records.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { testWith } from "../../../support/test_with.ts";

const AT = "2026-11-20T08:00:00.000Z";
const ADA = ["sign_up", "ada@example.com"];

const test = testWith(makeTestFolder);

/** The names of a folder's files, each with its bytes. */
async function contents(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  for (const name of names.toSorted()) {
    files.set(name, await Deno.readFile(join(folder, name)));
  }
  return files;
}

function runSql(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** A file at a path, which is not to be opened, and what is said of it. */
const REFUSED: Record<string, [make: (path: string) => Promise<void> | void, fault: RegExp]> = {
  "is empty": [(path) => Deno.writeFile(path, new Uint8Array()), /it is empty; give the service's/],
  "is a text file": [
    (path) => Deno.writeTextFile(path, "This is no KV."),
    /file is not a database/,
  ],
  "is a database without tables": [
    (path) => runSql(path, "pragma user_version = 1"),
    /it is another program's database/,
  ],
  "is another program's database": [
    (path) => runSql(path, "create table users (name text); insert into users values ('ada')"),
    /it is another program's database; give the service's own file, or a new one/,
  ],
  "is another program's database with a write-ahead log": [
    (path) => runSql(path, "pragma journal_mode = wal; create table users (name text)"),
    /it is another program's database/,
  ],
  "is another program's Deno KV": [
    async (path) => {
      using kv = await openFileKv(path);
      await kv.commit(new Commit().set(["users", "ada"], true));
    },
    /it is another program's database/,
  ],
  "is an empty Deno KV": [
    async (path) => (await openFileKv(path)).close(),
    /it is another program's database/,
  ],
};

for (const [name, [make, fault]] of Object.entries(REFUSED)) {
  test(`openKv() refuses a file without the service's data, and does not change this file (the file ${name})`, async (folder) => {
    const path = join(folder.path, "kv.sqlite3");
    await make(path);
    const before = await contents(folder.path);
    await assert.rejects(openKv({ kind: "file", path }), (error: Error) => {
      assert.match(error.message, new RegExp(`^KV_PATH is '${path}', which cannot be opened: `));
      assert.match(error.message, fault);
      return true;
    });
    assert.deepEqual((await contents(folder.path)).get("kv.sqlite3"), before.get("kv.sqlite3"));
    if (!name.includes("Deno KV")) assert.deepEqual(await contents(folder.path), before);
  });
}

test("openKv() refuses a file that SQLite cannot write, and the error names KV_PATH", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path });
    await storeSignUp(store.kv, { email: "ada@example.com" }, AT);
  }
  // SQLite only reads a file of a later format for writing (its header, byte 18), whoever runs this test.
  const bytes = await Deno.readFile(path);
  bytes[18] = 3;
  await Deno.writeFile(path, bytes);
  await assert.rejects(openKv({ kind: "file", path }), (error: Error) => {
    const expected =
      `KV_PATH is '${path}', which cannot be opened: attempt to write a readonly database`;
    assert.ok(error.message.startsWith(expected), error.message);
    return true;
  });
});

test("openKv() refuses a copy of a KV file that was in use unless the -wal file is copied too", async (folder) => {
  const [path, copy] = [join(folder.path, "kv.sqlite3"), join(folder.path, "copy.sqlite3")];
  using store = await openKv({ kind: "file", path });
  await storeSignUp(store.kv, { email: "ada@example.com" }, AT);
  await Deno.copyFile(path, copy);
  await assert.rejects(openKv({ kind: "file", path: copy }), /in use needs its -wal file beside/);

  await Deno.copyFile(`${path}-wal`, `${copy}-wal`);
  using copied = await openKv({ kind: "file", path: copy });
  assert.ok((await readOne(copied.kv, ADA)).value);
});

// Files of older versions bear no mark.
Deno.test("openKv() opens a file that lacks the service's application id when the file holds a store of the service", async (t) => {
  for (const key of [ADA, ["address_key"], ["root_key", "1"]]) {
    await t.step(`the store has the key ${JSON.stringify(key)}`, async () => {
      await using folder = await makeTestFolder();
      const path = join(folder.path, "kv.sqlite3");
      {
        using kv = await openFileKv(path);
        await kv.commit(new Commit().set(key, "kept"));
      }
      using store = await openKv({ kind: "file", path });
      assert.equal((await readOne(store.kv, key)).value, "kept");
    });
  }
});

const DENOS_INDEX = "CREATE INDEX kv_expiration_ms_idx on kv (expiration_ms)";

/** Gives the last row that a statement of SQL yields. Deno 2.5 closes a database only by `close()`. */
function readRow(path: string, sql: string): Record<string, unknown> {
  const db = new DatabaseSync(path);
  const row = db.prepare(sql).all().at(-1)!;
  db.close();
  return row;
}

/** Gives the statement of the index by which Deno finds expired entries. */
const readExpiryIndex = (path: string) =>
  readRow(path, "select sql from sqlite_master where name = 'kv_expiration_ms_idx'").sql;

test("openKv() leaves the entries that do not expire out of Deno's index when it makes a new file", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  using store = await openKv({ kind: "file", path });
  assert.equal(readExpiryIndex(path), `${DENOS_INDEX} where expiration_ms >= 0`);
  await storeSignUp(store.kv, { email: "ada@example.com" }, AT);
  assert.ok((await readOne(store.kv, ADA)).value);
});

test("openKv() leaves the entries that do not expire out of Deno's index when the file is of an earlier version, and keeps no copy of their keys", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  const countCopies = async () => {
    const text = new TextDecoder("latin1").decode(await Deno.readFile(path));
    return text.split("ada@example.com").length - 1;
  };
  {
    using kv = await openFileKv(path);
    await storeSignUp(kv, { email: "ada@example.com" }, AT);
  }
  assert.equal(readExpiryIndex(path), DENOS_INDEX);
  const before = await countCopies();
  assert.ok(before > 0);
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  assert.equal(readExpiryIndex(path), `${DENOS_INDEX} where expiration_ms >= 0`);
  assert.equal(await countCopies(), before / 2);

  using store = await openKv({ kind: "file", path });
  assert.ok((await readOne(store.kv, ADA)).value);
});

test("Deno finds an expired entry by the index of openKv(), and removes it", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  {
    using kv = await openFileKv(path);
    await kv.raw.set(["expires"], true, { expireIn: 1 });
  }
  // Deno removes expired entries when it opens a file, before it answers the first call.
  using kv = await openFileKv(path);
  assert.equal((await kv.raw.get(["expires"])).value, null);

  // The statements of denokv (`sqlite/backend.rs`).
  for (
    const statement of [
      "delete from kv where expiration_ms >= 0 and expiration_ms <= ? returning k",
      "select expiration_ms from kv where expiration_ms >= 0 order by expiration_ms limit 1",
    ]
  ) {
    const { detail } = readRow(path, `explain query plan ${statement}`);
    assert.match(String(detail), /USING (COVERING )?INDEX kv_expiration_ms_idx/, statement);
  }
});

test("openKv() does not change the index of expired entries when Deno has made it in another form", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  const other = `${DENOS_INDEX.slice(0, -1)}, k)`;
  runSql(path, `drop index kv_expiration_ms_idx; ${other}`);
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  assert.equal(readExpiryIndex(path), other);
});

test("openKv() opens the KV file after an earlier process was killed while creating the file", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  // What is left of a try before is in the way of nothing.
  await Deno.writeTextFile(`${path}.new`, "half");
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  const files = ["kv.sqlite3", "kv.sqlite3.lock", "kv.sqlite3.lock.sqlite3"];
  assert.deepEqual([...(await contents(folder.path)).keys()], files);

  const marked = new DataView((await Deno.readFile(path)).buffer).getUint32(68);
  await Deno.remove(path);
  runSql(path, `pragma application_id = ${marked}`);
  using store = await openKv({ kind: "file", path });
  assert.equal((await readOne(store.kv, ADA)).value, null);
});

for (const end of [".lock", ".lock.sqlite3"]) {
  test(`openKv() refuses a symbolic link in place of the ${end} file, and does not change the file at its target`, async (folder) => {
    const path = join(folder.path, "kv.sqlite3");
    const victim = join(folder.path, "victim");
    await Deno.writeTextFile(victim, "of value");
    await Deno.symlink(victim, path + end);
    await assert.rejects(
      openKv({ kind: "file", path }),
      /cannot be opened: '.+lock.*' is a link .+; remove it; give/,
    );
    assert.equal(await Deno.readTextFile(victim), "of value");
  });
}

for (const umask of [0o000, 0o022, 0o077]) {
  Deno.test(
    `openKv() creates files of mode 600 and folders of mode 700 when the umask is ${
      umask.toString(8)
    }`,
    {
      ignore: Deno.build.os === "windows",
    },
    async (t) => {
      await using folder = await makeTestFolder();
      await Deno.chmod(folder.path, 0o755);
      const before = Deno.umask(umask);
      try {
        const path = join(folder.path, "new", "deeper", "kv.sqlite3");
        using store = await openKv({ kind: "file", path });
        await storeSignUp(store.kv, { email: "ada@example.com" }, AT);
        const mode = async (path: string) => ((await Deno.stat(path)).mode! & 0o777).toString(8);
        for (const end of ["", "-wal", "-shm", ".lock"]) {
          await t.step(`kv.sqlite3${end} has mode 600`, async () => {
            assert.equal(await mode(path + end), "600");
          });
        }
        for (const name of ["new", "new/deeper"]) {
          await t.step(`the folder ${name} has mode 700`, async () => {
            assert.equal(await mode(join(folder.path, name)), "700");
          });
        }
        assert.equal(await mode(folder.path), "755", "it was there");
      } finally {
        Deno.umask(before);
      }
    },
  );
}

test("openKv() refuses a KV file in a folder that is a link into the program's own folder", async (folder) => {
  const link = join(folder.path, "link");
  await Deno.symlink(join(import.meta.dirname!, "../../../server"), link);
  const path = join(link, "kv.sqlite3");
  await assert.rejects(openKv({ kind: "file", path }), /its folder holds the program's own code/);
  await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
});

test("openKv() creates the folder of the file, and reads the stored entries when it opens the file again", async (folder) => {
  const path = join(folder.path, "a folder", "deeper", "waitlist.sqlite3");
  {
    using store = await openKv({ kind: "file", path });
    assert.equal(store.name, path);
    await store.kv.commit(new Commit().set(ADA, 1));
  }
  assert.equal((await Deno.stat(path)).isFile, true);
  using again = await openKv({ kind: "file", path });
  assert.equal((await readOne(again.kv, ADA)).value, 1);
});

test("openKv() creates no file and does not change the -wal file when only the -wal file exists", async (folder) => {
  const path = join(folder.path, "kv.sqlite3");
  await Deno.writeTextFile(`${path}-wal`, "sign-ups");
  await assert.rejects(openKv({ kind: "file", path }), /it is missing, and '.+-wal'.+put the file/);
  assert.equal(await Deno.readTextFile(`${path}-wal`), "sign-ups");
});

test("openKv() refuses a file that has a second name (a hard link)", async (folder, t) => {
  const path = join(folder.path, "kv.sqlite3");
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  const other = join(folder.path, "other.sqlite3");
  await Deno.link(path, other);
  for (const each of [path, other]) {
    await t.step(`opened as ${each}`, async () => {
      await assert.rejects(
        openKv({ kind: "file", path: each }),
        /another name, too \(a hard link\)/,
      );
    });
  }
});
