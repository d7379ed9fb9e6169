/**
 * What is stored of an address, and how a further sign-up, a line of an import or a record of a backup
 * merges with it (decisions, "Sign-up").
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { WaitlistSignup } from "../../shared/schemas.ts";

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

/** A valid sign-up from elsewhere. Its times are date-times in UTC, none of them in the future. */
export interface ImportedSignUp extends SignUp {
  consentedAt: string;
  /** The first sign-up; `consentedAt` where it is absent. */
  createdAt?: string;
  /** The last change, as an export has it. */
  updatedAt?: string;
  role?: string;
  building?: string;
  /** Where it is absent, the person waits. */
  state?: State;
  proof?: Proof;
  invitedAt?: string;
  invitationCode?: string;
  wave?: string;
  undeliverableAt?: string;
}

/**
 * The states of a person, in the order in which they follow each other (decisions, "The life of a sign-up"):
 * asked to confirm and has not yet, waits for an invitation, is invited.
 */
export const STATES = ["unconfirmed", "waiting", "invited"] as const;

/** The state of a person. */
export type State = typeof STATES[number];

/** Gives the state of a person; where a fault has taken it from the record, what else is there tells it. */
export function stateOf({ state, invitedAt, confirmations }: Partial<SignUpRecord>): State {
  return state ?? (invitedAt ? "invited" : confirmations ? "unconfirmed" : "waiting");
}

/** The confirmation letters of a person who has not confirmed yet. All times are date-times. */
export interface Confirmations {
  /** How many were put into the outbox. */
  count: number;
  /** When the last one was put there. */
  lastAt: string;
  /** When the mail server took the last one that it took; the sign-up where that was of an erased record. */
  takenAt?: string;
}

/** The proof of consent, which is made when a person confirms and never changes. */
export interface Proof {
  /** When the sign-up that was confirmed came in. */
  requestedAt: string;
  /** The id of the wording that the person agreed to. */
  consentText: string;
  confirmedAt: string;
}

/** Characters of a record's id, 6 random bits each. */
export const RECORD_ID_LENGTH = 22;

/** What is stored of an address; the address itself is the record's key. All times are date-times. */
export interface SignUpRecord {
  /** A random id of {@linkcode RECORD_ID_LENGTH} characters; a record that is made after an erasure has another. */
  id: string;
  /** The first sign-up, which the statistics count by. */
  createdAt: string;
  /** The latest consent. */
  consentedAt: string;
  updatedAt: string;
  lang: Lang;
  source?: Source;
  /** A slug that only an import can set; so is `building`, the use case. */
  role?: string;
  building?: string;
  state: State;
  /** Absent once the person has confirmed, and where no letter was ever asked for. */
  confirmations?: Confirmations;
  proof?: Proof;
  invitedAt?: string;
  /** 128 random bits, for the link of the invitation. */
  invitationCode?: string;
  /** The id of the wave in which the person was invited. */
  wave?: string;
  /** When the mail server refused the address; no letter is sent until the person signs up again. */
  undeliverableAt?: string;
  /** When the last letters to the mailbox were put into the outbox while the person had not confirmed, three at most. */
  letters?: string[];
  /** When the last letter with the link of the person's page was put into the outbox. */
  linkAt?: string;
  /** The ids of what waits in the outbox about the person, so that an erasure finds it. */
  outbox?: string[];
}

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
