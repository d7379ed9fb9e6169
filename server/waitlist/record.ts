/**
 * The record of an address, and how a sign-up, a line of an import or a record of a backup is merged with it. @module
 */
import { isDeepStrictEqual } from "node:util";
import { type CampaignField, hasCampaign, withoutCampaign } from "../../shared/campaigns.ts";
import type { State } from "../../shared/counters.ts";
import type { ShownSignup, StoredSignup } from "../../shared/operator_schemas.ts";
import { LANGS, SOURCES, STATES, type WaitlistSignup } from "../../shared/schemas.ts";
import { createRandomIds, digestSha256, type RandomBytes } from "../runtime/mod.ts";
import type { ImportedSignUp } from "./import_line.ts";
export { type State, stateOf } from "../../shared/counters.ts";
export { LANGS, SOURCES, STATES };

export type Lang = NonNullable<WaitlistSignup["lang"]>;

/** The language of a new record if the sign-up has no `lang` (contract, "WaitlistSignup"). */
const DEFAULT_LANG: Lang = "en";

/** A validated sign-up. Optional fields that were not given are absent. */
export interface SignUp {
  /** The lower-cased address. */
  email: string;
  /** The form on the company's site by which the person signed up, `hero` or `cta`. */
  source?: NonNullable<WaitlistSignup["source"]>;
  lang?: Lang;
}

/** The number of characters of a record's id. Each has 6 random bits. */
export const RECORD_ID_LENGTH = 22;

/** The number of consecutive ids that begin with the same characters (the prefix). */
const IDS_PER_PREFIX = 256;

/** The length of the prefix, in characters. */
const PREFIX_LENGTH = 8;

/**
 * Makes the function that gives the ids of new records. Groups of consecutive ids begin with the same random
 * characters, so that their entries are neighbours in the index of ids. Without this, a commit would write about one
 * page of the database for each person. The other 14 characters, 84 bits, are random in each id.
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
   * How many confirmation letters were put into the outbox, and what happened to the last one. Absent if there was
   * none, and after the person has confirmed.
   */
  confirmations?: NonNullable<ShownSignup["confirmations"]>;
  /**
   * The outcome of the last letter of each kind. When the person confirms, the outcome of the confirmation letter moves
   * into the proof of consent.
   */
  lastLetters?: NonNullable<ShownSignup["lastLetters"]>;
  /** The corrections of the address, the latest correction last. Absent if there was none. */
  corrections?: NonNullable<ShownSignup["corrections"]>;
  /**
   * The moments at which letters were put into the outbox while the person was unconfirmed: those of the last three
   * letters at most.
   */
  letters?: string[];
  /** The moment at which the last letter with the link of the self-service page was put into the outbox. */
  linkAt?: string;
  /** The moment at which a mail server last took an invitation. */
  invitationTakenAt?: string;
  /** The fields of the campaign that are counted as `other`, because too many other values are already counted. */
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
   * The number of the last recount of counters that had begun when the record was last written. Absent if there was no
   * recount. A recount sees by this number whether the record changed since the recount began.
   */
  recount?: number;
}

/**
 * Gives a record in the form `StoredSignup` of the operator surface, without the members that this form does not
 * have.
 */
export function toStoredSignup(email: string, record: SignUpRecord): StoredSignup {
  const {
    id: _id,
    confirmations: _confirmations,
    lastLetters: _lastLetters,
    corrections: _corrections,
    letters: _letters,
    linkAt: _linkAt,
    invitationTakenAt: _invitationTakenAt,
    countedAsOther: _countedAsOther,
    referrerId: _referrerId,
    pendingReferral: _pendingReferral,
    outbox: _outbox,
    recount: _recount,
    ...shown
  } = record;
  return { email, ...shown };
}

/**
 * Gives a person in the form of an export: the record in the form of the operator surface, and the link to the
 * self-service page.
 */
export function toExportedSignup(
  email: string,
  record: SignUpRecord,
  { placeUrl }: { placeUrl: (lang: Lang, email: string, id: string) => string },
): StoredSignup {
  return { ...toStoredSignup(email, record), placeUrl: placeUrl(record.lang, email, record.id) };
}

/** The wording of consent as a page shows it: plain text, with all placeholders filled. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/**
 * Gives the id by which proofs of consent name a wording. The id is a hash of the language and the wording, so that
 * different wordings never have the same id.
 */
export const consentTextId = ({ lang, text }: ConsentText): string =>
  digestSha256(`${lang}\n${text}`).toString("base64url");

