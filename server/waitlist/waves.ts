/** Waves: their states and parameters, the people whom a wave can invite, and the links of invitations. @module */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { LOOPBACK } from "../../shared/loopback.ts";
import type {
  AuditEntry,
  PassedOver,
  WaveReport,
  WaveRequest,
} from "../../shared/operator_schemas.ts";
import type { RandomBytes } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";
import { isOver } from "./transitions.ts";

export type WaveState = WaveReport["state"];

/** The answers by which people are selected, for a wave and in lists. */
export const ANSWER_FILTERS = ["lang", "source", "role", "building"] as const;

/** All members by which a wave can be limited. `referrals` is the least number of a person's referrals. */
export const FILTERS = [...ANSWER_FILTERS, "referrals"] as const;

export type PeopleFilter = Partial<Record<typeof ANSWER_FILTERS[number], string | undefined>>;

/** Whether a person has all answers of a filter. It ignores the number of referrals, which the store compares. */
export function matchesFilter(person: PeopleFilter, filter: PeopleFilter): boolean {
  return ANSWER_FILTERS.every((name) =>
    filter[name] === undefined || filter[name] === person[name]
  );
}

/** The parameters of a wave. A second request for the same wave must have the same parameters. */
export interface WaveParameters extends Omit<WaveRequest, "wave" | "emails" | "dryRun" | "after"> {
  /** The salted hash of all invited addresses. It is a hash because an erased address must not stay in the wave. */
  emails?: string;
}

/** A wave as it is stored. Its moments are date-times. */
export interface Wave {
  parameters: WaveParameters;
  /** The salt of the hash in `parameters.emails`. */
  salt: string;
  /** The number of addresses that the operator listed. Absent for a wave that selects people by a filter. */
  named?: number;
  /** The number of invited people, including people who were erased later. */
  invited: number;
  startedAt: string;
  /** The state. Absent in waves of an early version, and while addresses are stored; see {@linkcode stateOfWave}. */
  state?: WaveState;
  done?: true;
  /** The id of the schedule that started the wave. Absent in waves of operators. */
  schedule?: string;
  /** The audit entry. Each commit of the wave writes it again with the present number of people. */
  audit?: AuditEntry;
  /** Whether letters of the wave that no mail server has taken must still be put into the outbox again. */
  owes?: true;
  /** The number of letters that were put into the outbox again since the wave was last resumed. */
  lettersAgain?: number;
}

/**
 * Gives the state of a wave. A stored wave without `state` is of an early version, in which a wave ran only during its
 * request. Such a wave is paused if it is not done.
 */
export const stateOfWave = ({ state, done }: Pick<Wave, "state" | "done">): WaveState =>
  state ?? (done ? "done" : "paused");

/** Whether the listed addresses of a wave are still being stored, or a process was killed while it stored them. */
export const isBeginning = ({ named, state, done }: Wave): boolean =>
  named !== undefined && !state && !done;

/**
 * Whether a wave invites nobody any more: it does not exist (`null`), it was cancelled, or it is paused and its
 * invitations have expired. @param at the present moment, a date-time
 */
export function isWaveOver(wave: Wave | null | undefined, at: string): boolean {
  const state = wave && stateOfWave(wave);
  return state === null || state === "cancelled" ||
    state === "paused" && isOver(wave?.parameters.expires, at);
}

/** The changes of a wave by an operator: the states that allow the change, and the state after the change. */
export const WAVE_CHANGES = {
  pause: { from: ["running", "done"], to: "paused" },
  resume: { from: ["paused", "done"], to: "running" },
  cancel: { from: ["running", "paused", "done"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly WaveState[]; to: WaveState }>;

/** Gives the parameters of a requested wave in the form in which they are stored. */
export function waveParameters(
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
  return isDeepStrictEqual(waveParameters(request, salt), parameters);
}

/** Gives the reason why a wave passes a person over; `undefined` for a person whom it can invite. */
export function reasonNotToInvite(record: SignUpRecord): keyof PassedOver | undefined {
  if (record.state === "accepted") return "invited";
  if (record.state !== "waiting") return record.state;
  if (record.complainedAt) return "complained";
  return record.undeliverableAt ? "undeliverable" : undefined;
}

/** Gives the names of the wave's counts that a change of a person raises. A later erasure does not lower them. */
export function waveCounts(before: SignUpRecord, after: SignUpRecord) {
  const taken = !before.invitationTakenAt && after.invitationTakenAt;
  const accepted = before.state !== "accepted" && after.state === "accepted";
  return [...taken ? ["taken"] : [], ...accepted ? ["accepted"] : []];
}

/** Makes a code of 128 random bits. It is hexadecimal, because a spreadsheet reads a leading `-` as a formula. */
export const newInvitationCode = (random: RandomBytes): string =>
  Buffer.from(random(16)).toString("hex");

/** The placeholder of the person's code in the link of a wave. */
const CODE = "{code}";

/** Gives the link of one invitation. */
export const invitationUrl = (link: string, code: string): string =>
  link.replaceAll(CODE, () => code);

/** Whether letters may have a link: an absolute `https:` URL, or an `http:` URL of a loopback host. */
export function isSafeLink(link: string): boolean {
  // The text is checked first, because a URL parser ignores spaces and line feeds.
  const url = /^[\x21-\x7e]+$/.test(link) ? URL.parse(invitationUrl(link, "code")) : null;
  if (!url) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}
