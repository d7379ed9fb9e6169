/**
 * What is kept beside the records so that it can be listed: people by their state, those who expire, those in a wave,
 * and the positions of the outbox. It is worked out here from the records and items, without the code under test.
 * @module
 */
import assert from "node:assert/strict";
import type { OutboxItem } from "../../server/waitlist/outbox_item.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";

/** Asserts that the lists, and the counters of the states and of the outbox, agree with records and items. */
export async function assertListsAgree(kv: Deno.Kv): Promise<void> {
  const records = await Array.fromAsync(kv.list<SignUpRecord>({ prefix: ["sign_up"] }));
  const people: [Deno.KvKey, unknown][] = [];
  const expiries: [Deno.KvKey, unknown][] = [];
  const members: [Deno.KvKey, unknown][] = [];
  const states: Record<string, number> = {};
  for (const { key, value: record } of records) {
    const email = String(key[1]);
    const { state, createdAt, lang, source, role, building, wave } = record;
    const entry = { lang, source, role, building };
    people.push([["person", state, createdAt, email], JSON.parse(JSON.stringify(entry))]);
    const { takenAt } = record.confirmations ?? {};
    if (takenAt !== undefined) expiries.push([["expiry", takenAt, email], true]);
    if (state === "invited" && wave) members.push([["wave_member", wave, createdAt, email], true]);
    states[state] = (states[state] ?? 0) + 1;
  }
  assert.deepEqual(await read(kv, "person"), sorted(people));
  assert.deepEqual(await read(kv, "expiry"), sorted(expiries));
  assert.deepEqual(await read(kv, "wave_member"), sorted(members));
  assert.deepEqual(await counters(kv, ["statistics", "byState"]), states);

  const items = await Array.fromAsync(
    kv.list<OutboxItem>({ prefix: ["outbox"] }),
  );
  const positions: [Deno.KvKey, unknown][] = [];
  const counts: Record<string, number> = {};
  for (const { key: [, id], value: { queue, dueAt } } of items) {
    positions.push([["due", queue, dueAt, id!], true]);
    const name = queue === "refused" ? "refused" : "due";
    counts[name] = (counts[name] ?? 0) + 1;
  }
  assert.deepEqual(await read(kv, "due"), sorted(positions));
  for (const { value: record } of records) {
    const ids = items.filter(({ value }) => value.recordId === record.id).map(({ key }) => key[1]);
    assert.deepEqual((record.outbox ?? []).toSorted(), ids);
  }
  const { due, refused } = await counters(kv, ["outbox_count"]);
  assert.deepEqual(JSON.parse(JSON.stringify({ due, refused })), counts);
}

/** All entries whose keys begin with a part. */
async function read(kv: Deno.Kv, first: string): Promise<[Deno.KvKey, unknown][]> {
  const entries = await Array.fromAsync(kv.list({ prefix: [first] }));
  return sorted(entries.map(({ key, value }) => [key, value]));
}

function sorted(entries: [Deno.KvKey, unknown][]): [Deno.KvKey, unknown][] {
  const text = ([key]: [Deno.KvKey, unknown]) => JSON.stringify(key);
  return entries.toSorted((a, b) => text(a) < text(b) ? -1 : 1);
}

/** Counters that are not zero, by the last part of their keys. */
async function counters(kv: Deno.Kv, prefix: Deno.KvKey): Promise<Record<string, number>> {
  const entries = await Array.fromAsync(kv.list<Deno.KvU64>({ prefix }));
  return Object.fromEntries(entries.flatMap(({ key, value: { value } }) => {
    return value === 0n ? [] : [[String(key.at(-1)), Number(BigInt.asIntN(64, value))]];
  }));
}