export interface MergeOptions {
  /** The present moment, a date-time. For a sign-up, the consent was given at this moment. */
  at: string;
  /** The id that the record gets if it is new. */
  id: string;
}

/**
 * Merges a sign-up with the record of its address, if there is one. Answers in the sign-up replace stored answers; the
 * other stored answers stay. `createdAt` stays the moment of the first sign-up, and `consentedAt` becomes that of the
 * latest consent.
 */
export function mergeSignUp(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  { at, id }: MergeOptions,
): SignUpRecord {
  const { email: _, ...answers } = signUp;
  // The stored consent may be later than the consent of this sign-up, because two processes can store two sign-ups of
  // an address in the wrong order.
  const consentedAt = existing && existing.consentedAt > at ? existing.consentedAt : at;
  return {
    id,
    state: "waiting",
    lang: DEFAULT_LANG,
    createdAt: at,
    ...existing,
    ...answers,
    consentedAt,
    updatedAt: at,
  };
}

/**
 * The members that an import does not change if the record has them: the proof of consent, the invitation, the account
 * that redeemed the invitation, and the referral code.
 */
const FIXED = [
  "proof",
  "invitedAt",
  "invitationCode",
  "wave",
  "expiresAt",
  "acceptedAt",
  "reference",
  "referralCode",
] as const;

/**
 * Merges a line of an import with the record of its address, if there is one. The result has the earliest sign-up and
 * the latest consent. Gives `existing` itself if nothing changes.
 */
export function mergeImported(
  existing: SignUpRecord | undefined,
  imported: ImportedSignUp,
  { at, id }: MergeOptions,
): SignUpRecord {
  const { email: _, consentedAt, createdAt = consentedAt, updatedAt = at, ...given } = imported;
  const { state = "waiting", referredBy, referralCounts, ...others } = given;
  const counts = referralCounts !== undefined && { counts: referralCounts };
  const isReferred = referredBy !== undefined && !existing?.referrerId;
  const answers = {
    ...existing ? withoutCampaign(others) : others,
    ...isReferred && { pendingReferral: { code: referredBy, ...counts } },
  };
  if (!existing) {
    return { id, state, lang: DEFAULT_LANG, createdAt, consentedAt, updatedAt, ...answers };
  }
  const fixed = FIXED.filter((name) => existing[name] !== undefined);
  const merged = withState(
    {
      ...existing,
      ...answers,
      ...Object.fromEntries(fixed.map((name) => [name, existing[name]])),
      ...outerTimes(existing, { createdAt, consentedAt }),
    },
    laterState(existing.state, state),
  );
  return isDeepStrictEqual(merged, existing) ? existing : { ...merged, updatedAt: at };
}

/**
 * Merges a record of a backup with the record of its address, if there is one. If both have an answer, the stored
 * answer stays. Gives `existing` itself if nothing changes.
 */
export function mergeRestored(
  existing: SignUpRecord | undefined,
  restored: SignUpRecord,
): SignUpRecord {
  if (!existing) return restored;
  // The store already has this record, for example because an earlier try of the restore was interrupted. The stored
  // record has the data of the backup with all later changes, such as the removal of a note.
  if (existing.id === restored.id) return existing;
  // A bounce in the backup is dropped, because the person has signed up again since then, and a sign-up lifts a bounce.
  const { undeliverableAt: _, ...rest } = restored;
  const older = hasCampaign(existing) ? withoutCampaign(rest) : rest;
  const merged = withState(
    { ...older, ...existing, ...outerTimes(existing, restored) },
    laterState(existing.state, restored.state),
  );
  return isDeepStrictEqual(merged, existing) ? existing : merged;
}

/**
 * Sets the state of a record. `confirmations` stays only in an unconfirmed record, because people in other states get
 * no confirmation letters.
 */
function withState({ confirmations, ...record }: SignUpRecord, state: State): SignUpRecord {
  const keepsConfirmations = state === "unconfirmed" && confirmations;
  return { ...record, state, ...keepsConfirmations && { confirmations } };
}

const laterState = (one: State, other: State) =>
  STATES.indexOf(one) > STATES.indexOf(other) ? one : other;

type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/**
 * Gives the earlier `createdAt` and the later `consentedAt` of two records. Date-times in UTC can be compared as texts.
 */
function outerTimes(one: Times, other: Times): Times {
  return {
    createdAt: one.createdAt < other.createdAt ? one.createdAt : other.createdAt,
    consentedAt: one.consentedAt > other.consentedAt ? one.consentedAt : other.consentedAt,
  };
}
