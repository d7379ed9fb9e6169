import assert from "node:assert/strict";
import { join } from "node:path";
import { base64url } from "jose";
import { createLog } from "../../../../server/log.ts";
import { findSignUp } from "../../../../server/store/erasures.ts";
import { openSchema } from "../../../../server/store/migrations/mod.ts";
import { SCHEMA_VERSION, type StoredSchema } from "../../../../server/store/schema.ts";
import { storeSignUps } from "../../../../server/store/sign_ups.ts";
import { readCounts } from "../../../../server/store/statistics.ts";
import { type AroundCommit, faultyKv, uncertainKv } from "../../../support/faulty_kv.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { everyEntry, recordId, recount, storedIds } from "../../../support/records.ts";
import { serveOn, START } from "../../../support/service.ts";

/** Written on Deno 2.5, as older versions of Deno cannot read what newer ones have written. */
const FIXTURE = join(import.meta.dirname!, "../../../fixtures/store_version_1.sqlite3");

/** The ids of the 26 people in the fixture, of whom two more were erased. */
const PEOPLE = 26;

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** A copy of the store that version 1 of the schema wrote; disposing of it removes it. */
async function openFixture() {
  const folder = await makeTestFolder();
  const path = join(folder.path, "waitlist.sqlite3");
  await Deno.copyFile(FIXTURE, path);
  const kv = await Deno.openKv(path);
  return {
    kv,
    path,
    async [Symbol.asyncDispose]() {
      kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Opens the schema of a KV, with a clock that pauses move. */
async function open(
  kv: Deno.Kv,
  { isShared = false, onPause = () => {} }: {
    isShared?: boolean;
    onPause?: (pauses: number) => unknown;
  } = {},
): Promise<{ log: Record<string, unknown>[]; paused: number }> {
  const log: Record<string, unknown>[] = [];
  let paused = 0, pauses = 0;
  await openSchema({
    kv,
    isShared,
    random,
    monotonic: () => paused,
    log: createLog({
      level: "info",
      now: () => START,
      write: (line) => log.push(JSON.parse(line)),
    }),
    async pause(ms) {
      paused += ms;
      await onPause(++pauses);
    },
  });
  return { log, paused };
}

async function readSchemaEntry(kv: Deno.Kv): Promise<StoredSchema | null> {
  return (await kv.get<StoredSchema>(["schema"])).value;
}

Deno.test("openSchema() gives an empty store the version of the program and writes nothing the next time", async () => {
  using kv = await Deno.openKv(":memory:");
  await open(kv);
  const entries = await everyEntry(kv);
  assert.deepEqual(entries.map(({ key, value }) => [key, value]), [
    [["schema"], { version: SCHEMA_VERSION }],
  ]);
  const { log } = await open(kv);
  assert.deepEqual(await everyEntry(kv), entries);
  assert.deepEqual(log, []);
});

Deno.test("openSchema() refuses a store when a newer program has upgraded it or is about to", async () => {
  const newer = SCHEMA_VERSION + 1;
  const migrating = { to: newer, by: "another", batch: 0, records: 0 };
  for (const schema of [{ version: newer }, { version: SCHEMA_VERSION, migrating }]) {
    using kv = await Deno.openKv(":memory:");
    await kv.set(["schema"], schema);
    await assert.rejects(
      open(kv),
      new RegExp(
        `schema version ${newer}, and this program knows versions up to ${SCHEMA_VERSION}`,
      ),
    );
    assert.deepEqual(await readSchemaEntry(kv), schema);
  }
});

Deno.test("openSchema() gives every record of version 1 an id and keeps all that it had", async () => {
  await using store = await openFixture();
  const { kv } = store;
  const before = await everyEntry(kv);
  const { log } = await open(kv);
  const ids = Object.values(await storedIds(kv));
  assert.equal(ids.length, PEOPLE);
  assert.equal(new Set(ids).size, PEOPLE);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);

  const after = new Map((await everyEntry(kv)).map(({ key, value }) => [key.join("/"), value]));
  for (const { key, value } of before) {
    if (key[0] === "erasure_key") {
      const erasureKeys = base64url.encode(value as Uint8Array);
      assert.deepEqual(after.get("schema"), { version: 2, erasureKeys });
    } else if (key[0] === "sign_up") {
      const { id: _, ...record } = after.get(key.join("/")) as { id: string };
      assert.deepEqual(record, value);
    } else assert.deepEqual(after.get(key.join("/")), value);
  }
  assert.equal(after.size, before.length, "the erasure key's entry became the schema's");
  assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  assert.deepEqual(await findSignUp(kv, "visitor3@example.com"), {
    erasedAt: "2026-10-03T10:00:00.000Z",
  });
  assert.deepEqual(await findSignUp(kv, "restored@example.com"), {
    erasedAt: "2026-10-01T13:00:00.000Z",
  });
  assert.deepEqual(log.map(({ event, version }) => [event, version]), [
    ["upgrading the store", 1],
    ["the store is upgraded", 2],
  ]);
  assert.ok(!JSON.stringify(log).includes("@"));
});

Deno.test("openSchema() leaves a record that is no object as it is, and upgrades the others", async () => {
  await using store = await openFixture();
  const { kv } = store;
  const broken = ["sign_up", "broken@example.com"];
  await kv.set(broken, "broken");
  await open(kv);
  assert.equal((await kv.get(broken)).value, "broken");
  const { "broken@example.com": _, ...ids } = await storedIds(kv);
  assert.equal(Object.values(ids).filter(Boolean).length, PEOPLE);
  assert.deepEqual((await readSchemaEntry(kv))?.version, 2);
});

Deno.test("openSchema() leaves a store that the service works on", async () => {
  await using store = await openFixture();
  await open(store.kv);
  const service = await serveOn(store.kv);
  const answer = await service.request("/api/v1/waitlist", {
    method: "POST",
    body: new URLSearchParams({ email: "visitor3@example.com", consent: "true" }),
  });
  assert.equal(answer.status, 303);
  assert.ok("record" in (await findSignUp(store.kv, "visitor3@example.com"))!);
  await service.stop();
});

/** Thrown in place of a commit: the process has ended. */
class Killed extends Error {}

for (const survivors of [0, 1, 2, 3]) {
  Deno.test(`openSchema() goes on where it was when the process was killed after ${survivors} commits`, async () => {
    await using store = await openFixture();
    const { kv } = store;
    // Two batches: more records than one batch takes.
    await Promise.all(Array.from({ length: 600 }, (_, n) => {
      const at = new Date(START - n).toISOString();
      const record = { createdAt: at, consentedAt: at, updatedAt: at, lang: "en" };
      return kv.set(["sign_up", `more${n}@example.com`], record);
    }));
    let commits = 0;
    const kill: AroundCommit = (commit) =>
      commits++ < survivors ? commit() : Promise.reject(new Killed());
    await assert.rejects(open(faultyKv(kv, kill)), Killed);
    const ids = await storedIds(kv);

    await open(kv);
    const now = await storedIds(kv);
    assert.equal(Object.keys(now).length, PEOPLE + 600);
    for (const [email, id] of Object.entries(now)) assert.equal(ids[email] ?? id, id);
    assert.equal(new Set(Object.values(now)).size, PEOPLE + 600);
    assert.equal((await readSchemaEntry(kv))?.version, 2);
  });
}

for (const goThrough of [true, false]) {
  const fault = goThrough ? "went through without an answer" : "failed";
  Deno.test(`openSchema() writes each batch once when commits ${fault}`, async () => {
    await using store = await openFixture();
    await open(uncertainKv(store.kv, { commits: 2, goThrough }));
    assert.equal(Object.keys(await storedIds(store.kv)).length, PEOPLE);
    assert.equal((await readSchemaEntry(store.kv))?.version, 2);
  });
}

Deno.test("openSchema() waits while another process upgrades the store", async () => {
  await using store = await openFixture();
  const { kv } = store;
  const migrating = { to: 2, by: "another", batch: 0, records: 0 };
  await kv.set(["schema"], { version: 1, migrating });
  const { paused, log } = await open(kv, {
    isShared: true,
    async onPause(pauses) {
      // It makes some progress every three seconds, and then ends.
      const progress = { ...migrating, batch: pauses };
      if (pauses < 60 && pauses % 6 === 0) {
        await kv.set(["schema"], { version: 1, migrating: progress });
      } else if (pauses === 60) await kv.set(["schema"], { version: 2 });
    },
  });
  assert.equal(paused, 30_000);
  assert.deepEqual(log.map(({ event }) => event), [
    "waiting for another process, which upgrades the store",
  ]);
  assert.deepEqual(Object.values(await storedIds(kv)).filter(Boolean), []);
});

Deno.test("openSchema() takes over when another process makes no progress for ten seconds", async () => {
  await using store = await openFixture();
  const { kv } = store;
  await kv.set(["schema"], {
    version: 1,
    migrating: { to: 2, by: "another", batch: 0, records: 0 },
  });
  const { paused } = await open(kv, { isShared: true });
  assert.equal(paused, 10_000);
  assert.equal(Object.values(await storedIds(kv)).filter(Boolean).length, PEOPLE);
});

Deno.test("openSchema() writes nothing more when another process has taken over", async () => {
  await using store = await openFixture();
  const { kv } = store;
  let commits = 0;
  const overtaken = faultyKv(kv, async (commit) => {
    // The other process upgrades the store while this one is at its first batch.
    if (++commits === 3) await open(kv);
    return await commit();
  });
  await open(overtaken, { isShared: true });
  const ids = Object.values(await storedIds(kv));
  assert.equal(new Set(ids).size, PEOPLE);
  const { version, migrating } = (await readSchemaEntry(kv))!;
  assert.deepEqual({ version, migrating }, { version: 2, migrating: undefined });
});

Deno.test("storeSignUps() stores nothing when a newer program has begun to upgrade the store", async () => {
  using kv = await Deno.openKv(":memory:");
  await open(kv);
  const signUps = [{
    signUp: { email: "ada@example.com" },
    at: new Date(START).toISOString(),
    id: recordId(),
  }];
  const newer = { version: 2, migrating: { to: 3, by: "another", batch: 0, records: 0 } };
  // It begins between the reading and the commit.
  let begun = false;
  const raced = faultyKv(kv, async (commit) => {
    if (!begun) await kv.set(["schema"], newer);
    begun = true;
    return await commit();
  });
  await assert.rejects(storeSignUps(raced, signUps), /schema version 3/);
  assert.deepEqual(await storedIds(kv), {});
});
