/**
 * The entries of waves: reads, begins and changes waves, and stores the waves of a backup. `wave_reports.ts` lists
 * waves for operators, `wave_people.ts` lists the people of a wave, and `invite.ts` invites people. @module
 */
import { base64url } from "jose";
import { type LineOf, storedWaveSchema } from "../../../shared/backup_lines.ts";
import type {
  AuditEntry,
  NotInvited,
  WaveReport,
  WaveRequest,
} from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  asksForWave,
  invitationUrlOf,
  isWaveOver,
  lacksListedAddresses,
  type SignUpRecord,
  stateOfWave,
  toWaveParameters,
  type Wave,
  WAVE_CHANGES,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  changeEntry,
  type Commit,
  type EntryBatch,
  findValue,
  type Kv,
  nameOf,
  openWaveKey,
  readEntries,
  readMany,
  readOne,
  waveCountKey,
  waveKey,
  WAVES,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { addInvitees, findInvitees, type FoundInvitees } from "./invitees.ts";
import { countMembers } from "./wave_people.ts";

/**
 * The names of a wave's counters. They have entries of their own, so that letters and acceptances do not conflict with
 * the commits that write the entry of the wave.
 */
const WAVE_COUNTS = ["taken", "refused", "accepted", "dropped"] as const;

/** A wave with its id and its counters. */
export interface StoredWave {
  id: string;
  wave: Wave;
  /**
   * The counters by their names. `dropped` is the number of letters that no mail server has taken or refused and that
   * are not sent any more, such as those to erased people. It leaves out letters that version 1.2 dropped.
   */
  counts: Record<typeof WAVE_COUNTS[number], number>;
}

/** Finds a wave by its id. */
export async function findWave(kv: Kv, id: string): Promise<StoredWave | undefined> {
  const wave = await findValue<Wave>(kv, waveKey(id));
  return wave && (await withCounts(kv, [[id, wave]]))[0];
}

/** Reads all waves, a batch at a time, in the order of their ids. */
export async function* readWaves(kv: Kv): AsyncGenerator<EntryBatch<StoredWave>> {
  for await (
    const batch of readEntries<Wave>(kv, { ...WAVES, form: { schema: storedWaveSchema } })
  ) {
    const { entries, unreadable } = batch;
    const stored = await withCounts(kv, entries.map(({ key, value }) => [nameOf(key), value]));
    yield {
      entries: entries.map((entry, index) => ({ ...entry, value: stored[index]! })),
      unreadable,
    };
  }
}

/** Reads the counters of waves. */
async function withCounts(kv: Kv, waves: [id: string, wave: Wave][]): Promise<StoredWave[]> {
  const keys = waves.flatMap(([id]) => WAVE_COUNTS.map((name) => waveCountKey(id, name)));
  const values = (await readMany<number>(kv, keys)).map((entry) => entry?.value ?? 0);
  return waves.map(([id, wave], index) => {
    const ofWave = values.slice(WAVE_COUNTS.length * index);
    const [taken = 0, refused = 0, accepted = 0, droppedCount = 0] = ofWave;
    // The counter is below zero if a letter is sent again that was dropped before such letters were counted.
    const dropped = Math.max(0, droppedCount);
    return { id, wave, counts: { taken, refused, accepted, dropped } };
  });
}

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
  { letters }: Pick<OutboxOptions, "letters">,
): WaveConflict | undefined {
  if (request.letters && !letters) return { conflict: "no_letters" };
  if (stored && !asksForWave(request, stored)) {
    return { conflict: "other_parameters", wave: stored };
  }
  return undefined;
}

/** A wave that has begun. */
export interface BegunWave {
  /** The named people whom the wave cannot invite; absent in a wave that selects people by filters. */
  notInvited?: NotInvited[];
}

interface WaveOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "letters">;
}

const SALT_BYTES = 16;

/**
 * Begins a wave, unless there is a wave with its id. A wave of named people runs only after its invitees are stored,
 * because a process that works on the wave earlier would miss some of the invitees.
 */
export async function beginWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  options: WaveOptions,
): Promise<BegunWave | WaveConflict> {
  const { kv, outbox } = options;
  const invitees = request.emails && await findInvitees(kv, request.emails, id);
  const begun: BegunWave = invitees ? { notInvited: invitees.notInvited } : {};
  const stored = await findValue<Wave>(kv, waveKey(id));
  const conflict = waveConflict(request, stored, outbox);
  if (conflict) return conflict;
  if (stored && !lacksListedAddresses(stored)) return begun;
  const wave = await newWave(id, request, audit, options);
  if (!invitees) return await beginWaveByFilter(id, { request, wave, begun, audit }, options);
  return await beginWaveByName(id, { request, wave, begun, audit, invitees }, options);
}

interface Beginning {
  request: WaveRequest;
  /** The new wave, which has no state yet. */
  wave: Wave;
  /** The result if the wave begins, or has already begun. */
  begun: BegunWave;
  audit: AuditEntry | undefined;
}

function beginWaveByFilter(
  id: string,
  { request, wave, begun, audit }: Beginning,
  { kv, outbox }: WaveOptions,
): Promise<BegunWave | WaveConflict> {
  return changeEntry<Wave, BegunWave | WaveConflict>(kv, waveKey(id), (stored) => {
    if (!stored) return { newValue: { ...wave, state: "running" }, result: begun };
    return { result: waveConflict(request, stored, outbox) ?? begun };
  }, (commit) => setRunning(commit, id, audit));
}

