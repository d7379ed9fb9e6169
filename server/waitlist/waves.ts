/** Waves: their states and parameters, the people whom a wave can invite, and the links of invitations. @module */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { CAMPAIGN_FIELDS } from "../../shared/campaigns.ts";
import { isInvitationLetterMissing } from "../../shared/missing_invitation_letter.ts";
import { LOOPBACK } from "../../shared/loopback.ts";
import type {
  AuditEntry,
  PassedOver,
  WaveReport,
  WaveRequest,
} from "../../shared/operator_schemas.ts";
import type { RandomBytes } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";
import { hasExpired } from "./transitions.ts";

export type WaveState = WaveReport["state"];

/** The answers and the campaign by which people can be selected, for waves and for lists of people. */
export const ANSWER_FILTERS = ["lang", "source", "role", "building", ...CAMPAIGN_FIELDS] as const;

/** The members by which a wave selects people. `referrals` is the least number of referrals that a person must have. */
export const FILTERS = [...ANSWER_FILTERS, "referrals"] as const;

export type PeopleFilter = Partial<Record<typeof ANSWER_FILTERS[number], string | undefined>>;

/**
 * Whether a person's answers and campaign match a filter. The store compares the number of referrals, because the
 * record does not have this number.
 */
export function matchesFilter(person: PeopleFilter, filter: PeopleFilter): boolean {
  return ANSWER_FILTERS.every((name) =>
    filter[name] === undefined || filter[name] === person[name]
  );
}

/** The parameters of a wave. A second request for the same wave must have the same parameters. */
export interface WaveParameters extends Omit<WaveRequest, "wave" | "emails" | "dryRun" | "after"> {
  /**
   * The salted hash of all addresses that the operator listed. The addresses themselves are not stored, because an
   * erased address must not stay in the wave.
   */
  emails?: string;
}

/** A wave as it is stored. Its moments are date-times. */
export interface Wave {
  parameters: WaveParameters;
  /** The salt of the hash in `parameters.emails`. */
  salt: string;
  /** The number of addresses that the operator listed. Absent for a wave that selects people by filters. */
  named?: number;
  /** The number of invited people, including people who were erased later. */
  invited: number;
  startedAt: string;
  /**
   * The state. Absent in waves of an early version, and while the listed addresses are being stored; see {@linkcode
   * stateOfWave}.
   */
  state?: WaveState;
  done?: true;
  /** The id of the schedule that started the wave. Absent if an operator started the wave. */
  schedule?: string;
  /** The audit entry of the wave. Each commit of the wave writes it again with the present number of people. */
  audit?: AuditEntry;
  /** Present while a resumed wave must still put letters into the outbox again: those that no mail server has taken. */
  owes?: true;
  /** The number of letters that were put into the outbox again since the wave was last resumed. */
  lettersAgain?: number;
}

/**
 * Gives the state of a wave. A wave without `state` comes from an early version, in which a wave ran only during its
 * request. If such a wave is not done, it counts as paused.
 */
export const stateOfWave = ({ state, done }: Pick<Wave, "state" | "done">): WaveState =>
  state ?? (done ? "done" : "paused");

/**
 * Whether a wave lacks some of the addresses that the operator listed, because they are being stored, or because the
 * process was killed before it stored all of them.
 */
export const lacksListedAddresses = ({ named, state, done }: Wave): boolean =>
  named !== undefined && !state && !done;

/**
 * Whether a wave cannot invite anybody any more: the wave does not exist (`null`), was cancelled, or is paused although
 * its invitations have expired. A wave that cannot be read (`undefined`) may still invite people.
 * @param at the present moment, a date-time
 */
export function isWaveOver(wave: Wave | null | undefined, at: string): boolean {
  const state = wave && stateOfWave(wave);
  return state === null || state === "cancelled" ||
    state === "paused" && hasExpired(wave?.parameters.expires, at);
}

/**
 * The changes that an operator can make to a wave: from which states a change is allowed, and the state after the
 * change.
 */
