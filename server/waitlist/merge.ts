/**
 * How a further sign-up, a line of an import or a record of a backup merges with the record of its address
 * (decisions, "Sign-up").
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { ImportedSignUp } from "./import_line.ts";
import { DEFAULT_LANG, type SignUp, type SignUpRecord, type State, STATES } from "./record.ts";

/** What a merge needs besides the record and what is merged into it. */
export interface MergeOptions {
  /** The moment of the merge, a date-time. */
  at: string;
  /** The id of a new record. */
  id: string;
}

/**
 * Merges a sign-up into the record of its address: an answer that it gives replaces, an answer that it
 * leaves out stays, and the times of the first sign-up and of the latest consent are kept.
 *
 * @param existing the record, `undefined` for a new address
 * @param options.at the moment of consent
 */
export function mergeSignUp(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  { at, id }: MergeOptions,
): SignUpRecord {
  const { email: _, ...answers } = signUp;
  // Where two processes take sign-ups of an address, the older one may be stored last.
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
 * Merges a line of an import into the record of its address, as {@linkcode mergeSignUp} does. The earliest
 * `createdAt` and the latest `consentedAt` are kept.
 *
 * @param existing the record, `undefined` for a new address
 * @param options.at the moment of the import
 * @returns `existing` itself where the line changes nothing, so that a second run writes nothing
 */
export function mergeImported(
  existing: SignUpRecord | undefined,
  imported: ImportedSignUp,
  { at, id }: MergeOptions,
): SignUpRecord {
  const { email: _, consentedAt, createdAt = consentedAt, updatedAt = at, ...given } = imported;
  const { state = "waiting", ...answers } = given;
  if (!existing) {
    return { id, state, lang: DEFAULT_LANG, createdAt, consentedAt, updatedAt, ...answers };
  }
  const { proof, invitedAt, invitationCode, wave } = existing;
  const merged = advance(
    {
      ...existing,
      ...answers,
      // What the person has agreed to, and the code that the person may have, never change.
      ...proof && { proof },
      ...invitedAt && { invitedAt },
      ...invitationCode && { invitationCode },
      ...wave && { wave },
      ...outerTimes(existing, { createdAt, consentedAt }),
    },
    laterState(existing.state, state),
  );
  return isSame(merged, existing) ? existing : { ...merged, updatedAt: at };
}

/**
 * Merges a record of a backup into the record of its address: where both have an answer, the existing
 * answer is the newer one and stays.
 *
 * @returns `existing` itself where the backup's record changes nothing
 */
export function mergeRestored(
  existing: SignUpRecord | undefined,
  restored: SignUpRecord,
): SignUpRecord {
  if (!existing) return restored;
  // The person has signed up since, so letters are sent again.
  const { undeliverableAt: _, ...older } = restored;
  const merged = advance(
    { ...older, ...existing, ...outerTimes(existing, restored) },
    laterState(existing.state, restored.state),
  );
  return isSame(merged, existing) ? existing : merged;
}

/** Gives a record another state; who has confirmed is asked to confirm no more. */
function advance({ confirmations, ...record }: SignUpRecord, state: State): SignUpRecord {
  const asked = state === "unconfirmed" && confirmations;
  return { ...record, state, ...asked && { confirmations } };
}

/** Gives the state that comes later. */
const laterState = (a: State, b: State) => STATES.indexOf(a) > STATES.indexOf(b) ? a : b;

type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/** Gives the first sign-up and the latest consent of two records; date-times in UTC sort as text. */
function outerTimes(a: Times, b: Times): Times {
  return {
    createdAt: a.createdAt < b.createdAt ? a.createdAt : b.createdAt,
    consentedAt: a.consentedAt > b.consentedAt ? a.consentedAt : b.consentedAt,
  };
}

function isSame(a: SignUpRecord, b: SignUpRecord): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof SignUpRecord)[];
  return names.every((name) => isDeepStrictEqual(a[name], b[name]));
}
