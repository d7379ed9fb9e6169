/**
 * Begins waves: stores the entry of a new wave, and its invitees if the wave selects people by name. `schedule_work.ts`
 * begins the waves of schedules by the same functions. `waves.ts` reads and changes the waves that have begun. @module
 */
import { base64url } from "jose";
import type { AuditEntry, NotInvited, WaveRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  asksForWave,
  lacksListedAddresses,
  toWaveParameters,
  type Wave,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  type Commit,
  findValue,
  type Kv,
  openWaveKey,
  readOne,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import type { AddressedRecord } from "../people/mod.ts";
import { addInvitees, findInvitees } from "./invitees.ts";
import { countMembers } from "./wave_people.ts";

/** The reason why a wave was not started. */
export type WaveConflict =
  | { conflict: "other_parameters"; wave: Wave }
  | { conflict: "no_letters" };

/**
 * Gives the reason why a request cannot start a wave, or continue a wave that has the same id; `undefined` if there is
 * no such reason.
 * @param stored the stored wave with the wanted id; `undefined` if there is none
 */
export function waveConflict(
  request: WaveRequest,
  stored: Wave | undefined,
  { sendsLetters }: Pick<OutboxOptions, "sendsLetters">,
): WaveConflict | undefined {
  if (request.letters && !sendsLetters) return { conflict: "no_letters" };
  if (stored && !asksForWave(request, stored)) {
    return { conflict: "other_parameters", wave: stored };
  }
  return undefined;
}

/** The result of the beginning of a wave, besides the wave itself. */
export interface BegunWave {
  /** The named people whom the wave cannot invite; absent for a wave that selects people by filters. */
  notInvited?: NotInvited[];
}

/** What the functions that begin and change waves need. */
export interface WaveOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "sendsLetters">;
}

/** The number of random bytes in the salt with which a wave hashes the addresses of its request. */
const SALT_BYTES = 16;

/**
 * Begins a wave, unless the store already has a wave with this id. A wave of named people runs only after its invitees
 * are stored, because a process that works on the wave earlier would miss some of the invitees.
 */
export async function beginWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  options: WaveOptions,
): Promise<BegunWave | WaveConflict> {
  const { kv, outbox } = options;
  const invitees = request.emails && await findInvitees(kv, request.emails, id);
  const stored = await findValue<Wave>(kv, waveKey(id));
  const conflict = waveConflict(request, stored, outbox);
  if (conflict) return conflict;
  if (!stored || lacksListedAddresses(stored)) {
    const start: WaveStart = {
      id,
      request,
      wave: await newWave(id, request, audit, options),
      audit,
    };
    const lateConflict = invitees
      ? await beginWaveByName(start, invitees.people, options)
      : await beginWaveByFilter(start, options);
    if (lateConflict) return lateConflict;
  }
  return invitees ? { notInvited: invitees.notInvited } : {};
}

/** A wave that is to begin. */
interface WaveStart {
  id: string;
  request: WaveRequest;
  /** The new wave, which has no state yet. */
  wave: Wave;
  audit: AuditEntry | undefined;
}

/**
 * Begins a wave that selects people by filters.
 * @returns the conflict if another request has begun a different wave with this id meanwhile
 */
function beginWaveByFilter(
  { id, request, wave, audit }: WaveStart,
  { kv, outbox }: Pick<WaveOptions, "kv" | "outbox">,
): Promise<WaveConflict | undefined> {
  return changeEntry<Wave, WaveConflict | undefined>(kv, waveKey(id), (stored) => {
    if (stored) return { result: waveConflict(request, stored, outbox) };
    return { newValue: { ...wave, state: "running" }, result: undefined };
  }, (commit) => setRunning(commit, id, audit));
}

/**
 * Begins a wave of named people, or goes on with the beginning of such a wave if the process was killed before all
 * invitees were stored.
 * @returns the conflict if another request has begun a different wave with this id meanwhile
 */
async function beginWaveByName(
  { id, request, wave, audit }: WaveStart,
  people: AddressedRecord[],
  { kv, outbox }: Pick<WaveOptions, "kv" | "outbox">,
): Promise<WaveConflict | undefined> {
  const key = waveKey(id);
  // Writes the entry before the invitees, so that another request with this id and other parameters finds the entry and
  // stores no invitees.
  type EntryOutcome = WaveConflict | "lacks invitees" | "has begun";
  const outcome = await changeEntry<Wave, EntryOutcome>(kv, key, (stored) => {
    if (!stored) return { newValue: wave, result: "lacks invitees" };
    const conflict = waveConflict(request, stored, outbox);
    return { result: conflict ?? (lacksListedAddresses(stored) ? "lacks invitees" : "has begun") };
  });
  if (outcome === "has begun") return undefined;
  if (outcome !== "lacks invitees") return outcome;
  const pairs = people.map(({ email }) => ({ email, wave: id }));
  await addInvitees(kv, pairs, async (commit) => {
    // Reads the entry again, because another request for the same wave may have stored all invitees meanwhile, or an
    // operator may have cancelled the wave.
    const entry = await readOne<Wave>(kv, key);
    commit.check(entry);
    return entry.value !== null && lacksListedAddresses(entry.value);
  });
  await changeEntry<Wave, void>(kv, key, (stored) => {
    if (!stored || !lacksListedAddresses(stored)) return { result: undefined };
    return { newValue: { ...stored, state: "running" }, result: undefined };
  }, (commit) => setRunning(commit, id, audit));
  return undefined;
}

/** A claim that belongs to no process, so that the next process that looks for running waves takes the wave. */
const UNCLAIMED = { by: "", until: 0 };

/** Lets a commit add a wave to the list of running waves, and write the audit entry of its beginning or resumption. */
export function setRunning(commit: Commit, id: string, audit: AuditEntry | undefined): void {
  setAuditEntry(commit.set(openWaveKey(id), UNCLAIMED), audit);
}

/** Makes the entry of a wave that begins. The entry has no state yet. */
export async function newWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  { kv, now, random }: Omit<WaveOptions, "outbox">,
): Promise<Wave> {
  const { emails } = request;
  const salt = base64url.encode(random(SALT_BYTES));
  return {
    parameters: toWaveParameters(request, salt),
    salt,
    ...emails && { named: new Set(emails).size },
    // Counts the members of the wave, because a restored backup or an import may have brought records of a wave with
    // this id.
    invited: await countMembers(kv, id),
    startedAt: new Date(now()).toISOString(),
    ...audit && { audit },
  };
}
