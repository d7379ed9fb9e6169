/**
 * A store of schema 3, whose values are in the serialization of Deno's V8, and the start of a program that upgrades it.
 * @module
 */
import assert from "node:assert/strict";
import { readOne } from "../../server/store/kv/calls.ts";
import type { Key, Kv } from "../../server/store/kv/engine.ts";
import { upgradeStore } from "../../server/store/kv/migrations/mod.ts";
import { SCHEMA_VERSION, type StoredSchema } from "../../server/store/kv/schema.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";
import { recordLog } from "./log.ts";
import { listAll, openMemoryKv, type TestKv } from "./memory_kv.ts";
import { random, recordId } from "./records.ts";
import { START } from "./service.ts";

/** The version of the store that {@linkcode openOldStore} makes. */
export const OLD_VERSION = 3;

/** The erasure key and the secret of its root key: 32 bytes in base64url. */
const OLD_KEY = "A".repeat(43);

const AT = new Date(START).toISOString();

/** Makes a store of schema 3 with some people, the longest addresses that there can be. */
export async function openOldStore(people = 450): Promise<TestKv> {
  const kv = await openMemoryKv();
  await fillOldStore(kv.raw, people);
  return kv;
}

/** Writes what a service of schema 3 with some people has. */
export async function fillOldStore(raw: Deno.Kv, people: number): Promise<void> {
  const limits = new Uint8Array([123, 1, 2]);
  await raw.atomic()
    .set(["schema"], { version: OLD_VERSION, erasureKeys: OLD_KEY })
    .set(["address_key"], random(32))
    .set(["limit_counts", 1, "process", "default"], limits)
    .set(["recount"], AT)
    .set(["root_key", "1"], { keyId: "1", secret: OLD_KEY, signsFrom: START })
    .set(["due", "letters", START, "item"], true)
    .set(["outbox", "item"], { queue: "letters", dueAt: START, email: "ü@example.com" })
    .set(["slot"], true).set(["slot", "old", 0], -7)
    .sum(["outbox_count", "due"], 1n).sum(["statistics", "byLang", "de"], 2n ** 64n - 1n)
    .commit();
  for (let from = 0; from < people; from += 100) {
    const atomic = raw.atomic().sum(["statistics", "total"], BigInt(Math.min(100, people - from)));
    for (let n = from; n < Math.min(from + 100, people); n++) {
      const email = `${n}@example.com`.padStart(254, "a");
      const record = { id: recordId(), state: "waiting", lang: "en", createdAt: AT, updatedAt: AT };
      if (n === 7) Object.assign(record, { invitationCode: "an old code" });
      if (n === 8) Object.assign(record, { undeliverableAt: AT, complainedAt: AT });
      atomic.set(["sign_up", email], { ...record, consentedAt: AT })
        .set(["person", "waiting", AT, email], { lang: "en" });
    }
    await atomic.commit();
  }
}

/** The names of the entries whose values are neither bytes nor counters. */
export async function unconvertedKeys(raw: Deno.Kv): Promise<Deno.KvKey[]> {
  const entries = await Array.fromAsync(raw.list({ prefix: [] }));
  return entries.flatMap(({ key, value }) => {
    const isOld = !(value instanceof Uint8Array) && !(value instanceof Deno.KvU64);
    // Slots are the engine's own, and a sweep removes those of old processes.
    return isOld && key[0] !== "slot" ? [key] : [];
  });
}

/** How a test opens the schema. */
interface OpenSchemaOptions {
  isShared?: boolean;
  /** Runs in each pause, with the number of pauses so far. */
  onPause?: (pauses: number) => unknown;
}

/** Opens the schema of a KV, with a clock that pauses move. */
export async function openTestSchema(
  kv: Kv,
  { isShared = false, onPause = () => {} }: OpenSchemaOptions = {},
): Promise<{ log: Record<string, unknown>[]; paused: number }> {
  const { log, lines } = recordLog("info", () => START);
  let paused = 0, pauses = 0;
  await upgradeStore({
    kv,
    isShared,
    random,
    monotonic: () => paused,
    log,
    async pause(ms) {
      paused += ms;
      await onPause(++pauses);
    },
  });
  return { log: lines, paused };
}

/** Reads the entry of the schema. */
export async function readSchemaEntry(kv: Kv): Promise<StoredSchema | null> {
  return (await readOne<StoredSchema>(kv, ["schema"])).value;
}

/** The beginnings of the keys that the migration keeps. */
const PREFIXES = ["due", "outbox", "outbox_count", "person", "person_id", "root_key"]
  .concat("sign_up", "statistics");

/** Reads the entries that a migration keeps, by their keys as JSON. */
export async function convertedEntries(kv: Kv): Promise<Record<string, unknown>> {
  const lists = PREFIXES.map((prefix) => listAll(kv, { prefix: [prefix] }));
  const entries = (await Promise.all(lists)).flat();
  return Object.fromEntries(entries.map(({ key, value }) => [JSON.stringify(key), value]));
}

/** The entries that the upgrade makes of the records, by their keys as JSON. */
function addedEntries(before: Record<string, unknown>): Record<string, unknown> {
  const added: [Key, unknown][] = [];
  let people = 0;
  for (const [name, value] of Object.entries(before)) {
    const [table, email] = JSON.parse(name);
    if (table !== "sign_up") continue;
    people++;
    const { id, createdAt, lang, undeliverableAt } = value as SignUpRecord;
    const lists = ["all", ...undeliverableAt ? ["undeliverable", "complained"] : []];
    for (const list of lists) added.push([["person", list, createdAt, email], { lang }]);
    added.push([["person_id", id, email], true]);
  }
  // Each person is counted once, however often commits gave no answer.
  added.push([["statistics", "withAnswers", `${AT.slice(0, 10)}/en/`], people]);
  for (const mark of ["complained", "undeliverable"]) {
    added.push([["statistics", "withMark", mark], 1]);
  }
  return Object.fromEntries(added.map(([key, value]) => [JSON.stringify(key), value]));
}

/** Asserts that the store has the program's version, and that every value is as it was. */
export async function assertUpgraded(kv: TestKv, before: Record<string, unknown>): Promise<void> {
  assert.deepEqual(await readSchemaEntry(kv), { version: SCHEMA_VERSION, erasureKeys: OLD_KEY });
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
  assert.deepEqual(await convertedEntries(kv), { ...before, ...addedEntries(before) });
  const codes = await listAll(kv, { prefix: ["invitation_code"] });
  const holder = "7@example.com".padStart(254, "a");
  assert.deepEqual(codes.map(({ key, value }) => [...key, value]), [
    ["invitation_code", "an old code", holder, true],
  ]);
  for (const key of [["address_key"], ["recount"], ["limit_counts", 1, "process", "default"]]) {
    assert.equal((await kv.raw.get(key)).value, null, key[0] as string);
  }
}
