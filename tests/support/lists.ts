/**
 * What is kept beside the records so that it can be listed: all people, those in a state or with a mark, those who
 * expire, those in a wave, the ids of records, codes, referred people, the counters of the line, and the positions of the outbox. It is worked out here from the records and items, without the code under test.
 * @module
 */
import assert from "node:assert/strict";
import { mailboxOf } from "../../server/waitlist/letter_limit.ts";
import type { OutboxItem, WaitingItem } from "../../server/waitlist/outbox_item.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";
import type { LetterKind } from "../../server/waitlist/transitions.ts";
import type { Key, Kv } from "../../server/store/kv/engine.ts";
import { listAll } from "./memory_kv.ts";

/** The lengths of the periods of the line's levels, in milliseconds: a second, a minute, an hour, a day and 32 days. */
const LEVELS_MS = [1_000, 60_000, 3_600_000, 86_400_000, 32 * 86_400_000];

/** Asserts that the lists, and the counters of the states, of the marks and of the outbox, agree with records and items. */
export async function assertListsAgree(kv: Kv): Promise<void> {
  const records = await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] });
  const people: [Key, unknown][] = [];
  const expiries: [Key, unknown][] = [];
  const members: [Key, unknown][] = [];
  const codes: [Key, unknown][] = [];
  const ids: [Key, unknown][] = [];
  const referralCodes: [Key, unknown][] = [];
  const referred: [Key, unknown][] = [];
  const pending: [Key, unknown][] = [];
  const line: Record<string, number> = {};
  const states: Record<string, number> = {};
  const marks: Record<string, number> = {};
  for (const { key, value: record } of records) {
    const email = String(key[1]);
    const { state, createdAt, lang, source, role, building, wave, invitationCode: code } = record;
    const { utmSource, utmMedium, utmCampaign } = record;
    const entry = { lang, source, role, building, utmSource, utmMedium, utmCampaign };
    const { undeliverableAt, complainedAt } = record;
    const own = [undeliverableAt && "undeliverable", complainedAt && "complained"].filter(Boolean);
    for (const list of ["all", state, ...own as string[]]) {
      people.push([["person", list, createdAt, email], JSON.parse(JSON.stringify(entry))]);
    }
    for (const mark of own as string[]) marks[mark] = (marks[mark] ?? 0) + 1;
    if (record.id !== undefined) ids.push([["person_id", record.id, email], true]);
    const { takenAt } = record.confirmations ?? {};
    if (takenAt !== undefined) expiries.push([["expiry", takenAt, email], true]);
    const isInvited = state === "invited" || state === "accepted";
    if (isInvited && wave) members.push([["wave_member", wave, createdAt, email], true]);
    if (code) codes.push([["invitation_code", code, email], true]);
    const { referralCode, referrerId, referralCounts: counts, pendingReferral } = record;
    if (referralCode) referralCodes.push([["referral_code", referralCode, email], true]);
    if (referrerId && counts !== undefined) {
      referred.push([["referred", referrerId, mailboxOf(email), email], { counts }]);
    }
    if (pendingReferral) pending.push([["pending_referral", email], true]);
    if (state === "waiting") {
      for (const [level, length] of LEVELS_MS.entries()) {
        const name = `${level} ${Math.floor(Date.parse(createdAt) / length)}`;
        line[name] = (line[name] ?? 0) + 1;
      }
    }
    states[state] = (states[state] ?? 0) + 1;
  }
  assert.deepEqual(await read(kv, "person"), sorted(people));
  assert.deepEqual(await read(kv, "person_id"), sorted(ids));
  assert.deepEqual(await read(kv, "expiry"), sorted(expiries));
  assert.deepEqual(await read(kv, "wave_member"), sorted(members));
  assert.deepEqual(await read(kv, "invitation_code"), sorted(codes));
  assert.deepEqual(await read(kv, "referral_code"), sorted(referralCodes));
  assert.deepEqual(await read(kv, "referred"), sorted(referred));
  assert.deepEqual(await read(kv, "pending_referral"), sorted(pending));
  const waiting = await listAll<number>(kv, { prefix: ["line"] });
  const counted = waiting.filter(({ value }) => value !== 0)
    .map(({ key: [, level, period], value }) => [`${level} ${period}`, value]);
  assert.deepEqual(Object.fromEntries(counted), line);
  assert.deepEqual(await counters(kv, ["statistics", "byState"]), states);
  assert.deepEqual(await counters(kv, ["statistics", "withMark"]), marks);

  const items = await listItems(kv);
  const positions: [Key, unknown][] = [];
  const counts: Record<string, number> = {};
  for (const { id, item: { queue, dueAt }, isNew } of items) {
    if (!isNew) positions.push([["due", queue, dueAt, id], true]);
    const name = queue === "refused" ? "refused" : "due";
    counts[name] = (counts[name] ?? 0) + 1;
  }
  assert.deepEqual(await read(kv, "due"), sorted(positions));
  for (const { value: record } of records) {
    const ids = items.filter(({ item }) => item.recordId === record.id).map(({ id }) => id);
    assert.deepEqual((record.outbox ?? []).toSorted(), ids.toSorted());
  }
  const { due, refused } = await counters(kv, ["outbox_count"]);
  assert.deepEqual(JSON.parse(JSON.stringify({ due, refused })), counts);
}

/** What waits in the outbox, with the new letters that share an entry. */
export async function listItems(kv: Kv): Promise<(WaitingItem & { isNew: boolean })[]> {
  const items = await listAll<OutboxItem>(kv, { prefix: ["outbox"] });
  const entries = await listAll<NewLetters>(kv, { prefix: ["new_letters"] });
  const letters = entries.flatMap(({ key, value }) =>
    value.map(([email, recordId, letter, putAt], number) => {
      const id = key[1] + number.toString(36).padStart(2, "0");
      const due = { queue: "letters", putAt, dueAt: putAt, tries: 0 } as const;
      return { id, item: { email, recordId, message: { letter }, ...due }, isNew: true };
    })
  );
  const others = items.map(({ key, value: item }) => ({ id: String(key[1]), item, isNew: false }));
  return [...others, ...letters];
}

type NewLetters = [email: string, recordId: string, letter: LetterKind, putAt: number][];

/** All entries whose keys begin with a part. */
async function read(kv: Kv, first: string): Promise<[Key, unknown][]> {
  const entries = await listAll(kv, { prefix: [first] });
  return sorted(entries.map(({ key, value }) => [key, value]));
}

function sorted(entries: [Key, unknown][]): [Key, unknown][] {
  const text = ([key]: [Key, unknown]) => JSON.stringify(key);
  return entries.toSorted((a, b) => text(a) < text(b) ? -1 : 1);
}

/** Counters that are not zero, by the last part of their keys. */
async function counters(kv: Kv, prefix: Key): Promise<Record<string, number>> {
  const entries = await listAll<number>(kv, { prefix });
  return Object.fromEntries(entries.flatMap(({ key, value }) => {
    return value === 0 ? [] : [[String(key.at(-1)), value]];
  }));
}
