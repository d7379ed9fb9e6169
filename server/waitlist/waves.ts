/** Whom a wave can invite, and where an invitation leads. @module */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { LOOPBACK } from "../../shared/loopback.ts";
import type { AuditEntry, PassedOver } from "../../shared/operator_schemas.ts";
import type { WaveReport, WaveRequest } from "../../shared/operator_schemas.ts";
import type { RandomBytes } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";
import { isOver } from "./transitions.ts";

export type WaveState = WaveReport["state"];

/** What a wave, or another selection of people, can be limited to. */
export const FILTERS = ["lang", "source", "role", "building"] as const;

export type PeopleFilter = Partial<Record<typeof FILTERS[number], string | undefined>>;

export function matchesFilter(person: PeopleFilter, filter: PeopleFilter): boolean {
  return FILTERS.every((name) => filter[name] === undefined || filter[name] === person[name]);
}

/** Whoever asks for a wave again must give the same. */
export interface WaveParameters extends Omit<WaveRequest, "wave" | "emails" | "dryRun" | "after"> {
  /** A salted hash of the addresses, so that no erased address stays in it. */
  emails?: string;
}

/** As it is stored. */
export interface Wave {
  parameters: WaveParameters;
  salt: string;
  named?: number;
  /** Whoever is erased later still counts. */
  invited: number;
  startedAt: string;
  /** Absent in the entries of the first version of waves; see {@linkcode stateOfWave}. */
  state?: WaveState;
  done?: true;
  /** The entry of the audit log, which each commit of the wave writes with the number of people so far. */
  audit?: AuditEntry;
  /** Whether letters that no mail server has taken are still to be put in again. */
  owes?: true;
  /** How many letters were put in again since the wave was resumed last. */
  lettersAgain?: number;
}

/** A wave that ran only while it was asked for, and is not done, waits to be resumed. */
export const stateOfWave = ({ state, done }: Pick<Wave, "state" | "done">): WaveState =>
  state ?? (done ? "done" : "paused");

/** Whether the people of a wave are still being named, or a process was killed while it named them. */
export const isBeginning = ({ named, state, done }: Wave): boolean =>
  named !== undefined && !state && !done;

/** Whether a wave invites nobody any more: it was cancelled, rests and its invitations are over, or is none (`null`). */
export function isWaveOver(wave: Wave | null | undefined, at: string): boolean {
  const state = wave && stateOfWave(wave);
  return state === null || state === "cancelled" ||
    state === "paused" && isOver(wave?.parameters.expires, at);
}

/** The states from which each change of a wave leads on, from `done` while letters wait; none leads away from `cancelled`. */
export const WAVE_CHANGES = {
  pause: { from: ["running", "done"], to: "paused" },
  resume: { from: ["paused", "done"], to: "running" },
  cancel: { from: ["running", "paused", "done"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly WaveState[]; to: WaveState }>;

export function waveParameters(
  { wave: _, dryRun: _dryRun, after: _after, emails, ...parameters }: WaveRequest,
  salt: string,
): WaveParameters {
  if (!emails) return parameters;
  const named = [...new Set(emails)].sort();
  const hash = createHash("sha256").update(JSON.stringify([salt, ...named]));
  return { ...parameters, emails: hash.digest("base64url") };
}

/** Whether a request has the parameters that the wave was begun with. */
export function asksForWave(request: WaveRequest, { parameters, salt }: Wave): boolean {
  return isDeepStrictEqual(waveParameters(request, salt), parameters);
}

/** `undefined` where a wave can invite the person. */
export function reasonNotToInvite(record: SignUpRecord): keyof PassedOver | undefined {
  if (record.state === "accepted") return "invited";
  if (record.state !== "waiting") return record.state;
  if (record.complainedAt) return "complained";
  return record.undeliverableAt ? "undeliverable" : undefined;
}

/** How a change of a person in a wave moves its counts. Whoever is erased later still counts. */
export function waveCounts(before: SignUpRecord, after: SignUpRecord) {
  const took = !before.invitationTakenAt && after.invitationTakenAt;
  const accepted = before.state !== "accepted" && after.state === "accepted";
  return [...took ? ["taken"] : [], ...accepted ? ["accepted"] : []];
}

/** Makes a code of 128 random bits: hexadecimal, as a spreadsheet takes a text that begins with `-` for a formula. */
export const newInvitationCode = (random: RandomBytes): string =>
  Buffer.from(random(16)).toString("hex");

/** Becomes the person's code in the link of a wave. */
const CODE = "{code}";

export const invitationUrl = (link: string, code: string): string =>
  link.replaceAll(CODE, () => code);

/** Whether letters can have a link: an absolute URL by TLS, or to this machine. */
export function isSafeLink(link: string): boolean {
  // A URL parser would leave out spaces and line feeds.
  const url = /^[\x21-\x7e]+$/.test(link) ? URL.parse(invitationUrl(link, "code")) : null;
  if (!url) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}
