/** Waves of invitations: what each was begun with, how many people it has invited, and who they are. @module */
import { base64url } from "jose";
import type {
  AuditEntry,
  InvitationCheck,
  NotInvited,
  WavePlan,
  WaveReport,
  WaveRequest,
} from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import {
  asksForWave,
  invitationUrl,
  isBeginning,
  isWaveOver,
  type RedeemFault,
  type SignUpRecord,
  stateOfWave,
  type Step,
  type Wave,
  WAVE_CHANGES,
  waveParameters,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addressesOf,
  type CallKv,
  changeEntry,
  type Commit,
  findValue,
  type Key,
  type Kv,
  openWaveKey,
  pages,
  readOne,
  waveKey,
  waveMembersSelector,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { type AddressedRecord, findRecords } from "../people/mod.ts";
import { changeInvitation, type InvitationOutcome } from "./codes.ts";
import type { InvitationOptions } from "./invite.ts";
import { forgetNamed, namePeople } from "./named.ts";
import { type PlanOptions, planWave, readNamed } from "./plan.ts";
import { findWave, listWaves, mayLettersWait, toWaveReport } from "./records.ts";
import type { WaveWork } from "./work.ts";
export type { InvitationOutcome } from "./codes.ts";
export { forgetNamed, namePeople, readNamedPeople } from "./named.ts";
export { addWave, readWaves } from "./records.ts";
export { startWaves } from "./work.ts";

/** What the operator's operations do with waves and with single invitations. */
export interface WaveStore {
  /** Finds a wave by its id. */
  findWave: (id: string) => Promise<WaveReport | undefined>;
  /** Lists waves, the newest first. @param before the `next` of the page before; absent for the first page */
  listWaves: (before: string | undefined) => Promise<{ waves: WaveReport[]; next?: string }>;
  /** Says whom a wave would invite, and changes nothing. */
  planWave: (request: WaveRequest) => Promise<WavePlan | WaveConflict>;
  /**
   * Starts a wave and makes its first commit. A repetition with the same parameters gives the wave as it is.
   * @returns the wave, and the named people whom it cannot invite; or the plan of a wave that invites nobody, because
   * such a wave leaves no entry
   */
  startWave: (
    id: string,
    request: WaveRequest,
    audit: AuditEntry,
  ) => Promise<BegunWave | WavePlan | WaveConflict>;
  /** Pauses, resumes or cancels a wave. A repetition gives the wave as it is. */
  changeWave: (
    id: string,
    change: keyof typeof WAVE_CHANGES,
    audit: AuditEntry,
  ) => Promise<WaveReport | "unknown" | WaveRefusal>;
  /** Lists the people of a wave in the order of their first sign-up. */
  listWavePeople: (id: string, page: WavePage) => Promise<WaveMembers>;
  /** Changes the record of an invited person, whom a code names, as `decide` says. */
  changeInvitation: (
    invitation: InvitationCheck,
    decide: (record: SignUpRecord) => Step | RedeemFault,
    audit?: AuditEntry,
  ) => Promise<InvitationOutcome>;
}

/** A wave that was started, and those of the named people whom it cannot invite. */
export interface BegunWave {
  wave: WaveReport;
  /** Absent where the wave names nobody. */
  notInvited?: NotInvited[];
}

/** Why a wave was not started. */
export type WaveConflict =
  | { conflict: "other_parameters"; wave: Wave }
  | { conflict: "no_letters" };

/** The state of a wave that does not allow a change. */
export interface WaveRefusal {
  refusedAs: WaveReport["state"];
  /** The end of the wave's invitations, a date-time, if that is the reason. */
  ended?: string | undefined;
}

export interface WaveStoreOptions extends CallKv, Pick<Runtime, "now" | "monotonic" | "random"> {
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
  waves: Pick<WaveWork, "step" | "wake">;
}

export function createWaveStore(
  { kv, longKv, outbox, now, monotonic, random, yieldToCalls, waves }: WaveStoreOptions,
): WaveStore {
  const planning: PlanOptions = { kv: longKv, monotonic, yieldToCalls };

  async function reportOf(id: string): Promise<WaveReport | undefined> {
    const kept = await findWave(kv, id);
    return kept && toWaveReport(kept);
  }

  /** Makes a commit of a wave at once, so that a small wave is done, and lets the worker go on with it. */
  async function goOn(id: string): Promise<WaveReport | undefined> {
    if (await waves.step(id, kv)) waves.wake();
    return await reportOf(id);
  }

  return {
    findWave: reportOf,
    listWaves: (before) => listWaves(kv, before),
    async planWave(request) {
      const known = await findWave(kv, request.wave ?? "");
      return conflictOf(request, known?.wave, outbox) ??
        await planWave(request, known?.wave, planning);
    },
    async startWave(id, request, audit) {
      const begun = await beginWave(id, request, audit, { kv, outbox, now, random });
      if ("conflict" in begun) return begun;
      const first = await goOn(id);
      // A second step tells of a small wave that it invites nobody.
      const wave = first?.invited === 0 ? await goOn(id) : first;
      return wave ? { wave, ...begun } : await planWave(request, undefined, planning);
    },
    async changeWave(id, change, audit) {
      const changed = await changeWave(id, change, audit, { kv, outbox, now });
      if (changed !== "changed") return changed;
      const before = (await reportOf(id))!;
      if (change === "cancel") await forgetNamed(longKv, new Date(now()).toISOString());
      // A wave that has invited nobody leaves nothing when it is done.
      const after = change === "resume" ? await goOn(id) : await reportOf(id);
      return after ?? { ...before, state: "done" as const };
    },
    listWavePeople: (id, page) => listWavePeople(kv, id, page),
    changeInvitation: (invitation, decide, audit) =>
      changeInvitation(kv, invitation, decide, { outbox, audit }),
  };
}

const SALT_BYTES = 16;

/** Begins a wave, unless it is known, or says why not; gives whom of the named people it cannot invite. */
export async function beginWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  { kv, outbox, now, random }: InvitationOptions,
) {
  const { emails } = request;
  const named = emails && await readNamed(kv, emails, id);
  const result = named ? { notInvited: named.notInvited } : {};
  const key = waveKey(id);
  const known = await findValue<Wave>(kv, key);
  const conflict = conflictOf(request, known, outbox);
  if (conflict || known && !isBeginning(known)) return conflict ?? result;
  const salt = base64url.encode(random(SALT_BYTES));
  const begun: Wave = {
    parameters: waveParameters(request, salt),
    salt,
    ...named && { named: new Set(emails).size },
    // Records of a restored backup, or of an import, know the waves of another store.
    invited: await countMembers(kv, id),
    startedAt: new Date(now()).toISOString(),
    ...audit && { audit },
  };
  const run = (commit: Commit) => {
    setAuditEntry(commit.set(openWaveKey(id), { by: "", until: 0 }), audit);
  };
  // A begin with other parameters finds the entry, and names nobody; no process works on the wave before all are named.
  const end = await changeEntry<Wave, typeof result | WaveConflict | undefined>(kv, key, (wave) => {
    if (!wave && named) return { to: begun, result: undefined };
    if (!wave) return { to: { ...begun, state: "running" }, result };
    const conflict = conflictOf(request, wave, outbox);
    return { result: conflict ?? (isBeginning(wave) ? undefined : result) };
  }, (commit) => named || run(commit));
  if (end || !named) return end ?? result;
  // Another begin of the same wave may have named all meanwhile, or an operator have cancelled it.
  await namePeople(kv, named.people.map(({ email }) => ({ email, wave: id })), async (commit) => {
    const entry = await readOne<Wave>(kv, key);
    commit.check(entry);
    return entry.value !== null && isBeginning(entry.value);
  });
  return await changeEntry<Wave, typeof result>(kv, key, (wave) => {
    return wave && isBeginning(wave) ? { to: { ...wave, state: "running" }, result } : { result };
  }, run);
}

