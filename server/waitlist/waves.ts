/**
 * The rules of waves (decisions, "Waves"): their states and parameters, and the people whom a wave can invite.
 * `people_filter.ts` has the filters of waves, and `wave_counts.ts` the counts of letters and invitations. @module
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type {
  AuditEntry,
  PassedOver,
  WaveReport,
  WaveRequest,
} from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "./record.ts";
import { hasExpired } from "./transitions.ts";

/** The state of a wave or of a schedule of waves. */
export type WaveState = WaveReport["state"];

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
  /**
   * The number of addresses that the operator listed. Absent for a wave that selects people by filters. The name
   * `named` must not change, because the store, backups and the operator surface have it.
   */
  named?: number;
  /** The number of invited people, including people who were erased later. */
  invited: number;
  startedAt: string;
  /**
   * The state. Absent in waves of an early version, and while the listed addresses are being stored; see {@linkcode
   * stateOfWave}.
   */
  state?: WaveState;
  /**
   * Present once the wave has invited everybody whom it was to invite. A wave that is paused and resumed after
   * that keeps this member, so that it sends its waiting letters but invites nobody else.
   */
  done?: true;
  /** The id of the schedule that started the wave. Absent if an operator started the wave. */
  schedule?: string;
  /** The audit entry of the wave. Each commit of the wave writes the entry again, with the present number `invited`. */
  audit?: AuditEntry;
  /**
   * Present while a resumed wave must still put letters into the outbox again. These are the letters that no mail
   * server has taken.
   */
  owes?: true;
  /**
   * The audit entry of the operator who has resumed the wave. Present while `owes` is. Each person whose refused letter
   * is sent again gets a copy of this entry, so that the history of the person names the operator. If the wave was done,
   * everybody who gets a letter again gets a copy; after a pause, letters that only waited are no part of the history.
   */
  auditOfAgain?: AuditEntry;
  /** The number of letters that were put into the outbox again since the wave was last resumed. */
  lettersAgain?: number;
}

/**
 * Gives the state of a wave. A wave has no `state` if it comes from an early version, in which a wave ran only during
 * its request, or while its listed addresses are being stored. If a wave without `state` is not done, it counts as
 * paused.
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
  if (wave === undefined) return false;
  if (wave === null) return true;
  const state = stateOfWave(wave);
  return state === "cancelled" || state === "paused" && hasExpired(wave.parameters.expires, at);
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
