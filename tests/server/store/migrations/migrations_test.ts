import assert from "node:assert/strict";
import { base64url } from "jose";
import { findSignUp } from "../../../../server/store/erasures.ts";
import { SCHEMA_VERSION, type StoredSchema } from "../../../../server/store/schema.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { type AroundCommit, faultyKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import {
  addPeople,
  OLD_STORES,
  openOldStore,
  openTestSchema,
  readSchemaEntry,
} from "../../../support/old_stores.ts";
import { everyEntry, storedIds } from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { serveOn } from "../../../support/service.ts";

/** Thrown in place of a commit: the process has ended. */
class Killed extends Error {}

/** More people than one batch of a migration takes. */
const MORE = Array.from({ length: 600 }, (_, n) => `more${n}@example.com`);

/** Asserts that the store has this version with so many people, each of them once in everything. */
async function assertUpgraded(kv: Deno.Kv, people: number): Promise<Record<string, string>> {
  const { version, migrating } = (await readSchemaEntry(kv))!;
  assert.deepEqual({ version, migrating }, { version: SCHEMA_VERSION, migrating: undefined });
  const ids = await storedIds(kv);
  assert.equal(new Set(Object.values(ids)).size, people);
  for (const id of Object.values(ids)) assert.match(id, /^[\w-]{22}$/);
  assert.equal((await Array.fromAsync(kv.list({ prefix: ["person", "waiting"] }))).length, people);
  await assertListsAgree(kv);
  return ids;
}

/** The erasure keys of a store, which were bytes of their own in version 1. */
function erasureKeysIn(entries: Deno.KvEntry<unknown>[]): string | undefined {
  const valueOf = (name: string) => entries.find(({ key }) => key[0] === name)?.value;
  const bytes = valueOf("erasure_key") as Uint8Array | undefined;
  return bytes ? base64url.encode(bytes) : (valueOf("schema") as StoredSchema).erasureKeys;
}

for (const { version, people } of OLD_STORES) {
  Deno.test(`openSchema() gives every record of version ${version} an id and a state and keeps all that it had`, async () => {
    await using store = await openOldStore(version);
    const { kv } = store;
    const before = await everyEntry(kv);
    const { log } = await openTestSchema(kv);
    await assertUpgraded(kv, people);
    await assertCountersEqualRecount(kv);

    const added: string[] = [];
    const old = new Map(before.map(({ key, value }) => [key.join("/"), value]));
    for (const { key, value } of await everyEntry(kv)) {
      const name = key.join("/");
      if (name === "schema") {
        assert.deepEqual(value, { version: SCHEMA_VERSION, erasureKeys: erasureKeysIn(before) });
      } else if (key[0] === "sign_up") {
        const { id } = value as SignUpRecord;
        assert.deepEqual(value, { id, ...old.get(name) as object, state: "waiting" });
      } else if (old.has(name)) assert.deepEqual(value, old.get(name));
      else if (key[0] !== "person") added.push(name);
      old.delete(name);
    }
    assert.deepEqual([...old.keys()], version === 1 ? ["erasure_key"] : [], "nothing else went");
    assert.deepEqual(added, ["statistics/byState/waiting"]);

    for (
      const [email, erasedAt] of [
        ["visitor3@example.com", "2026-10-03T10:00:00.000Z"],
        ["restored@example.com", "2026-10-01T13:00:00.000Z"],
      ] as const
    ) {
      assert.deepEqual(await findSignUp(kv, email), { erasedAt });
    }
    const steps = Array.from({ length: SCHEMA_VERSION - version }, (_, n) => version + n);
    assert.deepEqual(
      log.map(({ event, version }) => [event, version]),
      steps.flatMap((from) => [["upgrading the store", from], ["the store is upgraded", from + 1]]),
    );
    assert.ok(!JSON.stringify(log).includes("@"));
  });

  Deno.test(`openSchema() leaves a store of version ${version} that the service works on`, async () => {
    await using store = await openOldStore(version);
    await openTestSchema(store.kv);
    const service = await serveOn(store.kv);
    const answer = await service.request("/api/v1/waitlist", {
      method: "POST",
      body: new URLSearchParams({ email: "visitor3@example.com", consent: "true" }),
    });
    assert.equal(answer.status, 303);
    assert.ok("record" in (await findSignUp(store.kv, "visitor3@example.com"))!);
    await assertListsAgree(store.kv);
    await service.stop();
  });

  Deno.test(`openSchema() goes on where it was when the process that upgrades version ${version} was killed after any commit`, async () => {
    let survivors = 0;
    for (let killed = true; killed; survivors++) {
      await using store = await openOldStore(version);
      const { kv } = store;
      await addPeople(kv, { version, emails: MORE });
      let commits = 0;
      const kill: AroundCommit = (commit) =>
        commits++ < survivors ? commit() : Promise.reject(new Killed());
      killed = await openTestSchema(faultyKv(kv, kill)).then(() => false, (error) => {
        assert.ok(error instanceof Killed, error);
        return true;
      });
      const before = await storedIds(kv);

      await openTestSchema(kv);
      const ids = await assertUpgraded(kv, people + MORE.length);
      for (const [email, id] of Object.entries(ids)) assert.equal(before[email] ?? id, id);
    }
    // Each step has a commit to begin with, two batches at least, and a last commit.
    assert.ok(survivors > (SCHEMA_VERSION - version) * 4, `${survivors} kills`);
  });

  for (const goThrough of [true, false]) {
    const fault = goThrough ? "goes through without an answer" : "fails";
    Deno.test(`openSchema() writes each batch of version ${version} once when every other commit ${fault}`, async () => {
      await using store = await openOldStore(version);
      await addPeople(store.kv, { version, emails: MORE });
      let commits = 0;
      const uncertain = faultyKv(store.kv, async (commit) => {
        if (commits++ % 2 === 1) return await commit();
        if (goThrough) await commit();
        throw new Error("The answer was lost");
      });
      await openTestSchema(uncertain);
      await assertUpgraded(store.kv, people + MORE.length);
    });
  }

  Deno.test(`openSchema() leaves a record of version ${version} that is no object as it is, and upgrades the others`, async () => {
    await using store = await openOldStore(version);
    const broken = ["sign_up", "broken@example.com"];
    await store.kv.set(broken, "broken");
    await openTestSchema(store.kv);
    assert.equal((await store.kv.get(broken)).value, "broken");
    await store.kv.delete(broken);
    await assertUpgraded(store.kv, people);
  });

  // KV takes 81,920 bytes of keys in a commit.
  Deno.test(`openSchema() upgrades version ${version} when the addresses are the longest that there can be`, async () => {
    await using store = await openOldStore(version);
    const emails = MORE.map((email) => email.padStart(254, "a"));
    await addPeople(store.kv, { version, emails });
    await openTestSchema(store.kv);
    await assertUpgraded(store.kv, people + emails.length);
  });
}
