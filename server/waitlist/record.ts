/** What is stored of an address, and how a sign-up, a line of an import or a backup's record merges with it. @module */
import { isDeepStrictEqual } from "node:util";
import type { State } from "../../shared/counters.ts";
import type { ShownSignup, StoredSignup } from "../../shared/operator_schemas.ts";
import { LANGS, SOURCES, STATES, type WaitlistSignup } from "../../shared/schemas.ts";
import { createRandomIds, digestSha256, type RandomBytes } from "../runtime/mod.ts";
import type { ImportedSignUp } from "./import_line.ts";
export { type State, stateOf } from "../../shared/counters.ts";
export { LANGS, SOURCES, STATES };

export type Lang = NonNullable<WaitlistSignup["lang"]>;

/** For a first sign-up that names none (contract, "WaitlistSignup"). */
const DEFAULT_LANG: Lang = "en";

/** Answers that were not given are absent. */
export interface SignUp {
  /** Lower-cased. */
  email: string;
  /** The form on the company's site. */
  source?: NonNullable<WaitlistSignup["source"]>;
  lang?: Lang;
}

/** Characters of a record's id, 6 random bits each. */
export const RECORD_ID_LENGTH = 22;

/** How many characters of an id, and how many ids that come one after the other share them. */
const SHARED_LENGTH = 8, IDS_SHARING = 256;

/**
 * Makes the function that gives the ids of new records. Ids that come together share their first characters, so that a
 * commit writes neighbours into the index of ids: with ids that are random from the first character on, it writes about
 * as many pages as people. The others, 84 bits, are each id's own.
 */
export function createRecordIds(random: RandomBytes): () => string {
  const nextShared = createRandomIds({ length: SHARED_LENGTH, random });
  const nextOwn = createRandomIds({ length: RECORD_ID_LENGTH - SHARED_LENGTH, random });
  let shared = "";
  let made = 0;
  return () => {
    if (made++ % IDS_SHARING === 0) shared = nextShared();
    return shared + nextOwn();
  };
}

/** The address itself is the record's key. All times are date-times. */
export interface SignUpRecord extends Omit<StoredSignup, "email" | "placeUrl"> {
  /** A record that is made after an erasure has another id. */
  id: string;
  state: State;
  /** Absent once the person has confirmed, and where no letter was ever asked for. */
  confirmations?: NonNullable<ShownSignup["confirmations"]>;
  /** What became of letters, so that a proof can tell it. */
  lastLetters?: NonNullable<ShownSignup["lastLetters"]>;
  /** Absent where the address was never corrected; the latest correction is the last one. */
  corrections?: NonNullable<ShownSignup["corrections"]>;
  /** When the mailbox's last letters were put into the outbox while the person had not confirmed, three at most. */
  letters?: string[];
  /** When the last letter with the link of the person's page was put into the outbox. */
  linkAt?: string;
  /** When a mail server last took a letter that invites the person. */
  invitationTakenAt?: string;
  /** What waits in the outbox about the person, so that an erasure finds it. */
  outbox?: string[];
  /** The number of the latest recount before the record was written, if there was one. */
  recount?: number;
}

/** A record as the operator sees it, without what only the service needs. */
export function toStoredSignup(email: string, record: SignUpRecord): StoredSignup {
  const { id: _, confirmations: _sent, lastLetters: _ended, corrections: _old, ...known } = record;
  const { letters: _letters, linkAt: _link, invitationTakenAt: _taken, ...others } = known;
  const { outbox: _items, recount: _recount, ...shown } = others;
  return { email, ...shown };
}

/** A person as an export has them: the record, and the link to the person's page. */
export function toExportedSignup(
  email: string,
  record: SignUpRecord,
  { placeUrl }: { placeUrl: (lang: Lang, email: string, id: string) => string },
): StoredSignup {
  return { ...toStoredSignup(email, record), placeUrl: placeUrl(record.lang, email, record.id) };
}

/** As it is displayed: plain text, names filled in. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/** A hash, so that a wording never changes under the id that proofs of consent name. */
export const consentTextId = ({ lang, text }: ConsentText): string =>
  digestSha256(`${lang}\n${text}`).toString("base64url");

export interface MergeOptions {
  /** A date-time; for a sign-up, the moment of the consent. */
  at: string;
  id: string;
}

/** Merges a sign-up: given answers replace, others stay, as do the first sign-up's time and the latest consent's. */
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

/** What the person has agreed to, the code that the person may have, and what became of it: an import changes none. */
const FIXED = [
  "proof",
  "invitedAt",
  "invitationCode",
  "wave",
  "expiresAt",
  "acceptedAt",
  "reference",
] as const;

/** Merges a line of an import: earliest sign-up, latest consent. Gives `existing` itself where nothing changes. */
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
  const fixed = FIXED.filter((name) => existing[name] !== undefined);
  const merged = advance(
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

/** Merges a backup's record, whose answers are older. Gives `existing` itself where nothing changes. */
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
  return isDeepStrictEqual(merged, existing) ? existing : merged;
}

/** Who has confirmed is asked to confirm no more. */
function advance({ confirmations, ...record }: SignUpRecord, state: State): SignUpRecord {
  const asked = state === "unconfirmed" && confirmations;
  return { ...record, state, ...asked && { confirmations } };
}

const laterState = (a: State, b: State) => STATES.indexOf(a) > STATES.indexOf(b) ? a : b;

type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/** The first sign-up and the latest consent; date-times in UTC sort as text. */
function outerTimes(a: Times, b: Times) {
  return {
    createdAt: a.createdAt < b.createdAt ? a.createdAt : b.createdAt,
    consentedAt: a.consentedAt > b.consentedAt ? a.consentedAt : b.consentedAt,
  };
}
