/**
 * Waves of invitations, and single invitations by their codes. `waves.ts` keeps the entries of waves, and `invitees.ts`
 * keeps the people whom waves invite by name. `invite.ts` invites people, and `wave_work.ts` does so for all running
 * waves. `resend.ts` sends an invitation to one person again. `schedules.ts` keeps the entries of schedules, and
 * `schedule_work.ts` starts their waves. The rules are in `waitlist/waves.ts` and `waitlist/schedule.ts`. @module
 */
import type {
  AuditEntry,
  InvitationCheck,
  Overview,
  SchedulePlan,
  ScheduleReport,
  WavePlan,
  WaveReport,
  WaveRequest,
} from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import type {
  NextInvitation,
  RedeemFault,
  ScheduleParameters,
  SignUpRecord,
  Step,
} from "../../waitlist/mod.ts";
import type { OperatorKvs } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import type { AddressedRecord } from "../people/mod.ts";
import { beginWave, type BegunWave, type WaveConflict, waveConflict } from "./begin_wave.ts";
import { changeInvitation, type InvitationOutcome } from "./codes.ts";
import { removeInvitees } from "./invitees.ts";
import { type LaterTries, readLaterTries } from "./next_try.ts";
import { type PlanOptions, planWave } from "./plan.ts";
import { readNextInvitation, resendInvitation, type ResendOutcome } from "./resend.ts";
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  planSchedule,
  readLeftOutRuns,
  type ScheduleChangeName,
  type ScheduleConflict,
  type ScheduleRefusal,
} from "./schedules.ts";
import {
  listWavePeople,
  readMedianOfWave,
  type WaveMembers,
  type WavePage,
} from "./wave_people.ts";
import { listWaves, toWaveReports, type WaveReports } from "./wave_reports.ts";
import {
  changeWave,
  findInvitationUrl,
  findWave,
  type WaveChangeName,
  type WaveRefusal,
} from "./waves.ts";
import type { WaveWork } from "./wave_work.ts";
export type { WaveConflict } from "./begin_wave.ts";
export type { InvitationOutcome } from "./codes.ts";
export { addInvitees, readInvitees, removeInvitees } from "./invitees.ts";
export type { LaterTries } from "./next_try.ts";
export type { ResendRefusal } from "./resend.ts";
export { startSchedules } from "./schedule_work.ts";
export { addSchedule, readSchedules, type ScheduleConflict } from "./schedules.ts";
export type { WavePeoplePosition } from "./wave_people.ts";
export { addWave, findInvitationUrl, readWaves } from "./waves.ts";
export { startWaves } from "./wave_work.ts";

/** What the operator's operations do with waves and with single invitations. */
export interface WaveStore {
  /** Finds a wave by its id. */
  findWave: (id: string) => Promise<WaveReport | undefined>;
  /**
   * Finds the audit entry about the start of a wave; `undefined` if the store does not have the wave, or if the wave has
   * no entry because an early version started it.
   */
  findWaveEntry: (id: string) => Promise<AuditEntry | undefined>;
  /**
   * Gives the median of the time from the invitation to the acceptance, in whole seconds, among the first 500 people of
   * a wave; `undefined` if none of them has accepted.
   */
  readMedianOfWave: (wave: WaveReport) => Promise<number | undefined>;
  /** Reads the letters of those waves all of whose waiting letters wait for a later try, by the ids of the waves. */
  readLaterTries: (ids: string[]) => Promise<ReadonlyMap<string, LaterTries>>;
  /** Lists waves, the newest first. @param before the `next` of the previous page; absent for the first page */
  listWaves: (before: string | undefined) => Promise<WaveReports>;
  /** Says whom a wave would invite, and changes nothing. */
  planWave: (request: WaveRequest) => Promise<WavePlan | WaveConflict>;
  /**
   * Starts a wave and makes its first commit. A repetition with the same parameters gives the wave as it is.
   * @returns the wave, and the named people whom the wave cannot invite; or the plan of a wave that invites nobody,
   * because such a wave leaves no entry
   */
  startWave: (
    id: string,
    request: WaveRequest,
    audit: AuditEntry,
  ) => Promise<(BegunWave & { wave: WaveReport }) | WavePlan | WaveConflict>;
  /** Pauses, resumes or cancels a wave. A repetition gives the wave as it is. */
  changeWave: (
    id: string,
    change: WaveChangeName,
    audit: AuditEntry,
  ) => Promise<WaveReport | "unknown" | WaveRefusal>;
  /** Lists the people of a wave in the order of their `createdAt`. */
  listWavePeople: (id: string, page: WavePage) => Promise<WaveMembers>;
  /** Makes a schedule. A repetition with the same parameters gives the schedule as it is. */
  createSchedule: (
    id: string,
    parameters: ScheduleParameters,
    audit: AuditEntry,
  ) => Promise<ScheduleReport | ScheduleConflict>;
  /** Says what the next runs of a schedule would do, and changes nothing. */
  planSchedule: (
    id: string,
    parameters: ScheduleParameters,
  ) => Promise<SchedulePlan | ScheduleConflict>;
  /** Lists all schedules in the order of their ids. */
  listSchedules: () => Promise<ScheduleReport[]>;
  /** Pauses, resumes or cancels a schedule. A repetition gives the schedule as it is. */
  changeSchedule: (
    id: string,
    change: ScheduleChangeName,
    audit: AuditEntry,
  ) => Promise<ScheduleReport | "unknown" | ScheduleRefusal>;
  /** Lists the runs of schedules that were left out in the last seven days, by schedule and reason. */
  readLeftOutRuns: () => Promise<NonNullable<Overview["leftOutRuns"]>>;
  /** Changes the record of the person whom a code invites, as `decide` says. */
  changeInvitation: (
    invitation: InvitationCheck,
    decide: (record: SignUpRecord) => Step | RedeemFault,
    audit?: AuditEntry,
  ) => Promise<InvitationOutcome>;
  /** Gives the link of a person's invitation; `undefined` if the store does not have the wave of the invitation. */
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
  /** Gives when the invitation may be sent again to an invited person, or why not. */
  readNextInvitation: (person: AddressedRecord) => Promise<NextInvitation>;
  /** Puts the invitation letter to a person into the outbox again. */
  resendInvitation: (email: string, audit: AuditEntry) => Promise<ResendOutcome>;
}

