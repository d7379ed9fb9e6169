/** Corrects an address: moves the record of a person to another address, in one commit. @module */
import type {
  AuditEntry,
  Correction,
  CorrectionRequest,
} from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  correctRecord,
  erasureMarksOf,
  isCountedAsRefused,
  isMarkOfCorrection,
  type LetterKind,
  newInvitationCode,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import {
  inviteeKey,
  type Kv,
  type MaybeEntry,
  readOne,
  readWithSchema,
  type SchemaSnapshot,
  signUpKey,
  waveCountKey,
} from "../kv/mod.ts";
import { findItems, type OutboxEntry, type OutboxOptions } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { ensureErasureKeys, findErasureMoments } from "./erasure_marks.ts";
import { createLetterLimitChanges, type Mailboxes, readMailboxes } from "./letter_limits.ts";

/** The correction, or the reason why the address stays as it is. */
export type CorrectionOutcome =
  | Correction
  /** The old address has no record. */
  | { refused: "unknown"; erasedAt: string | undefined }
  /**
   * The new address is on the list; another person with the new address was erased; or a record or letter limit cannot
   * be read.
   */
  | { refused: "on_list" | "erased" | "unreadable" };

interface CorrectionOptions {
  kv: Kv;
  outbox: OutboxOptions;
  random: RandomBytes;
  /** The present moment, in milliseconds since 1970. */
  now: number;
  audit?: AuditEntry | undefined;
  /** Finds the link of the invitation of a person; `undefined` if the link is not known. */
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
}

/**
 * Gives a person another address. A repetition of a correction gives `corrected_before`.
 * @param request lower-cased addresses
 */
export function correctAddress(
  request: CorrectionRequest,
  options: CorrectionOptions,
): Promise<CorrectionOutcome> {
  return commitPeople<CorrectionOutcome>(options.kv, async () => {
    const addresses = await readAddresses(request, options);
    if ("outcomeWithoutChange" in addresses) {
      return { result: () => addresses.outcomeWithoutChange };
    }
    return await moveRecord(request, addresses, options);
  });
}

/** What the store holds about the old and the new address, if the correction can be made. */
interface StoredAddresses {
  schema: SchemaSnapshot;
  /** The entry of the old address, and the record in this entry. */
  oldEntry: MaybeEntry<SignUpRecord>;
  oldRecord: SignUpRecord;
  /** The entry of the new address, which has no record. */
  newEntry: MaybeEntry<SignUpRecord>;
  /** The keyed hash of the old address, made with the store's own erasure key. */
  oldHash: string;
  /** The keyed hash of the new address, made with the store's own erasure key. */
  newHash: string;
  mailboxes: Mailboxes;
}

/** Reads what a correction needs, or finds out why the address stays as it is. */
async function readAddresses(
  { email, newEmail }: CorrectionRequest,
  { kv, random }: CorrectionOptions,
): Promise<StoredAddresses | { outcomeWithoutChange: CorrectionOutcome }> {
  const emails = [email, newEmail];
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, emails.map(signUpKey));
  const [oldEntry, newEntry] = entries;
  if (!oldEntry || !newEntry) return { outcomeWithoutChange: { refused: "unreadable" } };
  const erasureKeys = ensureErasureKeys(schema, random);
  const oldHashes = erasureMarksOf(erasureKeys, email);
  const newHashes = erasureMarksOf(erasureKeys, newEmail);
  const erasureMoments = await findErasureMoments(kv, schema, emails);
  const oldRecord = oldEntry.value;
  if (!oldRecord) {
    const erasedAt = erasureMoments.get(email);
    return {
      outcomeWithoutChange: outcomeWithoutRecord(newEntry.value, { oldHashes, erasedAt }),
    };
  }
  if (newEntry.value) return { outcomeWithoutChange: { refused: "on_list" } };
  const erasedAt = erasureMoments.get(newEmail);
  if (erasedAt && !isMarkOfCorrection(oldRecord, { erasedAt, marks: newHashes })) {
    return { outcomeWithoutChange: { refused: "erased" } };
  }
  const mailboxes = await readMailboxes(kv, schema, emails);
  if (emails.some((address) => mailboxes.get(address)?.isUnreadable)) {
    return { outcomeWithoutChange: { refused: "unreadable" } };
  }
  // The first hash of an address is made with the store's own erasure key. `ensureErasureKeys()` has made sure of this
  // key.
  const [oldHash = ""] = oldHashes;
  const [newHash = ""] = newHashes;
  return { schema, oldRecord, oldEntry, newEntry, oldHash, newHash, mailboxes };
}

