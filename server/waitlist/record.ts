/**
 * What is stored of an address, and how a further sign-up, a line of an import or a record of a backup merges with it
 * (decisions, "Sign-up").
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { ShownSignup, StoredSignup } from "../../shared/operator_schemas.ts";
import { STATES } from "../../shared/person_schema.ts";
import type { WaitlistSignup } from "../../shared/schemas.ts";
import { digestSha256 } from "../runtime/mod.ts";
import type { ImportedSignUp } from "./import_line.ts";
export { STATES };

/** A form that a sign-up can come from. */
export type Source = NonNullable<WaitlistSignup["source"]>;

/** A language of pages and letters. */
export type Lang = NonNullable<WaitlistSignup["lang"]>;

/** The language of a first sign-up that names none (contract, "WaitlistSignup"). */
export const DEFAULT_LANG: Lang = "en";

/** A valid sign-up. An answer that was not given is absent. */
export interface SignUp {
  /** Lower-cased. */
  email: string;
  source?: Source;
  lang?: Lang;
}

/** The state of a person. */
export type State = typeof STATES[number];

/** Gives the state of a person; where a fault has taken it from the record, what else is there tells it. */
export function stateOf({ state, invitedAt, confirmations }: Partial<SignUpRecord>): State {
  return state ?? (invitedAt ? "invited" : confirmations ? "unconfirmed" : "waiting");
}

/** The confirmation letters of a person who has not confirmed yet. */
export type Confirmations = NonNullable<ShownSignup["confirmations"]>;

/** The proof of consent, which is made when a person confirms and never changes. */
export type Proof = NonNullable<StoredSignup["proof"]>;

/** Characters of a record's id, 6 random bits each. */
export const RECORD_ID_LENGTH = 22;

/** What is stored of an address; the address itself is the record's key. All times are date-times. */
export interface SignUpRecord extends Omit<StoredSignup, "email" | "placeUrl"> {
  /** A random id of {@linkcode RECORD_ID_LENGTH} characters; a record that is made after an erasure has another. */
  id: string;
  state: State;
  /** Absent once the person has confirmed, and where no letter was ever asked for. */
  confirmations?: Confirmations;
  /** When the last letters to the mailbox were put into the outbox while the person had not confirmed, three at most. */
  letters?: string[];
  /** When the last letter with the link of the person's page was put into the outbox. */
  linkAt?: string;
  /** The ids of what waits in the outbox about the person, so that an erasure finds it. */
  outbox?: string[];
}

/** A wording that people agree to, as it is displayed: plain text, names filled in. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/** The id of a wording, which the proof of consent names: a hash, so that a wording never changes under its id. */
export function consentTextId({ lang, text }: ConsentText): string {
  return digestSha256(`${lang}\n${text}`).toString("base64url");
}

/** What a merge needs besides the record and what is merged into it. */
export interface MergeOptions {
  /** The moment of the merge, which is that of the consent for a sign-up; a date-time. */
  at: string;
  /** The id of a new record. */
  id: string;
}

/**
 * Merges a sign-up into the record of its address: an answer that it gives replaces, an answer that it
 * leaves out stays, and the times of the first sign-up and of the latest consent are kept.
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

const laterState = (a: State, b: State) => STATES.indexOf(a) > STATES.indexOf(b) ? a : b;

type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/** Gives the first sign-up and the latest consent of two records; date-times in UTC sort as text. */
function outerTimes(a: Times, b: Times) {
  return {
    createdAt: a.createdAt < b.createdAt ? a.createdAt : b.createdAt,
    consentedAt: a.consentedAt > b.consentedAt ? a.consentedAt : b.consentedAt,
  };
}

function isSame(a: SignUpRecord, b: SignUpRecord): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof SignUpRecord)[];
  return names.every((name) => isDeepStrictEqual(a[name], b[name]));
}