/** What the store of waves needs. */
export interface WaveStoreOptions
  extends OperatorKvs, Pick<Runtime, "now" | "monotonic" | "random"> {
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
  waves: Pick<WaveWork, "makeCommit" | "wake">;
}

/** Makes the store for one call of an operator, with the two KVs of this call; see `OperatorKvs`. */
export function createWaveStore(
  { kv, longKv, outbox, now, monotonic, random, yieldToCalls, waves }: WaveStoreOptions,
): WaveStore {
  const planning: PlanOptions = { kv: longKv, monotonic, yieldToCalls };

  async function reportOf(id: string): Promise<WaveReport | undefined> {
    const stored = await findWave(kv, id);
    return stored && (await toWaveReports(kv, [stored], now()))[0];
  }

  /**
   * Makes one commit of a wave at once. If this commit does not complete the wave, wakes the worker, which goes on with
   * the wave.
   */
  async function workOnce(id: string): Promise<WaveReport | undefined> {
    if (await waves.makeCommit(id, kv)) waves.wake();
    return await reportOf(id);
  }

  return {
    findWave: reportOf,
    findWaveEntry: async (id) => (await findWave(kv, id))?.wave.audit,
    readMedianOfWave: (wave) => readMedianOfWave(kv, wave),
    readLaterTries: (ids) => readLaterTries(kv, ids, now()),
    listWaves: (before) => listWaves(kv, now(), before),
    async planWave(request) {
      const stored = await findWave(kv, request.wave ?? "");
      return waveConflict(request, stored?.wave, outbox) ??
        await planWave(request, stored?.wave, planning);
    },
    async startWave(id, request, audit) {
      const begun = await beginWave(id, request, audit, { kv, outbox, now, random });
      if ("conflict" in begun) return begun;
      let wave = await workOnce(id);
      // Makes a second commit if the first one has invited nobody, because the second commit completes a small wave.
      if (wave?.invited === 0) wave = await workOnce(id);
      return wave ? { wave, ...begun } : await planWave(request, undefined, planning);
    },
    async changeWave(id, change, audit) {
      const outcome = await changeWave(id, change, audit, { kv, outbox, now });
      if (outcome !== "in wanted state") return outcome;
      const before = (await reportOf(id))!;
      if (change === "cancel") await removeInvitees(longKv, new Date(now()).toISOString());
      const after = change === "resume" ? await workOnce(id) : await reportOf(id);
      // A wave without an entry is done, because a wave that has invited nobody leaves no entry.
      return after ?? { ...before, state: "done" as const };
    },
    listWavePeople: (id, page) => listWavePeople(kv, id, page),
    createSchedule: (id, parameters, audit) =>
      createSchedule(id, parameters, audit, { kv, outbox, now }),
    planSchedule: (id, parameters) => planSchedule(id, parameters, { kv, outbox, now, planning }),
    listSchedules: () => listSchedules(kv),
    changeSchedule: (id, change, audit) => changeSchedule(id, change, audit, { kv, now }),
    readLeftOutRuns: () => readLeftOutRuns(kv, now()),
    changeInvitation: (invitation, decide, audit) =>
      changeInvitation(kv, invitation, decide, { outbox, audit }),
    findInvitationUrl: (record) => findInvitationUrl(kv, record),
    readNextInvitation: (person) => readNextInvitation(kv, person, now()),
    resendInvitation: (email, audit) => resendInvitation(kv, email, { outbox, now: now(), audit }),
  };
}
