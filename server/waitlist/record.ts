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
