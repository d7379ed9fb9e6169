/**
 * What is stored of an address.
 *
 * @module
 */
import { digestSha256 } from "../runtime/mod.ts";
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

/** A wording that people agree to, as it is displayed: plain text, names filled in. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/** The id of a wording, which the proof of consent names: a hash, so that a wording never changes under its id. */
export function consentTextId({ lang, text }: ConsentText): string {
  return digestSha256(`${lang}\n${text}`).toString("base64url");
}
