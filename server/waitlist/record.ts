import type { WaitlistSignup } from "../../shared/schemas.ts";

/** A form that a sign-up can come from. */
export type Source = NonNullable<WaitlistSignup["source"]>;

/** A language that a person can be written to in. */
export type Lang = NonNullable<WaitlistSignup["lang"]>;

/** The language of a first sign-up that names none (contract, "WaitlistSignup"). */
export const DEFAULT_LANG: Lang = "en";

/** A valid sign-up. An answer that was left out is absent. */
export interface SignUp {
  /** Lower-cased. */
  email: string;
  source?: Source;
  lang?: Lang;
}

/** What is kept of an address; the address itself is the record's key. All times are date-times. */
export interface SignUpRecord {
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

/**
 * Merges a sign-up into what is kept of its address: an answer that it gives replaces, one that it
 * leaves out stays, and the first sign-up's time and the latest consent's are kept (decisions,
 * "Sign-up").
 *
 * @param existing what is kept, `undefined` for a new address
 * @param now the moment of consent, a date-time
 */
export function mergeSignUp(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  now: string,
): SignUpRecord {
  const { email: _, ...answers } = signUp;
  // Of sign-ups that race each other through two processes, the older one may be the last to be stored.
  const consentedAt = existing && existing.consentedAt > now ? existing.consentedAt : now;
  return {
    lang: DEFAULT_LANG,
    createdAt: now,
    ...existing,
    ...answers,
    consentedAt,
    updatedAt: now,
  };
}
