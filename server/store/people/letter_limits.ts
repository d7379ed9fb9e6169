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
  signUpKey,
  type StoreSchema,
} from "../kv/mod.ts";
import { ensureErasureKeys } from "./erasure_marks.ts";

/** A mailbox as it was read before a commit. */
interface Mailbox {
  /** The address of the mailbox itself, without the part from `+` to `@`. */
  name: string;
  /**
   * The letter limit that is stored under the hash of the mailbox. Absent if the store has no erasure key yet, because
   * there are no hashes without such a key.
   */
  stored?: Pick<MaybeEntry, "key" | "version"> & { value: LetterLimit | null };
  /** The record of the address `name`, if the mailbox was read for another address that leads to it. */
  ownRecord?: MaybeEntry<SignUpRecord> | undefined;
  /** Whether an entry under a hash of the mailbox cannot be read. A further letter might then break the limit. */
  isUnreadable?: boolean;
}

/** Mailboxes by the addresses that lead to them. */
export type Mailboxes = ReadonlyMap<string, Mailbox>;

/**
 * Gives the KV keys of a mailbox's letter limit. Each of them has a hash that is made with another erasure key; the
 * first hash is made with the store's own erasure key. The hashed text begins with the word `mailbox`, so that the hash
 * differs from the erasure mark of the same address.
 */
const keysOf = (erasureKeys: Uint8Array, { name }: Mailbox) =>
  erasureMarksOf(erasureKeys, `mailbox ${name}`).map(letterLimitKey);

/** Reads all letter limits that are stored under hashes, a batch at a time. */
export function readLetterLimits(kv: Kv): AsyncGenerator<EntryBatch<LetterLimit>> {
  const toForm = (mailbox: string, letterLimit: LetterLimit) => ({ mailbox, ...letterLimit });
  return readEntries(kv, { ...LETTER_LIMITS, form: { schema: storedLetterLimitSchema, toForm } });
}

/** Reads the mailboxes of some addresses. */
export async function readMailboxes(
  kv: Kv,
  { erasureKeys }: StoreSchema,
  emails: string[],
): Promise<Mailboxes> {
  const byEmail = new Map<string, Mailbox>();
  const byName = new Map<string, Mailbox>();
  /** The mailboxes for which the record of the address `name` is read. */
  const withOwnRecord = new Set<Mailbox>();
  for (const email of emails) {
    const name = mailboxOf(email);
    const mailbox = byName.get(name) ?? { name };
    byName.set(name, mailbox);
    byEmail.set(email, mailbox);
    if (name !== email) withOwnRecord.add(mailbox);
  }
  const withHashes = erasureKeys ? [...byName.values()] : [];
  const keys = withHashes.map((mailbox) => keysOf(erasureKeys!, mailbox));
  const [stored, ownRecords] = await Promise.all([
    readMany<LetterLimit>(kv, keys.flat()),
    readMany<SignUpRecord>(kv, [...withOwnRecord].map(({ name }) => signUpKey(name))),
  ]);
  for (const [index, mailbox] of withHashes.entries()) {
    const entries = stored.splice(0, keys[index]!.length);
    // A commit checks only the first entry, whose hash is made with the store's own erasure key. The hashes of the
    // other entries are made with the erasure keys of restored backups, and changes of people never write these
    // entries.
    const [first] = entries;
    if (!first || entries.includes(undefined)) mailbox.isUnreadable = true;
    else {
      const limits = entries.flatMap((entry) => entry?.value ?? []);
      mailbox.stored = { ...first, value: limits.length > 0 ? joinLetterLimits(limits) : null };
    }
  }
  for (const [index, mailbox] of [...withOwnRecord].entries()) {
    mailbox.ownRecord = ownRecords[index];
  }
  return byEmail;
}

/** Collects how a commit changes letter limits. Several addresses of one mailbox may share a commit. */
export interface LetterLimitChanges {
  /** Gives the letter limit of an address, with the changes that were collected so far. */
  limitOf: (email: string, record: SignUpRecord | undefined) => LetterLimit;
  /**
   * Notes that a letter to a person is put into the outbox (`after` is the changed record), or that a person is removed
   * (`after` is `undefined`).
   */
  note: (
    email: string,
    before: SignUpRecord | undefined,
    after: SignUpRecord | undefined,
  ) => void;
  /** Keeps what must outlive the record: a complaint, or the fact that an operator has lifted the complaint. */
  keep: (email: string, letterLimit: LetterLimit) => void;
  /**
   * Adds the changes to a commit. The commit must check the schema, because this function makes an erasure key if there
   * is none. Two commits for two addresses of one mailbox cannot both go through at the same time, because each of them
   * checks the entries that the other commit writes.
   */
  write: (commit: Commit, schema: StoreSchema, random: RandomBytes) => void;
}

/**
 * Begins to collect changes of letter limits for a commit.
 * @param mailboxes the mailboxes as they were read before the commit
 */
export function createLetterLimitChanges(mailboxes: Mailboxes): LetterLimitChanges {
  /**
   * For each mailbox, the limits that the commit adds to its letter limit, and whether the joined limit is stored under
   * the hash of the mailbox.
   */
  const changes = new Map<Mailbox, { limits: LetterLimit[]; isStored: boolean }>();

  function limitOf(email: string, record: SignUpRecord | undefined): LetterLimit {
    const mailbox = mailboxes.get(email);
    const limits = record ? [letterLimitOf(record)] : [];
    if (mailbox?.stored?.value) limits.push(mailbox.stored.value);
    if (mailbox?.ownRecord?.value) limits.push(letterLimitOf(mailbox.ownRecord.value));
    if (mailbox) limits.push(...changes.get(mailbox)?.limits ?? []);
    return joinLetterLimits(limits);
  }

  return {
    limitOf,

    note(email, before, after) {
      const mailbox = mailboxes.get(email);
      if (!mailbox) return;
      const { limits, isStored } = changes.get(mailbox) ?? { limits: [], isStored: false };
      limits.push(after ? letterLimitOf(after) : limitOf(email, before));
      changes.set(mailbox, { limits, isStored: isStored || !after || mailbox.name !== email });
    },

    keep(email, letterLimit) {
      const mailbox = mailboxes.get(email)!;
      const { limits = [] } = changes.get(mailbox) ?? {};
      changes.set(mailbox, { limits: [...limits, letterLimit], isStored: true });
    },

    write(commit, schema, random) {
      for (const [mailbox, { limits, isStored }] of changes) {
        const { stored, ownRecord } = mailbox;
        if (stored) commit.check(stored);
        if (ownRecord) commit.check(ownRecord);
        if (!isStored) continue;
        const joined = joinLetterLimits(stored?.value ? [stored.value, ...limits] : limits);
        const { letters, ...moments } = joined;
        if (letters.length === 0 && Object.keys(moments).length === 0) continue;
        commit.set(keysOf(ensureErasureKeys(schema, random), mailbox)[0]!, joined);
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

/** Splits changes so that each part needs at most `maxChecks` checks of records and mailboxes. */
export function splitByChecks<Change extends { email: string }>(
  changes: Change[],
  mailboxes: Mailboxes,
  maxChecks: number,
): Change[][] {
  const parts: Change[][] = [];
  let remainingChecks = 0;
  for (const change of changes) {
    const { stored, ownRecord } = mailboxes.get(change.email) ?? {};
    const checks = 1 + (stored ? 1 : 0) + (ownRecord ? 1 : 0);
    if (remainingChecks < checks) {
      parts.push([]);
      remainingChecks = maxChecks;
    }
    parts.at(-1)!.push(change);
    remainingChecks -= checks;
  }
  return parts;
}
