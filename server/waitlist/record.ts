/**
 * What is stored of an address, and how a further sign-up, a line of an import or a record of a backup
 * merges with it (decisions, "Sign-up").
 *
 * @module
 */
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
  const { email: _, consentedAt, createdAt = consentedAt, updatedAt = at, ...answers } = imported;
  if (!existing) return { id, lang: DEFAULT_LANG, createdAt, consentedAt, updatedAt, ...answers };
  const merged = { ...existing, ...answers, ...outerTimes(existing, { createdAt, consentedAt }) };
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
  const merged = { ...restored, ...existing, ...outerTimes(existing, restored) };
  return isSame(merged, existing) ? existing : merged;
}

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
  return names.every((name) => a[name] === b[name]);
}
