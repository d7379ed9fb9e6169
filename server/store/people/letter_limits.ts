/**
 * Reads and writes the letter limits of mailboxes. A letter limit consists of the dates of letters and complaints. In
 * most cases, the person's record holds these dates. In three cases, they are stored in an entry whose key has a hash
 * of the mailbox: after the removal of a person, after a complaint, and if the address differs from its mailbox, as
 * `ada+news@example.com` does. `waitlist/letter_limit.ts` has the rules. @module
 */
import { storedLetterLimitSchema } from "../../../shared/backup_lines.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  erasureMarksOf,
  joinLetterLimits,
  type LetterLimit,
  letterLimitOf,
  mailboxOf,
  nextLetterAt,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  type Commit,
  type EntryBatch,
  type Kv,
  LETTER_LIMITS,
  letterLimitKey,
  type MaybeEntry,
  readEntries,
  readMany,
  readSchema,
  type SchemaSnapshot,
  signUpKey,
} from "../kv/mod.ts";
import { ensureErasureKeys } from "./erasure_marks.ts";

/** A mailbox as it was read before a commit. */
interface Mailbox {
  /** The address of the mailbox itself, without the part from `+` to `@`. */
  address: string;
  /**
   * The letter limit that is stored under the hash of the mailbox. Absent if the store has no erasure key yet, because
   * there are no hashes without such a key.
   */
  limitEntry?: Pick<MaybeEntry, "key" | "version"> & { value: LetterLimit | null };
  /** The record of the mailbox's own `address`; read only if another address leads to the mailbox. */
  recordEntry?: MaybeEntry<SignUpRecord> | undefined;
  /** Whether an entry under a hash of the mailbox cannot be read. A further letter might then break the limit. */
  isUnreadable?: boolean;
}

/** Mailboxes by the addresses that lead to them. */
export type Mailboxes = ReadonlyMap<string, Mailbox>;

/**
 * Gives the KV keys of a mailbox's letter limit, one for each erasure key. A KV key has a hash that is made with its
 * erasure key; the first erasure key is the store's own. The hashed text begins with the word `mailbox`, so that the
 * hash differs from the erasure mark of the same address.
 */
const limitKeysOf = (erasureKeys: Uint8Array, { address }: Mailbox) =>
  erasureMarksOf(erasureKeys, `mailbox ${address}`).map(letterLimitKey);

/** Reads all letter limits that are stored under hashes, a batch at a time. */
export function readLetterLimits(kv: Kv): AsyncGenerator<EntryBatch<LetterLimit>> {
  const toForm = (mailbox: string, letterLimit: LetterLimit) => ({ mailbox, ...letterLimit });
  return readEntries(kv, { ...LETTER_LIMITS, form: { schema: storedLetterLimitSchema, toForm } });
}

/** Reads the mailboxes of some addresses. */
export async function readMailboxes(
  kv: Kv,
  { erasureKeys }: SchemaSnapshot,
  emails: string[],
): Promise<Mailboxes> {
  const mailboxByEmail = new Map<string, Mailbox>();
  const mailboxByAddress = new Map<string, Mailbox>();
  /** The mailboxes to which an address other than the mailbox's own address leads. */
  const sharedMailboxes = new Set<Mailbox>();
  for (const email of emails) {
    const address = mailboxOf(email);
    const mailbox = mailboxByAddress.get(address) ?? { address };
    mailboxByAddress.set(address, mailbox);
    mailboxByEmail.set(email, mailbox);
    if (address !== email) sharedMailboxes.add(mailbox);
  }
  await Promise.all([
    erasureKeys && addLimitEntries(kv, erasureKeys, [...mailboxByAddress.values()]),
    addRecordEntries(kv, [...sharedMailboxes]),
  ]);
  return mailboxByEmail;
}

/** Reads the letter limits of mailboxes, and adds them to the mailboxes. */
async function addLimitEntries(
  kv: Kv,
  erasureKeys: Uint8Array,
  mailboxes: Mailbox[],
): Promise<void> {
  const keys = mailboxes.map((mailbox) => limitKeysOf(erasureKeys, mailbox));
  const entries = await readMany<LetterLimit>(kv, keys.flat());
  // Each mailbox has the same number of keys, one for each erasure key.
  const count = keys[0]?.length ?? 0;
  for (const [index, mailbox] of mailboxes.entries()) {
    noteLimitEntries(mailbox, entries.slice(index * count, (index + 1) * count));
  }
}

/** Reads the records of the mailboxes' own addresses, and adds their entries to the mailboxes. */
async function addRecordEntries(kv: Kv, mailboxes: Mailbox[]): Promise<void> {
  const keys = mailboxes.map(({ address }) => signUpKey(address));
  const entries = await readMany<SignUpRecord>(kv, keys);
  for (const [index, mailbox] of mailboxes.entries()) mailbox.recordEntry = entries[index];
}

/**
 * Notes the letter limit that is stored under the hashes of a mailbox.
 * @param entries one entry for each erasure key; `undefined` for an entry that cannot be read
 */
function noteLimitEntries(
  mailbox: Mailbox,
  entries: (MaybeEntry<LetterLimit> | undefined)[],
): void {
  // A commit checks only the first entry, whose hash is made with the store's own erasure key. The hashes of the other
  // entries are made with the erasure keys of restored backups, and changes of people never write these entries.
  const [first] = entries;
  if (!first || entries.includes(undefined)) mailbox.isUnreadable = true;
  else {
    const limits = entries.flatMap((entry) => entry?.value ?? []);
    mailbox.limitEntry = { ...first, value: limits.length > 0 ? joinLetterLimits(limits) : null };
  }
}

/**
 * Collects how a commit changes letter limits. Several addresses of one mailbox may share a commit. A letter or removal
 * changes nothing if the mailbox was not read. Without mail, only the mailboxes of people who have got letters or have
 * complained are read.
 */
