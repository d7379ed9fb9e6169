/**
 * Reads and writes the letter limits of mailboxes. The record of an address holds the dates of its letters itself, so
 * that most letters write no further entry. The dates of a removed person, and those of an address that differs from
 * its mailbox, as `ada+news@example.com` does, are under a hash with the key of the erasure marks. @module
 */
import { storedLetterLimitSchema } from "../../../shared/backup_lines.ts";
import { erasureMarks, type LetterLimit, letterLimitOf } from "../../waitlist/mod.ts";
import { joinLetterLimits, mailboxOf, type SignUpRecord } from "../../waitlist/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { erasureKeysOf } from "./erasure_marks.ts";
import {
  Commit,
  type EntryBatch,
  type Kv,
  LETTER_LIMITS,
  letterLimitKey,
  type MaybeEntry,
} from "../kv/mod.ts";
import { readEntries, readMany, signUpKey, type StoreSchema } from "../kv/mod.ts";

interface Mailbox {
  name: string;
  /** The letter limit under the hashes; absent where the store has no key yet, so that there are none. */
  kept?: Pick<MaybeEntry, "key" | "version"> & { value: LetterLimit | null };
  /** The record of the mailbox's own address, where another address of it was asked for. */
  own?: MaybeEntry<SignUpRecord> | undefined;
  /** Whether a letter limit under the hashes cannot be read, so that it is not known what it holds back. */
  isUnreadable?: boolean;
}

/** By address. */
export type Mailboxes = ReadonlyMap<string, Mailbox>;

/** The hashes, by the store's own key first, differ from those of an address by their first word. */
const keysOf = (erasureKeys: Uint8Array, { name }: Mailbox) =>
  erasureMarks(erasureKeys, `mailbox ${name}`).map(letterLimitKey);

export function readLetterLimits(kv: Kv): AsyncGenerator<EntryBatch<LetterLimit>> {
  const of = (mailbox: string, letterLimit: LetterLimit) => ({ mailbox, ...letterLimit });
  return readEntries(kv, { ...LETTER_LIMITS, form: { schema: storedLetterLimitSchema, of } });
}

export async function readMailboxes(kv: Kv, { erasureKeys }: StoreSchema, emails: string[]) {
  const byEmail = new Map<string, Mailbox>();
  const byName = new Map<string, Mailbox>();
  const others = new Set<Mailbox>();
  for (const email of emails) {
    const name = mailboxOf(email);
    const mailbox = byName.get(name) ?? { name };
    byName.set(name, mailbox);
    byEmail.set(email, mailbox);
    if (name !== email) others.add(mailbox);
  }
  const hashed = erasureKeys ? [...byName.values()] : [];
  const keys = hashed.map((mailbox) => keysOf(erasureKeys!, mailbox));
  const [kept, own] = await Promise.all([
    readMany<LetterLimit>(kv, keys.flat()),
    readMany<SignUpRecord>(kv, [...others].map(({ name }) => signUpKey(name))),
  ]);
  for (const [index, mailbox] of hashed.entries()) {
    // Nothing writes those of a restored backup, so that the first one alone need be checked.
    const entries = kept.splice(0, keys[index]!.length);
    const [first] = entries;
    if (!first || entries.includes(undefined)) mailbox.isUnreadable = true;
    else {
      const letterLimits = entries.flatMap((entry) => entry?.value ?? []);
      mailbox.kept = {
        ...first,
        value: letterLimits.length > 0 ? joinLetterLimits(letterLimits) : null,
      };
    }
  }
  for (const [index, mailbox] of [...others].entries()) mailbox.own = own[index];
  return byEmail;
}

export type LetterLimitChanges = ReturnType<typeof createLetterLimitChanges>;

/** Collects what a commit changes of letter limits; addresses of one mailbox may share a commit. */
export function createLetterLimitChanges(mailboxes: Mailboxes) {
  /** What was noted, and whether it is kept under the hash. */
  const noted = new Map<Mailbox, { letterLimits: LetterLimit[]; isKept: boolean }>();

  function of(email: string, record: SignUpRecord | undefined): LetterLimit {
    const mailbox = mailboxes.get(email);
    const letterLimits = record ? [letterLimitOf(record)] : [];
    if (mailbox?.kept?.value) letterLimits.push(mailbox.kept.value);
    if (mailbox?.own?.value) letterLimits.push(letterLimitOf(mailbox.own.value));
    if (mailbox && noted.has(mailbox)) letterLimits.push(...noted.get(mailbox)!.letterLimits);
    return joinLetterLimits(letterLimits);
  }

  return {
    of,

    /** Notes that a person was put a letter, or is removed. @param after the record as it is then, if it stays */
    note(email: string, before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
      const mailbox = mailboxes.get(email);
      if (!mailbox) return;
      const { letterLimits, isKept } = noted.get(mailbox) ?? { letterLimits: [], isKept: false };
      letterLimits.push(after ? letterLimitOf(after) : of(email, before));
      noted.set(mailbox, { letterLimits, isKept: isKept || !after || mailbox.name !== email });
    },

    /** Notes what is kept under the hash whatever becomes of the person: a complaint, or that it is lifted. */
    keep(email: string, letterLimit: LetterLimit): void {
      const mailbox = mailboxes.get(email)!;
      const { letterLimits = [] } = noted.get(mailbox) ?? {};
      noted.set(mailbox, { letterLimits: [...letterLimits, letterLimit], isKept: true });
    },

    /**
     * Adds the changes to a commit, which checks the schema; makes the key of the hashes where there is none. Of
     * two addresses of one mailbox, each commit checks what the other one would write.
     */
    write(commit: Commit, schema: StoreSchema, random: RandomBytes): void {
      for (const [mailbox, { letterLimits, isKept }] of noted) {
        const { kept, own } = mailbox;
        if (kept) commit.check(kept);
        if (own) commit.check(own);
        if (!isKept) continue;
        const letterLimit = joinLetterLimits(
          kept?.value ? [kept.value, ...letterLimits] : letterLimits,
        );
        const { letters, ...moments } = letterLimit;
        if (letters.length === 0 && Object.keys(moments).length === 0) continue;
        commit.set(keysOf(erasureKeysOf(schema, random), mailbox)[0]!, letterLimit);
      }
    },
  };
}

/** Splits changes so that no part has more checks than it may: of records and of mailboxes. */
export function splitByChecks<Change extends { email: string }>(
  changes: Change[],
  mailboxes: Mailboxes,
  mostChecks: number,
): Change[][] {
  const parts: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const { kept, own } = mailboxes.get(change.email) ?? {};
    const checks = 1 + (kept ? 1 : 0) + (own ? 1 : 0);
    if (room < checks) {
      parts.push([]);
      room = mostChecks;
    }
    parts.at(-1)!.push(change);
    room -= checks;
  }
  return parts;
}
