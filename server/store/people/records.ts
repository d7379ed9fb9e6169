/**
 * Reads and writes records, and with each record its entries in lists: of everybody, of the people in a state or with a
 * mark, of those who expire, of those in a wave, of those who have a code, and of the records' ids. A list of people is
 * in the order of first sign-ups, so "the next N who wait" and "the newest" are read from one of its ends, at any
 * size. @module
 */
import { isDeepStrictEqual } from "node:util";
import { keptSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { marksOf, type SignUpRecord, stateOf, waveCounts } from "../../waitlist/mod.ts";
import { addressesOf, addressOf, type Commit, type EntrySelector, expiryKey } from "../kv/mod.ts";
import { invitationCodeKey, type Key, type Kv, type ListPageOptions, LISTS } from "../kv/mod.ts";
import {
  pages,
  type PeopleList,
  peopleSelector,
  personIdKey,
  personIdSelector,
} from "../kv/mod.ts";
import { personKey, readable, readEntries, readMany, readPage, SIGN_UPS } from "../kv/mod.ts";
import { signUpKey, waveCountKey, waveMemberKey, waveMembersSelector } from "../kv/mod.ts";

/** What can be filtered without reading the records. */
export type PersonEntry = Pick<SignUpRecord, "lang" | "source" | "role" | "building">;

/** What a commit changes of a record. */
interface RecordChange {
  before: SignUpRecord | undefined;
  after: SignUpRecord | undefined;
  /** Whether entries of lists that stay as they are are written, too. */
  rewritesLists?: boolean | undefined;
}

/** Adds a record's change to a commit. */
export function writeRecord(
  commit: Commit,
  email: string,
  { before, after, rewritesLists = false }: RecordChange,
): void {
  if (after) commit.set(signUpKey(email), after);
  else commit.delete(signUpKey(email));
  const old = before ? listEntries(email, before) : [];
  const now = after ? listEntries(email, after) : [];
  for (const { key } of old) if (!findEntry(now, key)) commit.delete(key);
  for (const { key, value } of now) {
    const stays = !rewritesLists && isDeepStrictEqual(findEntry(old, key)?.value, value);
    if (!stays) commit.set(key, value);
  }
  if (!before || !after?.wave) return;
  for (const name of waveCounts(before, after)) commit.add(waveCountKey(after.wave, name), 1);
}

const findEntry = (entries: ListEntry[], key: Key): ListEntry | undefined =>
  entries.find((each) =>
    each.key.length === key.length && each.key.every((part, at) => part === key[at])
  );

/** Finds the person whose record has an id. */
export async function findPersonById(kv: Kv, id: string): Promise<AddressedRecord | undefined> {
  const emails = addressesOf(await readPage(kv, personIdSelector(id)));
  return (await findRecords(kv, emails)).find(({ record }) => record.id === id);
}

/** Finds the records of addresses, in their order, but for those that are absent or cannot be read. */
export async function findRecords(kv: Kv, emails: string[]) {
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  return emails.flatMap((email, index) => {
    const record = entries[index]?.value;
    return record ? [{ email, record }] : [];
  });
}

/** The last part of its key is the address of a person. */
export interface ListEntry {
  key: Key;
  value: PersonEntry | true;
}

/** The entries of a record go with it, so that no erased address stays. A record that a fault has damaged has none. */
export function listEntries(email: string, record: SignUpRecord): ListEntry[] {
  if (typeof record.createdAt !== "string") return [];
  const state = stateOf(record);
  const { id, createdAt, lang, source, role, building, confirmations, wave } = record;
  const { invitationCode: code } = record;
  const value: PersonEntry = { lang };
  if (source) value.source = source;
  if (role) value.role = role;
  if (building) value.building = building;
  const lists: PeopleList[] = ["all", state, ...marksOf(record)];
  const entries: ListEntry[] = lists.map((list) => {
    return { key: personKey(list, createdAt, email), value };
  });
  // A record that a fault has damaged may have no id.
  if (typeof id === "string") entries.push({ key: personIdKey(id, email), value: true });
  // Only who was sent a confirmation letter expires.
  const { takenAt } = confirmations ?? {};
  if (takenAt) entries.push({ key: expiryKey(takenAt, email), value: true });
  if ((state === "invited" || state === "accepted") && wave) {
    entries.push({ key: waveMemberKey(wave, createdAt, email), value: true });
  }
  if (code) entries.push({ key: invitationCodeKey(code, email), value: true });
  return entries;
}

/** Whether a record tells by itself which lists it is in. */
export const isSound = ({ state, createdAt }: SignUpRecord): boolean =>
  typeof createdAt === "string" && typeof state === "string";

export async function* readLists(kv: Kv) {
  for (const prefix of LISTS) yield* pages<ListEntry["value"]>(kv, { prefix });
}

export async function findListKeys(kv: Kv, email: string): Promise<Key[]> {
  const found: Key[] = [];
  for await (const entries of readLists(kv)) {
    for (const { key } of entries) if (key.at(-1) === email) found.push(key);
  }
  return found;
}

/** A person as the entry of a list tells; that of a wave tells no answers. */
export interface Person extends Partial<PersonEntry>, Pick<SignUpRecord, "createdAt"> {
  email: string;
}

/** The person behind whom reading begins, whose entry need not exist. */
export type PagePosition = Pick<Person, "createdAt" | "email">;

/**
 * In the order of their first sign-up, or the newest first.
 * @param options.since a date-time, the earliest first sign-up
 * @param options.before a date-time, later than the latest one
 */
export async function* readPeople(
  kv: Kv,
  { list, after, since, before, ...options }: ListPageOptions & {
    list: PeopleList | { wave: string };
    after?: PagePosition | undefined;
    since?: string | undefined;
    before?: string | undefined;
  },
): AsyncGenerator<Person[]> {
  const { prefix } = typeof list === "string"
    ? peopleSelector(list)
    : waveMembersSelector(list.wave);
  const at = after && [...prefix, after.createdAt, after.email];
  // KV refuses a range that ends before it begins.
  if (since !== undefined && before !== undefined && since >= before) return;
  const start = since !== undefined && { start: [...prefix, since] };
  const end = before !== undefined && { end: [...prefix, before] };
  const rest = options.reverse
    ? { ...start, ...end, ...at && { end: at } }
    : { ...end, ...at ? { after: at } : start };
  for await (
    const entries of pages<Partial<PersonEntry> | true>(kv, { prefix, ...rest }, options)
  ) {
    yield entries.map((entry) => {
      const [, , createdAt, email] = entry.key as [string, string, string, string];
      const value = readable(entry)?.value;
      return { email, createdAt, ...value !== true && value };
    });
  }
}

/** Some records, and the keys of those among them that cannot be read. */
export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
}

/** Reads all records, or a range, in the order of their addresses; each page is as it is when it is read. */
export async function* readSignUpPages(
  kv: Kv,
  range: Pick<EntrySelector<SignUpRecord>, "from" | "after" | "batchSize"> = {},
): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    ...SIGN_UPS,
    ...range,
    form: { schema: keptSignUpSchema, of: (email, record) => ({ email, ...record }) },
  });
  for await (const { entries, unreadable } of batches) {
    const records = entries.map(({ key, value }) => ({ email: addressOf(key), record: value }));
    yield { records, unreadable };
  }
}
