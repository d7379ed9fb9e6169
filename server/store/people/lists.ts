/**
 * Writes records, and with each record its entries in lists: of the people in a state, of those who expire and
 * of those in a wave. The list of a state has its people in the order of their first sign-up, so "the next N who
 * wait" and "the newest" are read from one of its ends, at any size.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { type SignUpRecord, type State, stateOf } from "../../waitlist/mod.ts";
import {
  expiryKey,
  LISTS,
  peopleSelector,
  personKey,
  signUpKey,
  waveMemberKey,
  withKvDeadline,
} from "../kv/mod.ts";

/** What a list has of a person, so that it can be filtered without reading the records. */
export type PersonEntry = Pick<SignUpRecord, "lang" | "source" | "role" | "building">;

/** Adds to a commit what a record's change writes; the commit checks the record. */
export function writeRecord(
  commit: Deno.AtomicOperation,
  email: string,
  { before, after }: { before: SignUpRecord | undefined; after: SignUpRecord | undefined },
): void {
  if (after) commit.set(signUpKey(email), after);
  else commit.delete(signUpKey(email));
  const old = before ? listEntries(email, before) : [];
  const now = after ? listEntries(email, after) : [];
  for (const { key } of old) {
    if (!now.some((entry) => isDeepStrictEqual(entry.key, key))) commit.delete(key);
  }
  for (const entry of now) {
    if (!old.some((each) => isDeepStrictEqual(each, entry))) commit.set(entry.key, entry.value);
  }
}

/** An entry of a list; the last part of its key is the address of a person. */
export interface ListEntry {
  key: Deno.KvKey;
  value: PersonEntry | true;
}

/**
 * Gives the entries that a record has in lists. They go with the record, so that no erased address stays. A
 * record that a fault has damaged has none.
 */
export function listEntries(email: string, record: SignUpRecord): ListEntry[] {
  if (typeof record.createdAt !== "string") return [];
  const state = stateOf(record);
  const { createdAt, lang, source, role, building, confirmations, wave } = record;
  const value: PersonEntry = { lang };
  if (source) value.source = source;
  if (role) value.role = role;
  if (building) value.building = building;
  const entries: ListEntry[] = [{ key: personKey(state, createdAt, email), value }];
  // Only who was sent a confirmation letter expires.
  const { takenAt } = confirmations ?? {};
  if (takenAt) entries.push({ key: expiryKey(takenAt, email), value: true });
  if (state === "invited" && wave) {
    entries.push({ key: waveMemberKey(wave, createdAt, email), value: true });
  }
  return entries;
}

/** Whether a record tells by itself which lists it is in. */
export function isSound({ state, createdAt }: SignUpRecord): boolean {
  return typeof createdAt === "string" && typeof state === "string";
}

/** Reads the entries of all lists, some at a time. */
export async function* readLists(kv: Deno.Kv): AsyncGenerator<Deno.KvEntry<ListEntry["value"]>[]> {
  for (const prefix of LISTS) {
    let start: Deno.KvKey | undefined;
    for (;;) {
      const selector = start ? { prefix, start } : { prefix };
      const options = { limit: BATCH_SIZE, batchSize: BATCH_SIZE };
      const list = kv.list<ListEntry["value"]>(selector, options);
      const entries = await withKvDeadline(kv, () => Array.fromAsync(list));
      yield entries;
      if (entries.length < BATCH_SIZE) break;
      start = [...entries.at(-1)!.key, new Uint8Array()];
    }
  }
}

/** Finds the keys of an address in all lists, by reading all of them. */
export async function findListKeys(kv: Deno.Kv, email: string): Promise<Deno.KvKey[]> {
  const found: Deno.KvKey[] = [];
  for await (const entries of readLists(kv)) {
    for (const { key } of entries) if (key.at(-1) === email) found.push(key);
  }
  return found;
}

/** A person in a list, and the key part behind which the list goes on. */
export interface Person extends PersonEntry {
  email: string;
  state: State;
  createdAt: string;
}

/** Which people to read. */
export interface PeopleSelection {
  state: State;
  /** The newest first. */
  newest?: boolean;
  /** Begins behind this person, whose entry need not exist. */
  after?: Pick<Person, "createdAt" | "email"> | undefined;
  /** The most people. */
  limit: number;
}

/** Reads people of a state, in the order of their first sign-up; at most 1,000 at once. */
export async function readPeople(
  kv: Deno.Kv,
  { state, newest = false, after, limit }: PeopleSelection,
): Promise<Person[]> {
  const { prefix } = peopleSelector(state);
  const at = after && personKey(state, after.createdAt, after.email);
  const selector = !at
    ? { prefix }
    : newest
    ? { prefix, end: at }
    : { prefix, start: [...at, new Uint8Array()] };
  // KV reads a batch as a whole, even where the limit is lower.
  const batchSize = Math.min(limit, BATCH_SIZE);
  const list = kv.list<PersonEntry>(selector, { limit, reverse: newest, batchSize });
  const entries = await withKvDeadline(kv, () => Array.fromAsync(list));
  return entries.map(({ key, value }) => {
    const [, , createdAt, email] = key as [string, State, string, string];
    return { email, state, createdAt, ...value };
  });
}

/** KV reads no more at once. */
const BATCH_SIZE = 500;
