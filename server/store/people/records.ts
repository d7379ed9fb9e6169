/**
 * Reads and writes records, and with each record its entries in lists, which `listEntries()` names. Some lists have
 * people, for example all people in a state. Other lists lead from a record id or a code to an address.
 * `people_lists.ts` reads the lists of people. @module
 */
import { isDeepStrictEqual } from "node:util";
import { storedSignUpSchema } from "../../../shared/backup_lines.ts";
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import {
  type ANSWER_FILTERS,
  CAMPAIGN_FIELDS,
  changesOfCounts,
  mailboxOf,
  marksOf,
  namesOfRaisedCounts,
  type SignUpRecord,
  stateOf,
} from "../../waitlist/mod.ts";
import {
  addressesOf,
  addressOf,
  type Commit,
  type EntrySelector,
  expiryKey,
  invitationCodeKey,
  type Key,
  type Kv,
  LIST_PREFIXES,
  type Page,
  pages,
  pendingReferralKey,
  type PeopleList,
  personIdKey,
  personIdSelector,
  personKey,
  readEntries,
  readMany,
  readPage,
  referralCodeKey,
  referredKey,
  SIGN_UPS,
  signUpKey,
  waveCountKey,
  waveMemberKey,
} from "../kv/mod.ts";

/**
 * The value of an entry in a list of people: the answers and the campaign by which people can be filtered without their
 * records.
 */
export type PersonEntry = Pick<SignUpRecord, typeof ANSWER_FILTERS[number]>;

/** The value of an entry in the list of referred people. */
export interface ReferredEntry {
  /** Whether the referral counts for the referring person. */
  counts: boolean;
}

/** The record before and after a commit; `undefined` if there is no record. */
interface RecordChange {
  before: SignUpRecord | undefined;
  after: SignUpRecord | undefined;
  /** Whether the record moves to another address, by a correction. */
  isCorrected?: boolean;
  /**
   * Whether to write unchanged entries of lists as well. A sign-up does this, so that its duration does not tell
   * whether the address is already known.
   */
  rewritesLists?: boolean | undefined;
}

/** Adds to a commit the change of a record and the changes of its entries in lists. */
export function writeRecord(
  commit: Commit,
  email: string,
  { before, after, isCorrected = false, rewritesLists = false }: RecordChange,
): void {
  if (after) commit.set(signUpKey(email), after);
  else commit.delete(signUpKey(email));
  const oldEntries = before ? listEntries(email, before) : [];
  const newEntries = after ? listEntries(email, after) : [];
  for (const { key } of oldEntries) if (!findEntry(newEntries, key)) commit.delete(key);
  for (const { key, value } of newEntries) {
    const mustBeWritten = rewritesLists ||
      !isDeepStrictEqual(findEntry(oldEntries, key)?.value, value);
    if (mustBeWritten) commit.set(key, value);
  }
  if (before) changeWaveCounts(commit, before, after, isCorrected);
}

/** Adds to a commit how the change of a person's record changes the counts of the person's wave. */
function changeWaveCounts(
  commit: Commit,
  before: SignUpRecord,
  after: SignUpRecord | undefined,
  isCorrected: boolean,
): void {
  const changes = changesOfCounts(before, after, { isCorrected });
  for (const [name, delta] of Object.entries(changes)) {
    if (before.wave && delta !== 0) commit.add(waveCountKey(before.wave, name), delta);
  }
  if (!after?.wave) return;
  for (const name of namesOfRaisedCounts(before, after)) {
    commit.add(waveCountKey(after.wave, name), 1);
  }
}