function conflictOf(
  request: WaveRequest,
  wave: Wave | undefined,
  { letters }: { letters: boolean },
): WaveConflict | undefined {
  if (request.letters && !letters) return { conflict: "no_letters" };
  return wave && !asksForWave(request, wave) ? { conflict: "other_parameters", wave } : undefined;
}

type WaveChange = "changed" | "unknown" | WaveRefusal;

/** Pauses, resumes or cancels a wave; gives the state that does not allow it, if any. What is so already stays so. */
function changeWave(
  id: string,
  change: keyof typeof WAVE_CHANGES,
  audit: AuditEntry,
  { kv, outbox, now }: Pick<InvitationOptions, "kv" | "outbox" | "now">,
): Promise<WaveChange> {
  const { from, to: state } = WAVE_CHANGES[change];
  return changeEntry<Wave, WaveChange>(kv, waveKey(id), async (wave) => {
    if (!wave) return { result: "unknown" };
    const before = stateOfWave(wave);
    if (before === state) return { result: "changed" };
    const isUnable = change === "resume"
      ? isBeginning(wave)
      : before === "done" && !mayLettersWait((await findWave(kv, id))!);
    if (isUnable || !from.some((each) => each === before)) return { result: { refusedAs: before } };
    const { owes: _, lettersAgain: _again, ...others } = wave;
    const { letters = true, expires: ended } = others.parameters;
    if (change === "resume" && isWaveOver(wave, new Date(now()).toISOString())) {
      return { result: { refusedAs: before, ended } };
    }
    const owes = change === "resume" && letters && outbox.letters;
    const to: Wave = { ...others, state, ...owes && { owes, lettersAgain: 0 } };
    return { to, result: "changed" };
  }, (commit) => {
    if (change === "resume") commit.set(openWaveKey(id), { by: "", until: 0 });
    else commit.delete(openWaveKey(id));
    setAuditEntry(commit, audit);
  });
}

