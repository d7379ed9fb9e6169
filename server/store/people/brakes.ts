/**
 * The brakes of mailboxes. The record of an address has its brake, so that most letters write no further entry. The
 * brake of who was removed, and that of an address which differs from its mailbox, as `ada+news@example.com` does, is
 * kept under a hash with the key of the erasure marks. @module
 */
import { keptBrakeSchema } from "../../../shared/backup_lines.ts";
import { type Brake, brakeOf, erasureMarks } from "../../waitlist/mod.ts";
import { joinBrakes, mailboxOf, type SignUpRecord } from "../../waitlist/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { erasureKeysOf } from "./erasure_marks.ts";
import { brakeKey, BRAKES, Commit, type EntryBatch, type Kv, type MaybeEntry } from "../kv/mod.ts";
import { readEntries, readMany, signUpKey, type StoreSchema } from "../kv/mod.ts";

interface Mailbox {
  name: string;
  /** The brake under the hashes; absent where the store has no key yet, so that there are none. */
  kept?: Pick<MaybeEntry, "key" | "version"> & { value: Brake | null };
  /** The record of the mailbox's own address, where another address of it was asked for. */
  own?: MaybeEntry<SignUpRecord> | undefined;
  /** Whether a brake under the hashes cannot be read, so that it is not known what it holds back. */
  isUnreadable?: boolean;
}

/** By address. */
export type Mailboxes = ReadonlyMap<string, Mailbox>;

/** The hashes, by the store's own key first, differ from those of an address by their first word. */
const keysOf = (erasureKeys: Uint8Array, { name }: Mailbox) =>
  erasureMarks(erasureKeys, `mailbox ${name}`).map(brakeKey);

export function readBrakes(kv: Kv): AsyncGenerator<EntryBatch<Brake>> {
  const of = (mailbox: string, brake: Brake) => ({ mailbox, ...brake });
  return readEntries(kv, { ...BRAKES, form: { schema: keptBrakeSchema, of } });
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
    readMany<Brake>(kv, keys.flat()),
    readMany<SignUpRecord>(kv, [...others].map(({ name }) => signUpKey(name))),
  ]);
  for (const [index, mailbox] of hashed.entries()) {
    // Nothing writes those of a restored backup, so that the first one alone need be checked.
    const entries = kept.splice(0, keys[index]!.length);
    const [first] = entries;
    if (!first || entries.includes(undefined)) mailbox.isUnreadable = true;
    else {
      const brakes = entries.flatMap((entry) => entry?.value ?? []);
      mailbox.kept = { ...first, value: brakes.length > 0 ? joinBrakes(brakes) : null };
    }
  }
  for (const [index, mailbox] of [...others].entries()) mailbox.own = own[index];
  return byEmail;
}

export type BrakeChanges = ReturnType<typeof createBrakeChanges>;

/** Collects what a commit changes of brakes; addresses of one mailbox may share a commit. */
export function createBrakeChanges(mailboxes: Mailboxes) {
  /** What was noted, and whether it is kept under the hash. */
  const noted = new Map<Mailbox, { brakes: Brake[]; isKept: boolean }>();

  function of(email: string, record: SignUpRecord | undefined): Brake {
    const mailbox = mailboxes.get(email);
    const brakes = record ? [brakeOf(record)] : [];
    if (mailbox?.kept?.value) brakes.push(mailbox.kept.value);
    if (mailbox?.own?.value) brakes.push(brakeOf(mailbox.own.value));
    if (mailbox && noted.has(mailbox)) brakes.push(...noted.get(mailbox)!.brakes);
    return joinBrakes(brakes);
  }

  return {
    of,

    /** Notes that a person was put a letter, or is removed. @param after the record as it is then, if it stays */
    note(email: string, before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
      const mailbox = mailboxes.get(email);
      if (!mailbox) return;
      const { brakes, isKept } = noted.get(mailbox) ?? { brakes: [], isKept: false };
      brakes.push(after ? brakeOf(after) : of(email, before));
      noted.set(mailbox, { brakes, isKept: isKept || !after || mailbox.name !== email });
    },

    /** Notes what is kept under the hash whatever becomes of the person: a complaint, or that it is lifted. */
    keep(email: string, brake: Brake): void {
      const mailbox = mailboxes.get(email)!;
      const { brakes = [] } = noted.get(mailbox) ?? {};
      noted.set(mailbox, { brakes: [...brakes, brake], isKept: true });
    },

    /**
     * Adds the changes to a commit, which checks the schema; makes the key of the hashes where there is none. Of
     * two addresses of one mailbox, each commit checks what the other one would write.
     */
    write(commit: Commit, schema: StoreSchema, random: RandomBytes): void {
      for (const [mailbox, { brakes, isKept }] of noted) {
        const { kept, own } = mailbox;
        if (kept) commit.check(kept);
        if (own) commit.check(own);
        if (!isKept) continue;
        const brake = joinBrakes(kept?.value ? [kept.value, ...brakes] : brakes);
        const { letters, ...moments } = brake;
        if (letters.length === 0 && Object.keys(moments).length === 0) continue;
        commit.set(keysOf(erasureKeysOf(schema, random), mailbox)[0]!, brake);
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
