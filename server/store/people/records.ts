/**
 * Reads and writes records, and with each record its entries in lists: of all people, of the people in a state or with a
 * mark (undeliverable, complained), of the people whose time to confirm runs, of the people of a wave, of invitation
 * codes, and of the records' ids. A list of people is in the order of first sign-ups. The next N who wait, and the
 * newest, are therefore at one of its ends, at any size. @module
 */
import { isDeepStrictEqual } from "node:util";
import { storedSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { mailboxOf, marksOf, type SignUpRecord, stateOf, waveCounts } from "../../waitlist/mod.ts";
import {
  addressesOf,
  addressOf,
  type Commit,
  type EntrySelector,
  expiryKey,
  invitationCodeKey,
  type Key,
  type Kv,
  type ListPageOptions,
  LISTS,
  type Page,
  pages,
  pendingReferralKey,
  type PeopleList,
  peopleSelector,
  personIdKey,
  personIdSelector,
  personKey,
  readable,
  readEntries,
  readMany,
  readPage,
  referralCodeKey,
  referredKey,
  SIGN_UPS,
  signUpKey,
  waveCountKey,
  waveMemberKey,
  waveMembersSelector,
} from "../kv/mod.ts";

/** The answers in the entry of a list, by which people are filtered without their records. */
export type PersonEntry = Pick<SignUpRecord, "lang" | "source" | "role" | "building">;

/** The entry of a referred person. */
export interface ReferredEntry {
  /** Whether the referral counts for the referring person. */
  counts: boolean;
}

/** The record before and after a commit; `undefined` where there is none. */
interface RecordChange {
  before: SignUpRecord | undefined;
  after: SignUpRecord | undefined;
  /** Whether to write unchanged entries of lists as well. */
  rewritesLists?: boolean | undefined;
}

/** Adds a record's change, and that of its entries in lists, to a commit. */
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

/** A record and its address. */
export interface AddressedRecord {
  email: string;
  record: SignUpRecord;
}

/** Finds the person whose record has an id. */
export async function findPersonById(kv: Kv, id: string): Promise<AddressedRecord | undefined> {
  const emails = addressesOf(await readPage(kv, personIdSelector(id)));
  return (await findRecords(kv, emails)).find(({ record }) => record.id === id);
}

/** Finds the records of addresses, in their order. A record that is absent or cannot be read is left out. */
export async function findRecords(kv: Kv, emails: string[]): Promise<AddressedRecord[]> {
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  return emails.flatMap((email, index) => {
    const record = entries[index]?.value;
    return record ? [{ email, record }] : [];
  });
}

/** Some records, and the keys of those among them that cannot be read. */
export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

/** Reads all records, or a range, in the order of their addresses. Each page is as it is when it is read. */
export async function* readSignUpPages(
  kv: Kv,
  range: Pick<EntrySelector<SignUpRecord>, "from" | "after" | "batchSize"> = {},
): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    ...SIGN_UPS,
    ...range,
    form: { schema: storedSignUpSchema, of: (email, record) => ({ email, ...record }) },
  });
  for await (const { entries, unreadable } of batches) {
    const records = entries.map(({ key, value }) => ({ email: addressOf(key), record: value }));
    yield { records, unreadable };
  }
}

/** An entry of a list. The last part of its key is the address of a person. */
export interface ListEntry {
  key: Key;
  value: PersonEntry | ReferredEntry | true;
}

/**
 * Gives all entries of a record in lists. An erasure removes them with the record, so that no list keeps the address. A
 * damaged record without `createdAt` has none.
 */
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
  // A damaged record may have no id.
  if (typeof id === "string") entries.push({ key: personIdKey(id, email), value: true });
  // The time to confirm runs from the confirmation letter that a mail server took last.
  const { takenAt } = confirmations ?? {};
  if (takenAt) entries.push({ key: expiryKey(takenAt, email), value: true });
  if ((state === "invited" || state === "accepted") && wave) {
    entries.push({ key: waveMemberKey(wave, createdAt, email), value: true });
  }
  if (code) entries.push({ key: invitationCodeKey(code, email), value: true });
  const { referralCode, referrerId, referralCounts, pendingReferral } = record;
  if (pendingReferral) entries.push({ key: pendingReferralKey(email), value: true });
  if (referralCode) entries.push({ key: referralCodeKey(referralCode, email), value: true });
  if (referrerId && referralCounts !== undefined) {
    const key = referredKey(referrerId, mailboxOf(email), email);
    entries.push({ key, value: { counts: referralCounts } });
  }
  return entries;
}

/** Whether a record has the fields that tell its lists. A damaged record, or one of an early version, may lack them. */
export const isSound = ({ state, createdAt }: SignUpRecord): boolean =>
  typeof createdAt === "string" && typeof state === "string";

/** Reads the entries of all lists, page by page. */
export async function* readLists(kv: Kv): AsyncGenerator<Page<ListEntry["value"]>> {
  for (const prefix of LISTS) yield* pages<ListEntry["value"]>(kv, { prefix });
}

/** Finds the keys of an address in all lists, by reading all of them. */
export async function findListKeys(kv: Kv, email: string): Promise<Key[]> {
  const found: Key[] = [];
  for await (const entries of readLists(kv)) {
    for (const { key } of entries) if (key.at(-1) === email) found.push(key);
  }
  return found;
}

/** A person as the entry of a list tells. The list of a wave tells no answers. */
export interface Person extends Partial<PersonEntry>, Pick<SignUpRecord, "createdAt"> {
  email: string;
}

/** A position in a list of people, behind an entry that need not exist any more. */
export type PagePosition = Pick<Person, "createdAt" | "email">;

interface PeopleRange extends ListPageOptions {
  list: PeopleList | { wave: string };
  after?: PagePosition | undefined;
  /** The earliest first sign-up, a date-time. */
  since?: string | undefined;
  /** A date-time later than the latest first sign-up. */
  before?: string | undefined;
}

/** Reads a list of people page by page, in the order of first sign-ups, or the newest first (`reverse`). */
export async function* readPeople(
  kv: Kv,
  { list, after, since, before, ...options }: PeopleRange,
): AsyncGenerator<Person[]> {
  const { prefix } = typeof list === "string"
    ? peopleSelector(list)
    : waveMembersSelector(list.wave);
  // KV refuses a range that ends before it begins.
  if (since !== undefined && before !== undefined && since >= before) return;
  const position = after && [...prefix, after.createdAt, after.email];
  const start = since !== undefined && { start: [...prefix, since] };
  const end = before !== undefined && { end: [...prefix, before] };
  const range = options.reverse
    ? { ...start, ...end, ...position && { end: position } }
    : { ...end, ...position ? { after: position } : start };
  for await (
    const entries of pages<Partial<PersonEntry> | true>(kv, { prefix, ...range }, options)
  ) {
    yield entries.map((entry) => {
      // The keys of both kinds of lists have four parts.
      const [, , createdAt, email] = entry.key as [string, string, string, string];
      const value = readable(entry)?.value;
      return { email, createdAt, ...value !== true && value };
    });
  }
}
