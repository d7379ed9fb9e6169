/**
 * The record of a sign-up: its members and its id. `merge_records.ts` makes and merges records, and `stored_signup.ts`
 * gives the form that the operator surface shows. @module
 */
import type { CampaignField } from "../../shared/campaigns.ts";
import type { State } from "../../shared/counters.ts";
import type { ShownSignup, StoredSignup } from "../../shared/operator_schemas.ts";
import { LANGS, SOURCES, STATES, type WaitlistSignup } from "../../shared/schemas.ts";
import { createRandomIds, type RandomBytes } from "../runtime/mod.ts";
export { type State, stateOf } from "../../shared/counters.ts";
export { LANGS, SOURCES, STATES };

/** A language in which the service writes to people. */
export type Lang = NonNullable<WaitlistSignup["lang"]>;

/** The number of characters of a record's id. Each has 6 random bits. */
export const RECORD_ID_LENGTH = 22;

/** The number of consecutive ids that begin with the same characters (the prefix). */
const IDS_PER_PREFIX = 256;

/** The length of the prefix, in characters. */
const PREFIX_LENGTH = 8;

/**
 * Makes the function that gives the ids of new records. Each {@linkcode IDS_PER_PREFIX} consecutive ids begin with the
 * same random characters, so that the entries of these ids are neighbours in the index of ids. Otherwise, a
 * commit would write about one page of the database for each person. The other 14 characters, 84 bits, are random in
 * each id.
 */
export function createRecordIds(random: RandomBytes): () => string {
  const nextPrefix = createRandomIds({ length: PREFIX_LENGTH, random });
  const nextRest = createRandomIds({ length: RECORD_ID_LENGTH - PREFIX_LENGTH, random });
  let prefix = "";
  let idCount = 0;
  return () => {
    if (idCount++ % IDS_PER_PREFIX === 0) prefix = nextPrefix();
    return prefix + nextRest();
  };
}

/** The stored data of one sign-up. The key of the record is the address. All times are date-times. */
export interface SignUpRecord
  extends Omit<StoredSignup, "email" | "placeUrl" | "referrals" | "referredBy"> {
  /** The random id of the record. If an erased address signs up again, the new record has another id. */
  id: string;
  state: State;
  /**
   * How many confirmation letters were put into the outbox, and what happened to the last letter. Absent if there was
   * no such letter, and after the person has confirmed.
   */
  confirmations?: NonNullable<ShownSignup["confirmations"]>;
  /**
   * The outcome of the last letter of each kind. When the person confirms, the outcome of the confirmation letter moves
   * into the proof of consent.
   */
  lastLetters?: NonNullable<ShownSignup["lastLetters"]>;
  /** The corrections of the address, the latest correction last. Absent if there was no correction. */
  corrections?: NonNullable<ShownSignup["corrections"]>;
  /**
   * The moments at which letters were put into the outbox while the person was unconfirmed: the moments of the last
   * three letters at most.
   */
  letters?: string[];
  /**
   * The moment and the operator of the last import that created or changed the record, and those values of `createdAt`
   * and `consentedAt` that the record got from imports. Imports by versions before 1.3 did not write this member.
   */
  imported?: NonNullable<ShownSignup["imported"]>;
  /** The moment at which the last letter with the link of the self-service page was put into the outbox. */
  linkAt?: string;
  /** The moment at which a mail server last took an invitation. */
  invitationTakenAt?: string;
  /** The fields of the campaign that are counted as `other`, because too many values of a field have counters. */
  countedAsOther?: CampaignField[];
  /** The record id of the person by whose link this person first signed up. */
  referrerId?: string;
  /**
   * The referral of an imported person, with the referral code that the import gave. The import finds the owner of the
   * code at the end, and then removes this member.
   */
  pendingReferral?: { code: string; counts?: boolean };
  /** The ids of the person's items in the outbox. An erasure finds the items by these ids. */
  outbox?: string[];
  /**
   * Recounts of the counters are numbered. This is the number of the last recount that had begun before the record was
   * last written; absent if no recount had begun. By this number, a recount sees whether the record changed since the
   * recount began.
   */
  recount?: number;
}