export interface LetterLimitChanges {
  /** Gives the letter limit of an address, with the changes that were collected so far. */
  limitOf: (email: string, record: SignUpRecord | undefined) => LetterLimit;
  /** Notes that a letter to a person is put into the outbox. @param record the record with the date of the letter */
  noteLetter: (email: string, record: SignUpRecord) => void;
  /** Notes that a person is removed, so that the letter limit outlives the record. @param record the removed record */
  noteRemoval: (email: string, record: SignUpRecord | undefined) => void;
  /**
   * Notes the date of a complaint, or the date at which an operator lifted a complaint. Such a date must outlive the
   * record in any case.
   */
  noteComplaintOrLifting: (email: string, letterLimit: LetterLimit) => void;
  /**
   * Adds the changes to a commit. The commit must check the schema, because this function makes an erasure key if there
   * is none. Two commits for two addresses of one mailbox cannot both go through at the same time, because each commit
   * checks the entries that the other commit writes.
   */
  writeTo: (commit: Commit, schema: SchemaSnapshot, random: RandomBytes) => void;
}

/**
 * Begins to collect changes of letter limits for a commit.
 * @param mailboxes the mailboxes as they were read before the commit
 */
export function createLetterLimitChanges(mailboxes: Mailboxes): LetterLimitChanges {
  /**
   * For each mailbox, the letter limits that the commit joins with the stored letter limit, and whether the joined
   * letter limit must be stored under the hash of the mailbox.
   */
  const changes = new Map<Mailbox, { limits: LetterLimit[]; mustBeStored: boolean }>();

  function addLimit(
    mailbox: Mailbox,
    limit: LetterLimit,
    { mustBeStored }: { mustBeStored: boolean },
  ): void {
    const change = changes.get(mailbox) ?? { limits: [], mustBeStored: false };
    change.limits.push(limit);
    change.mustBeStored ||= mustBeStored;
    changes.set(mailbox, change);
  }

  function limitOf(email: string, record: SignUpRecord | undefined): LetterLimit {
    const mailbox = mailboxes.get(email);
    const limits = record ? [letterLimitOf(record)] : [];
    if (mailbox?.limitEntry?.value) limits.push(mailbox.limitEntry.value);
    if (mailbox?.recordEntry?.value) limits.push(letterLimitOf(mailbox.recordEntry.value));
    if (mailbox) limits.push(...changes.get(mailbox)?.limits ?? []);
    return joinLetterLimits(limits);
  }

  return {
    limitOf,

    noteLetter(email, record) {
      const mailbox = mailboxes.get(email);
      if (!mailbox) return;
      const isOwnAddress = mailbox.address === email;
      addLimit(mailbox, letterLimitOf(record), { mustBeStored: !isOwnAddress });
    },

    noteRemoval(email, record) {
      const mailbox = mailboxes.get(email);
      if (mailbox) addLimit(mailbox, limitOf(email, record), { mustBeStored: true });
    },

    noteComplaintOrLifting(email, letterLimit) {
      // The `!` holds, because a mailbox is read before its reports are noted or lifted.
      addLimit(mailboxes.get(email)!, letterLimit, { mustBeStored: true });
    },

    writeTo(commit, schema, random) {
      for (const [mailbox, { limits, mustBeStored }] of changes) {
        const { limitEntry, recordEntry } = mailbox;
        if (limitEntry) commit.check(limitEntry);
        if (recordEntry) commit.check(recordEntry);
        if (!mustBeStored) continue;
        const storedLimits = limitEntry?.value ? [limitEntry.value] : [];
        const joinedLimit = joinLetterLimits([...storedLimits, ...limits]);
        const { letters, ...moments } = joinedLimit;
        const isEmpty = letters.length === 0 && Object.keys(moments).length === 0;
        if (isEmpty) continue;
        const [limitKey] = limitKeysOf(ensureErasureKeys(schema, random), mailbox);
        commit.set(limitKey!, joinedLimit);
      }
    },
  };
}

/** When a person who has not confirmed may be asked again, as operators see it. */
export type NextReminder =
  /** The date-time from which the person may be asked. */
  | { nextReminder: string }
  /** Why the person is not asked: the mailbox complained, or its letter limit cannot be read. */
  | { noReminder: "complained" | "unreadable" };

/**
 * Reads when a person who has not confirmed may be asked again.
 * @param at the present moment, a date-time
 */
export async function readNextReminder(
  kv: Kv,
  { email, record }: { email: string; record: SignUpRecord },
  at: string,
): Promise<NextReminder> {
  const mailboxes = await readMailboxes(kv, await readSchema(kv), [email]);
  if (mailboxes.get(email)?.isUnreadable) return { noReminder: "unreadable" };
  const letterLimit = createLetterLimitChanges(mailboxes).limitOf(email, record);
  if (letterLimit.complainedAt) return { noReminder: "complained" };
  return { nextReminder: nextLetterAt(letterLimit, at) };
}

/** Splits changes into groups, so that each group needs `maxChecks` checks of records and mailboxes at most. */
export function splitByChecks<Change extends { email: string }>(
  changes: Change[],
  mailboxes: Mailboxes,
  maxChecks: number,
): Change[][] {
  const groups: Change[][] = [];
  let remainingChecks = 0;
  for (const change of changes) {
    const { limitEntry, recordEntry } = mailboxes.get(change.email) ?? {};
    const checks = 1 + (limitEntry ? 1 : 0) + (recordEntry ? 1 : 0);
    if (remainingChecks < checks) {
      groups.push([]);
      remainingChecks = maxChecks;
    }
    groups.at(-1)!.push(change);
    remainingChecks -= checks;
  }
  return groups;
}
