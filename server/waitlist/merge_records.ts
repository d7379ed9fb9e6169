/** Merges a sign-up, a line of an import or a record of a backup with the record of its address. @module */
import { isDeepStrictEqual } from "node:util";
import { hasCampaign, withoutCampaign } from "../../shared/campaigns.ts";
import type { ImportedSignUp } from "./import_line.ts";
import { type Lang, type SignUpRecord, type State, STATES } from "./record.ts";
import type { SignUp } from "./sign_up.ts";

/** The language of a new record if the sign-up has no `lang` (contract, "WaitlistSignup"). */
const DEFAULT_LANG: Lang = "en";

/** What a merge needs besides the records. */
export interface MergeOptions {
  /** The present moment, a date-time. For a sign-up, the consent was given at this moment. */
  at: string;
  /** The id that the record gets if it is new. */
  id: string;
}

/**
 * Merges a sign-up with the record of its address, if there is one. Answers in the sign-up replace stored answers; the
 * other stored answers stay. `createdAt` stays the moment of the first sign-up, and `consentedAt` becomes the moment
 * of the latest consent.
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
const FIXED_MEMBERS = [
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
 * the latest consent, and notes the import with its operator. Gives `existing` itself, without a note of this import, if
 * nothing changes.
 */
export function mergeImported(
  existing: SignUpRecord | undefined,
  imported: ImportedSignUp,
  { at, id, operator }: MergeOptions & { operator?: string | undefined },
): SignUpRecord {
  const {
    email: _email,
    consentedAt,
    createdAt = consentedAt,
    updatedAt = at,
    state = "waiting",
    referredBy: _referredBy,
    referralCounts: _referralCounts,
    ...otherMembers
  } = imported;
  const note = { at, ...operator !== undefined && { operator } };
  const referral = existing?.referrerId ? {} : toPendingReferral(imported);
  if (!existing) {
    const times = { createdAt, consentedAt };
    const members = { id, state, lang: DEFAULT_LANG, ...times, updatedAt, ...otherMembers };
    return { ...members, ...referral, imported: { ...note, ...times } };
  }
  const fixedNames = FIXED_MEMBERS.filter((name) => existing[name] !== undefined);
  const merged = withState(
    {
      ...existing,
      ...withoutCampaign(otherMembers),
      ...referral,
      ...Object.fromEntries(fixedNames.map((name) => [name, existing[name]])),
      ...mergeTimes(existing, { createdAt, consentedAt }),
    },
    laterState(existing.state, state),
  );
  if (isDeepStrictEqual(merged, existing)) return existing;
  const importedTimes = changedTimes(existing, merged);
  const { operator: _, ...formerNote } = existing.imported ?? {};
  return { ...merged, updatedAt: at, imported: { ...formerNote, ...note, ...importedTimes } };
}

/**
 * Gives those moments that an import has changed. A moment that the record already had is left out, because a file can
 * repeat a moment of a sign-up by a form, for example if the file is an export of this list.
 */
function changedTimes(before: Times, after: Times): Partial<Times> {
  return {
    ...after.createdAt !== before.createdAt && { createdAt: after.createdAt },
    ...after.consentedAt !== before.consentedAt && { consentedAt: after.consentedAt },
  };
}

/** Gives the member `pendingReferral` of an imported person. Gives no member if nobody has referred the person. */
function toPendingReferral(
  { referredBy, referralCounts }: Pick<ImportedSignUp, "referredBy" | "referralCounts">,
): Pick<SignUpRecord, "pendingReferral"> {
  if (referredBy === undefined) return {};
  const counts = referralCounts !== undefined && { counts: referralCounts };
  return { pendingReferral: { code: referredBy, ...counts } };
}

/**
 * Merges a record of a backup with the record of its address, if there is one. If both records have an answer, the
 * stored answer stays. Gives `existing` itself if nothing changes.
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
  const { undeliverableAt: _, ...members } = restored;
  // The campaign of the stored record stays as a whole, so that the fields of two campaigns are not mixed.
  const addedMembers = hasCampaign(existing) ? withoutCampaign(members) : members;
  const merged = withState(
    { ...addedMembers, ...existing, ...mergeTimes(existing, restored) },
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

/** Compares two states, and gives the state that a person reaches later. */
const laterState = (one: State, other: State) =>
  STATES.indexOf(one) > STATES.indexOf(other) ? one : other;

/** The moments of the first sign-up and of the latest consent. */
type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/**
 * Gives the earlier `createdAt` and the later `consentedAt` of two records. Date-times in UTC can be compared as texts.
 */
function mergeTimes(one: Times, other: Times): Times {
  return {
    createdAt: one.createdAt < other.createdAt ? one.createdAt : other.createdAt,
    consentedAt: one.consentedAt > other.consentedAt ? one.consentedAt : other.consentedAt,
  };
}