export const WAVE_CHANGES = {
  pause: { from: ["running", "done"], to: "paused" },
  resume: { from: ["paused", "done"], to: "running" },
  cancel: { from: ["running", "paused", "done"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly WaveState[]; to: WaveState }>;

/** Gives the parameters of a requested wave in the form in which they are stored. */
export function toWaveParameters(
  { wave: _, dryRun: _dryRun, after: _after, emails, ...parameters }: WaveRequest,
  salt: string,
): WaveParameters {
  if (!emails) return parameters;
  const addresses = [...new Set(emails)].sort();
  const hash = createHash("sha256").update(JSON.stringify([salt, ...addresses]));
  return { ...parameters, emails: hash.digest("base64url") };
}

/** Whether a request has the same parameters as an existing wave. */
export function asksForWave(request: WaveRequest, { parameters, salt }: Wave): boolean {
  return isDeepStrictEqual(toWaveParameters(request, salt), parameters);
}

/** Gives the reason why a wave does not invite a person; `undefined` for a person whom a wave can invite. */
export function reasonNotToInvite(record: SignUpRecord): keyof PassedOver | undefined {
  if (record.state === "accepted") return "invited";
  if (record.state !== "waiting") return record.state;
  if (record.complainedAt) return "complained";
  return record.undeliverableAt ? "undeliverable" : undefined;
}

/**
 * Gives the names of the wave's counts that a change of a person's record raises by one. The counts do not go down when
 * a person is erased.
 */
export function raisedWaveCounts(before: SignUpRecord, after: SignUpRecord) {
  const taken = !before.invitationTakenAt && after.invitationTakenAt;
  const accepted = before.state !== "accepted" && after.state === "accepted";
  return [...taken ? ["taken"] : [], ...accepted ? ["accepted"] : []];
}

/**
 * Gives the number that a change of a person adds to the wave's count of dropped letters. These letters are not sent
 * any more, although no mail server has taken or refused them.
 * @param after the record after the change; absent if the person leaves the list
 * @param options.isCorrected whether the record moves to another address, which gets a new letter
 */
export function changeOfDroppedLetters(
  before: SignUpRecord,
  after: SignUpRecord | undefined,
  { isCorrected }: { isCorrected: boolean },
): number {
  const isDroppedNow = after ? isLetterDropped(after) : !isCorrected && lacksOutcome(before);
  return Number(isDroppedNow) - Number(isLetterDropped(before));
}

/** Whether a wave has invited the person, and no mail server has taken or refused the letter. */
function lacksOutcome({ wave, state, invitationTakenAt, lastLetters }: SignUpRecord): boolean {
  const isInvited = state === "invited" || state === "accepted";
  return wave !== undefined && isInvited && !invitationTakenAt &&
    !lastLetters?.invitation?.refusedAt;
}

const isLetterDropped = (record: SignUpRecord): boolean =>
  lacksOutcome(record) && !isInvitationLetterMissing(record);

/**
 * Makes an invitation code of 128 random bits. It is hexadecimal, because a code in base64url could begin with `-`,
 * which a spreadsheet reads as a formula.
 */
export const newInvitationCode = (random: RandomBytes): string =>
  Buffer.from(random(16)).toString("hex");

/** The placeholder in the link of a wave, which the invitation code of a person replaces. */
const CODE_PLACEHOLDER = "{code}";

/** Gives the link in the invitation of one person. */
export const invitationUrlOf = (link: string, code: string): string =>
  link.replaceAll(CODE_PLACEHOLDER, () => code);

/** Whether a link may be in letters: an absolute `https:` URL, or an `http:` URL of a loopback host. */
export function isSafeLink(link: string): boolean {
  // The characters are checked first, because a URL parser would ignore spaces and line feeds.
  const url = /^[\x21-\x7e]+$/.test(link) ? URL.parse(invitationUrlOf(link, "code")) : null;
  if (!url) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}
