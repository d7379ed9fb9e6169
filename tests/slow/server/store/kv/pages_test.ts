import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { type EntrySelector, readEntries } from "../../../../../server/store/kv/pages.ts";
import { openKv } from "../../../../../server/store/kv/open.ts";
import { type DamagedPart, damageEntry } from "../../../../support/damage.ts";
import { faultyKv } from "../../../../support/faulty_kv.ts";
import { makeTestFolder } from "../../../../support/process.ts";
import { Commit, type Kv } from "../../../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../../../support/memory_kv.ts";

const VALUE_FAULT = "KV cannot read its value.";

/** A store with an entry of each text, some of them damaged, read from one after another. */
async function readDamaged(
  texts: string[],
  damaged: Map<string, DamagedPart>,
  selector: Partial<EntrySelector<string>> = {},
) {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path });
    // What lies beside them must not be read.
    const commit = new Commit().set(["other", "x"], 1).set(["text!", "x"], 2);
    for (const text of texts) commit.set(["text", text], `<${text}>`);
    await store.kv.commit(commit);
  }
  // By its value, a short text is found, too.
  for (const [text, part] of damaged) {
    const json = JSON.stringify(`<${text}>`).slice(1, -1);
    damageEntry(path, part === "key" ? text : json, part);
  }
  using store = await openKv({ kind: "file", path });
  return await readTexts(store.kv, selector);
}

async function readTexts(kv: Kv, selector: Partial<EntrySelector<string>> = {}) {
  const batches = await Array.fromAsync(
    readEntries<string>(kv, { prefix: ["text"], limit: 3, ...selector }),
  );
  return {
    texts: batches.flatMap(({ entries }) => entries.map(({ key }) => String(key[1]))),
    unreadable: batches.flatMap(({ unreadable }) => unreadable),
  };
}

function damage(texts: string[], part: DamagedPart = "value"): Map<string, DamagedPart> {
  return new Map(texts.map((text) => [text, part]));
}

Deno.test("readEntries() names entries that KV cannot read, wherever they stand, and reads all other entries", async () => {
  const texts = Array.from({ length: 10 }, (_, n) => `visitor${n}@example.com`);
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(texts),
      fc.integer({ min: 1, max: 12 }),
      fc.option(fc.constantFrom(...texts), { nil: undefined }),
      async (damaged, limit, after) => {
        const read = await readDamaged(texts, damage(damaged), { limit, after });
        const wanted = texts.filter((text) => after === undefined || text > after);
        assert.deepEqual(read, {
          texts: wanted.filter((text) => !damaged.includes(text)),
          unreadable: wanted.filter((text) => damaged.includes(text))
            .map((text) => ({ key: ["text", text], reason: VALUE_FAULT })),
        });
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("readEntries() names an unreadable entry, whatever length and ASCII text the entry's key has", async (t) => {
  const damaged = [
    "",
    "\0",
    " ",
    "a",
    `${"a".repeat(240)}@example.com`,
    "a\u0000\u0000b",
    "~~",
  ];
  const others = ["!", "a@example.com", "z"];
  for (const text of damaged) {
    await t.step(JSON.stringify(text), async () => {
      const read = await readDamaged([...others, text], damage([text]), { limit: 100 });
      assert.deepEqual(read, {
        texts: others,
        unreadable: [{ key: ["text", text], reason: VALUE_FAULT }],
      });
    });
  }
});

Deno.test("readEntries() names an entry whose type of value is unknown, and continues with the next entry", async () => {
  const read = await readDamaged(["ada", "bob", "zoe"], damage(["bob"], "encoding"));
  assert.deepEqual(read, {
    texts: ["ada", "zoe"],
    unreadable: [{ key: ["text", "bob"], reason: VALUE_FAULT }],
  });
});

Deno.test("readEntries() reports the readable beginning of an entry's key when the end of the key is damaged", async (t) => {
  const texts = ["ada@example.com", "bob@example.com", "bob@example.org", "zoe@example.com"];
  const reason = "KV cannot read its key, of which this is the beginning.";
  for (const [text, beginning] of [["org", "bob@example."], ["zoe@example.com", ""]] as const) {
    await t.step(text, async () => {
      const read = await readDamaged(texts, damage([text], "key"));
      assert.deepEqual(read.texts, texts.filter((each) => !each.endsWith(text)));
      assert.equal(read.unreadable.length, 1);
      assert.equal(read.unreadable[0]?.reason, reason);
      assert.ok(read.unreadable[0]?.key[1]?.startsWith(beginning), read.unreadable[0]?.key[1]);
    });
  }
});

Deno.test("readEntries() names entries whose value does not fit the schema", async () => {
  const form = {
    schema: z.object({ a: z.literal("<a>") }),
    toForm: (_: string, a: unknown) => ({ a }),
  };
  const read = await readDamaged(["a", "b"], new Map(), { form });
  assert.deepEqual(read, {
    texts: ["a"],
    unreadable: [{ key: ["text", "b"], reason: "The field a does not have the right form." }],
  });
});

Deno.test("readEntries() rejects with KV's error when KV fails as a whole", async () => {
  using kv = await openMemoryKv();
  for (const text of ["a", "b", "c"]) await kv.commit(new Commit().set(["text", text], text));
  let reads = 0;
  const failing = faultyKv(kv, (commit) => commit(), (read) => {
    if (++reads > 1) throw new Error("KV is gone");
    return read();
  });
  await assert.rejects(
    Array.fromAsync(readEntries(failing, { prefix: ["text"], limit: 1 })),
    /KV is gone/,
  );
});