const findEntry = (entries: ListEntry[], key: Key): ListEntry | undefined =>
  entries.find((entry) =>
    entry.key.length === key.length && entry.key.every((keyPart, index) => keyPart === key[index])
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

/**
 * Finds the address of the person whose record has an id, even if the record cannot be read; `undefined` if the person
 * is not on the list.
 */
export async function findAddressOnList(kv: Kv, id: string): Promise<string | undefined> {
  const emails = addressesOf(await readPage(kv, personIdSelector(id)));
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  return emails.find((_, index) => {
    const entry = entries[index];
    return entry === undefined || entry.value?.id === id;
  });
}

/** Finds the present address of a person without reading the record. @param id the id of the record */
export async function findAddress(kv: Kv, id: string): Promise<string | undefined> {
  return addressesOf(await readPage(kv, personIdSelector(id), { limit: 1 }))[0];
}

/** Finds the records of addresses, in the order of `emails`. A record that is absent or cannot be read is left out. */
export async function findRecords(kv: Kv, emails: string[]): Promise<AddressedRecord[]> {
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  return emails.flatMap((email, index) => {
    const record = entries[index]?.value;
    return record ? [{ email, record }] : [];
  });
}

/** A page of records: the records that can be read, and the keys of the records that cannot be read. */
export interface SignUpPage {
  records: AddressedRecord[];
  unreadable: UnreadableRecord[];
}

/**
 * How many records a page has at most. The number is small, because sign-ups wait while all records of a page are
 * checked and used in one turn of the event loop. During a recount, one sign-up in a hundred waited 90 ms with 200
 * records in a page, 68 ms with 100 records, and 39 ms with 50 records.
 */
const RECORDS_OF_PAGE = 50;

/**
 * Reads all records, or the records of a range, in the order of their addresses. Each page shows the store at the
 * moment when the page is read.
 */
export async function* readSignUpPages(
  kv: Kv,
  range: Pick<EntrySelector<SignUpRecord>, "start" | "after" | "limit"> = {},
): AsyncGenerator<SignUpPage> {
  const batches = readEntries<SignUpRecord>(kv, {
    ...SIGN_UPS,
    limit: RECORDS_OF_PAGE,
    ...range,
    form: { schema: storedSignUpSchema, toForm: (email, record) => ({ email, ...record }) },
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
 * Gives the entries that a record has in lists. An erasure removes these entries with the record, so that no list keeps
 * the address. A damaged record without `createdAt` has no entries.
 */
export function listEntries(email: string, record: SignUpRecord): ListEntry[] {
  if (typeof record.createdAt !== "string") return [];
  const state = stateOf(record);
  const { id, createdAt, confirmations, wave, invitationCode } = record;
  const personEntry = personEntryOf(record);
  const peopleLists: PeopleList[] = ["all", state, ...marksOf(record)];
  const entries: ListEntry[] = peopleLists.map((list) => {
    return { key: personKey(list, createdAt, email), value: personEntry };
  });
  // The id is checked, because a damaged record may have none.
  if (typeof id === "string") entries.push({ key: personIdKey(id, email), value: true });
  // The time to confirm runs from the confirmation letter that a mail server took last.
  const { takenAt } = confirmations ?? {};
  if (takenAt) entries.push({ key: expiryKey(takenAt, email), value: true });
  if ((state === "invited" || state === "accepted") && wave) {
    entries.push({ key: waveMemberKey(wave, createdAt, email), value: true });
  }
  if (invitationCode) entries.push({ key: invitationCodeKey(invitationCode, email), value: true });
  const { referralCode, referrerId, referralCounts, pendingReferral } = record;
  if (pendingReferral) entries.push({ key: pendingReferralKey(email), value: true });
  if (referralCode) entries.push({ key: referralCodeKey(referralCode, email), value: true });
  if (referrerId && referralCounts !== undefined) {
    const key = referredKey(referrerId, mailboxOf(email), email);
    entries.push({ key, value: { counts: referralCounts } });
  }
  return entries;
}

/** Gives the value of a person's entries in the lists of people. */
function personEntryOf(record: SignUpRecord): PersonEntry {
  const { lang, source, role, building } = record;
  const personEntry: PersonEntry = { lang };
  if (source) personEntry.source = source;
  if (role) personEntry.role = role;
  if (building) personEntry.building = building;
  for (const field of CAMPAIGN_FIELDS) {
    const campaignValue = record[field];
    if (campaignValue) personEntry[field] = campaignValue;
  }
  return personEntry;
}

/**
 * Whether a record has the fields that decide in which lists it is. A damaged record, or a record of an early version,
 * may lack them.
 */
export const isSound = ({ state, createdAt }: SignUpRecord): boolean =>
  typeof createdAt === "string" && typeof state === "string";

/** Reads the entries of all lists of people, page by page. */
export async function* readLists(kv: Kv): AsyncGenerator<Page<ListEntry["value"]>> {
  for (const prefix of LIST_PREFIXES) yield* pages<ListEntry["value"]>(kv, { prefix });
}

/** Finds the keys in the lists of people that end with an address. Reads every list. */
export async function findListKeys(kv: Kv, email: string): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const entries of readLists(kv)) {
    for (const { key } of entries) if (key.at(-1) === email) keys.push(key);
  }
  return keys;
}