/** `undefined` for who is not invited, or by a wave of another store. */
export async function findInvitationUrl(kv: Kv, { wave, invitationCode }: SignUpRecord) {
  if (!wave || !invitationCode) return undefined;
  const known = await findValue<Wave>(kv, waveKey(wave));
  return known && invitationUrl(known.parameters.link, invitationCode);
}

/** A page of the people of a wave: behind the first `skip` of those who signed up at a moment. */
export interface WavePage {
  limit: number;
  after?: { createdAt: string; skip: number } | undefined;
}

export interface WaveMembers {
  people: AddressedRecord[];
  /** The `after` of the next page, if there is one. */
  next?: NonNullable<WavePage["after"]>;
}

/** Lists people in the order of their first sign-up; the position of the next page holds no address. */
async function listWavePeople(
  kv: Kv,
  id: string,
  { limit, after }: WavePage,
): Promise<WaveMembers> {
  const { createdAt: moment = "", skip = 0 } = after ?? {};
  const list = waveMembersSelector(id);
  const members: { key: Key }[] = [];
  let passed = 0;
  for await (const entries of pages(kv, { ...list, start: [...list.prefix, moment] })) {
    members.push(...entries.filter(({ key }) => key[2] !== moment || ++passed > skip));
    if (members.length > limit) break;
  }
  const page = members.slice(0, limit);
  const records = await findRecords(kv, addressesOf(page));
  // Somebody may have been erased, and have signed up again, since the list was read.
  const people = records.filter(({ record }) => record.wave === id);
  const createdAt = String(page.at(-1)?.key[2]);
  const read = page.filter(({ key }) => key[2] === createdAt).length;
  const next = { createdAt, skip: createdAt === moment ? skip + read : read };
  return { people, ...members.length > limit && { next } };
}

async function countMembers(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const members of pages(kv, waveMembersSelector(id))) count += members.length;
  return count;
}