/** Makes the commit that moves the record, with the letter to the new address and the event. */
async function moveRecord(
  { email, newEmail }: CorrectionRequest,
  { schema, oldRecord, oldEntry, newEntry, oldHash, newHash, mailboxes }: StoredAddresses,
  { kv, outbox, random, now, audit, findInvitationUrl }: CorrectionOptions,
): Promise<{ peopleCommit: PeopleCommit; result: () => Correction }> {
  const at = new Date(now).toISOString();
  const letterLimits = createLetterLimitChanges(mailboxes);
  letterLimits.noteRemoval(email, oldRecord);
  const { record: newRecord, letter, event } = correctRecord(oldRecord, {
    at,
    oldAddressMark: oldHash,
    asksToConfirm: outbox.sendsLetters,
    letterLimit: letterLimits.limitOf(newEmail, undefined),
    invitationCode: newInvitationCode(random),
  });
  const invitationUrl = letter === "invitation" ? await findInvitationUrl(newRecord) : undefined;
  const letterToSend = outbox.sendsLetters ? chooseLetter(letter, invitationUrl) : undefined;
  if (letterToSend === "confirmation") letterLimits.noteLetter(newEmail, newRecord);
  const items = await findItems(kv, oldRecord.outbox);
  const step: Step = {
    record: recordWithEvents(newRecord, items),
    ...letterToSend && { letter: letterToSend },
    ...event && { event },
  };
  const inviteeEntry = await readOne<string>(kv, inviteeKey(email));
  const peopleCommit: PeopleCommit = {
    people: [
      { email, entry: oldEntry, change: { leaves: "corrected", at: now } },
      { email: newEmail, entry: newEntry, change: step, invitationUrl, formerEmail: email },
    ],
    schema,
    outbox,
    letterLimits,
    audit: audit && {
      ...audit,
      address: newHash,
      details: { ...audit.details, formerAddress: oldHash },
    },
    extend(commit, { outboxChanges }) {
      outboxChanges.correctItems(newEmail, items);
      // The letter to the new address takes the place of a refused letter.
      if (letterToSend === "invitation" && oldRecord.wave && isCountedAsRefused(oldRecord)) {
        commit.add(waveCountKey(oldRecord.wave, "refused"), -1);
      }
      // If a wave for listed addresses has the person as an invitee, gives the new address an entry of the invitee as
      // well, so that the wave invites the new address. The entry of the old address is removed with the old record.
      commit.check(inviteeEntry);
      if (inviteeEntry.value) commit.set(inviteeKey(newEmail), inviteeEntry.value);
    },
  };
  const correction: Correction = {
    outcome: "corrected",
    correctedAt: at,
    state: newRecord.state,
    ...letterToSend && { letter: letterToSend },
  };
  return { peopleCommit, result: () => correction };
}

/**
 * Adds to the record the ids of the events about the person, which stay in the outbox with the new address. Letters to
 * the old address are removed from the outbox, so the record has no ids of letters.
 * @param items the items of the person in the outbox
 */
function recordWithEvents(record: SignUpRecord, items: OutboxEntry[]): SignUpRecord {
  const eventIds = items.filter(({ item }) => "event" in item.message).map(({ id }) => id);
  return eventIds.length > 0 ? { ...record, outbox: eventIds } : record;
}

/** Gives the letter that goes to the new address: a confirmation letter, or an invitation if its link is known. */
function chooseLetter(
  letter: LetterKind | undefined,
  invitationUrl: string | undefined,
): Exclude<LetterKind, "link"> | undefined {
  if (letter === "confirmation") return letter;
  return letter === "invitation" && invitationUrl !== undefined ? letter : undefined;
}

/**
 * Gives the outcome if the old address has no record: either an earlier correction of the same person, or a refusal.
 * @param options.oldHashes the hashes of the old address, one for each erasure key
 */
function outcomeWithoutRecord(
  newRecord: SignUpRecord | null,
  { oldHashes, erasedAt }: { oldHashes: string[]; erasedAt: string | undefined },
): CorrectionOutcome {
  const lastCorrection = newRecord?.corrections?.at(-1);
  if (!newRecord || !lastCorrection || !oldHashes.includes(lastCorrection.address)) {
    return { refused: "unknown", erasedAt };
  }
  return { outcome: "corrected_before", correctedAt: lastCorrection.at, state: newRecord.state };
}