async function beginWaveByName(
  id: string,
  { request, wave, begun, audit, invitees }: Beginning & { invitees: FoundInvitees },
  { kv, outbox }: WaveOptions,
): Promise<BegunWave | WaveConflict> {
  const key = waveKey(id);
  // Writes the entry before the invitees, so that another request with this id and other parameters finds the entry and
  // stores no invitees.
  type EarlyResult = BegunWave | WaveConflict | undefined;
  const earlyResult = await changeEntry<Wave, EarlyResult>(kv, key, (stored) => {
    if (!stored) return { newValue: wave, result: undefined };
    const conflict = waveConflict(request, stored, outbox);
    return { result: conflict ?? (lacksListedAddresses(stored) ? undefined : begun) };
  });
  if (earlyResult) return earlyResult;
  const people = invitees.people.map(({ email }) => ({ email, wave: id }));
  await addInvitees(kv, people, async (commit) => {
    // Reads the entry again, because another request for the same wave may have stored all invitees meanwhile, or an
    // operator may have cancelled the wave.
    const entry = await readOne<Wave>(kv, key);
    commit.check(entry);
    return entry.value !== null && lacksListedAddresses(entry.value);
  });
  return await changeEntry<Wave, BegunWave>(kv, key, (stored) => {
    if (!stored || !lacksListedAddresses(stored)) return { result: begun };
    return { newValue: { ...stored, state: "running" }, result: begun };
  }, (commit) => setRunning(commit, id, audit));
}

/** A claim that belongs to no process, so that the next process that looks for running waves takes the wave. */
const UNCLAIMED = { by: "", until: 0 };

/** Adds a wave that begins to the list of running waves in a commit, and the audit entry of its beginning. */
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

/** A change of a wave by an operator: `pause`, `resume` or `cancel`. */
export type WaveChangeName = keyof typeof WAVE_CHANGES;

/** The reason why a wave does not allow a change: its state. */
export interface WaveRefusal {
  refusedAs: WaveReport["state"];
  /** When the wave's invitations ended, a date-time. Present only if the change is refused because they have ended. */
  ended?: string | undefined;
}

/** Pauses, resumes or cancels a wave. A wave that is already in the wanted state stays as it is. */
export function changeWave(
  id: string,
  change: WaveChangeName,
  audit: AuditEntry,
  { kv, outbox, now }: Omit<WaveOptions, "random">,
): Promise<"changed" | "unknown" | WaveRefusal> {
  const { from, to: state } = WAVE_CHANGES[change];
  return changeEntry<Wave, "changed" | "unknown" | WaveRefusal>(kv, waveKey(id), async (wave) => {
    if (!wave) return { result: "unknown" };
    const before = stateOfWave(wave);
    if (before === state) return { result: "changed" };
    const isRefused = change === "resume"
      ? lacksListedAddresses(wave)
      : before === "done" && !mayLettersWait((await findWave(kv, id))!);
    if (isRefused || !from.some((allowed) => allowed === before)) {
      return { result: { refusedAs: before } };
    }
    const { owes: _, lettersAgain: _again, ...others } = wave;
    const { letters = true, expires: ended } = others.parameters;
    if (change === "resume" && isWaveOver(wave, new Date(now()).toISOString())) {
      return { result: { refusedAs: before, ended } };
    }
    const owes = change === "resume" && letters && outbox.letters;
    const newValue: Wave = { ...others, state, ...owes && { owes, lettersAgain: 0 } };
    return { newValue, result: "changed" };
  }, (commit) => {
    if (change === "resume") commit.set(openWaveKey(id), UNCLAIMED);
    else commit.delete(openWaveKey(id));
    setAuditEntry(commit, audit);
  });
}

/** Counts the letters of a wave that may still be in the outbox, or that return to it when the wave is resumed. */
export const countWaiting = ({ wave: { invited }, counts }: StoredWave): number =>
  invited - counts.taken - counts.refused - counts.dropped;

/** Whether some letters of a wave may still be in the outbox, or return to it, judged by the counts. */
export const mayLettersWait = (stored: StoredWave): boolean =>
  stored.wave.parameters.letters !== false && countWaiting(stored) > 0;

/**
 * Stores a wave of a backup. Pauses it if it runs or if its letters may wait, because a backup holds no letters.
 * @returns whether the wave is new in this store
 */
export function addWave(
  kv: Kv,
  { id, wave, counts: { dropped = 0, ...others } }: Omit<LineOf<"wave">, "kind">,
  audit?: AuditEntry,
): Promise<boolean> {
  const counts = { ...others, dropped };
  const state = stateOfWave(wave);
  const pauses = state === "running" || state === "done" && mayLettersWait({ id, wave, counts });
  const restored: Wave = { ...wave, state: pauses ? "paused" : state };
  return addEntry(kv, waveKey(id), restored, (commit) => {
    setAuditEntry(commit, audit);
    for (const name of WAVE_COUNTS) {
      if (counts[name] > 0) commit.add(waveCountKey(id, name), counts[name]);
    }
  });
}

/**
 * Gives the link of a person's invitation; `undefined` if the person has no invitation, or if the store does not have
 * the wave of the invitation.
 */
export async function findInvitationUrl(
  kv: Kv,
  { wave, invitationCode }: SignUpRecord,
): Promise<string | undefined> {
  if (!wave || !invitationCode) return undefined;
  const stored = await findValue<Wave>(kv, waveKey(wave));
  return stored && invitationUrlOf(stored.parameters.link, invitationCode);
}
