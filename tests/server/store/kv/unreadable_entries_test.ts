import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Commit, type Key } from "../../../../server/store/kv/engine.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { makeTestFolder } from "../../../support/process.ts";

const KEYS: Key[] = [
  ["a", "x"],
  ["list", "all", "2026-01-01T00:00:00.000Z", "ada@example.com"],
  ["list", "all", "2026-01-01T00:00:00.000Z", "bo@example.com"],
  ["list", "all", "2026-01-02T00:00:00.000Z", "cy@example.com"],
  ["list", "all", 5, "di"],
  ["list", "all", 1_795_746_621_123, "ed"],
  ["list", "all", 1_795_746_621_123, "fy"],
  ["list", "waiting"],
  ["z", "x"],
];

const LIST = KEYS.slice(1, -1);

/** Opens a store with the keys, of which those at some places have a value that Deno rejects with its whole page. */
async function openDamaged(places: number[]) {
  const folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    // One after the other, so that the rows are in their order.
    for (const key of KEYS) await kv.commit(new Commit().set(key, key));
  }
  const db = new DatabaseSync(path);
  const rows = db.prepare("select k from kv where k >= ? and k < ? order by k")
    .all(new Uint8Array([2, 0x6c]), new Uint8Array([2, 0x6d])) as { k: Uint8Array }[];
  assert.equal(rows.length, LIST.length);
  for (const place of places) {
    db.prepare("update kv set v_encoding = v_encoding | 4 where k = ?").run(rows[place]!.k);
  }
  db.close();
  const kv = await openFileKv(path);
  return {
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("list() returns the keys of unreadable entries, and all other entries, forward and backward", async (t) => {
  for (const places of [[], [0], [1], [3], [4], [5, 6], [0, 1, 2, 3, 4, 5, 6]]) {
    await t.step(`the unreadable entries are ${JSON.stringify(places)}`, async () => {
      await using damaged = await openDamaged(places);
      for (const reverse of [false, true]) {
        for (const limit of [1, 2, 3, 100]) {
          for (const after of [undefined, LIST[1]!, LIST[4]!]) {
            const range = reverse ? after && { end: after } : after && { after };
            const page = await damaged.kv.list({ prefix: ["list"], ...range }, { limit, reverse });
            const at = after ? LIST.indexOf(after) : -1;
            const all = LIST.map((key, place) => [key, places.includes(place)] as const);
            const expected = reverse
              ? all.slice(0, after ? at : undefined).reverse()
              : all.slice(at + 1);
            assert.deepEqual(
              page.map((entry) => [entry.key, "fault" in entry]),
              expected.slice(0, limit),
              `${places} ${reverse} ${limit} ${after}`,
            );
          }
        }
      }
    });
  }
});
