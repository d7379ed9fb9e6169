/**
 * What is stored of an address.
 *
 * @module
 */
import type { ShownSignup, StoredSignup } from "../../shared/operator_schemas.ts";
import type { STATES } from "../../shared/person_schema.ts";
import type { WaitlistSignup } from "../../shared/schemas.ts";
import { digestSha256 } from "../runtime/mod.ts";
export { STATES } from "../../shared/person_schema.ts";

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
