/**
 * The entries of waves: reads and changes waves, counts their waiting letters, stores the waves of a backup, and gives
 * the link of an invitation, which is made from a parameter of the wave. `begin_wave.ts` begins waves,
 * `wave_reports.ts` lists waves for operators, `wave_people.ts` lists the people of a wave, and `invite.ts` invites
 * people. @module
 */
import { type LineOf, storedWaveSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry, WaveReport } from "../../../shared/operator_schemas.ts";
import {
  hasExpired,
  invitationUrlOf,
  isWaveOver,
  lacksListedAddresses,
  type SignUpRecord,
  stateOfWave,
  type Wave,
  WAVE_CHANGES,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  changeEntry,
  type EntryBatch,
  findValue,
  type Kv,
  nameOf,
  openWaveKey,
  readEntries,
  readMany,
  waveCountKey,
  waveKey,
  WAVES,
} from "../kv/mod.ts";
import { setRunning, type WaveOptions } from "./begin_wave.ts";

/**
 * The names of a wave's counters. They have entries of their own, so that letters and acceptances do not conflict with
 * the commits that write the entry of the wave.
 */
const WAVE_COUNTS = [
  "taken",
  "refused",
  "accepted",
  "dropped",
  "cameBack",
  "notSendable",
] as const;

/** A wave with its id and its counters. */
export interface StoredWave {
  id: string;
  wave: Wave;
  /**
   * The counters by their names. Version 1.2 did not count the last three.
   * - `dropped`: letters that no mail server has taken or refused and that are not sent any more, such as those to
   *   erased people
   * - `cameBack`: letters about which the mail provider reported that they came back, or were reported as spam
   * - `notSendable`: refused letters that a resumed wave does not send again, such as those to undeliverable people
   */
  counts: Record<typeof WAVE_COUNTS[number], number>;
}

/** Finds a wave by its id. */
export async function findWave(kv: Kv, id: string): Promise<StoredWave | undefined> {
  const wave = await findValue<Wave>(kv, waveKey(id));
  return wave && (await readWithCounts(kv, [{ id, wave }]))[0];
}

/** Reads all waves, a batch at a time, in the order of their ids. */
export async function* readWaves(kv: Kv): AsyncGenerator<EntryBatch<StoredWave>> {
  for await (
    const batch of readEntries<Wave>(kv, { ...WAVES, form: { schema: storedWaveSchema } })
  ) {
    const { entries, unreadable } = batch;
    const waves = entries.map(({ key, value }) => ({ id: nameOf(key), wave: value }));
    const stored = await readWithCounts(kv, waves);
    yield {
      entries: entries.map((entry, index) => ({ ...entry, value: stored[index]! })),
      unreadable,
    };
  }
}

/** Reads the counters of waves, and gives the waves with their counters. */
async function readWithCounts(
  kv: Kv,
  waves: Pick<StoredWave, "id" | "wave">[],
): Promise<StoredWave[]> {
  const keys = waves.flatMap(({ id }) => WAVE_COUNTS.map((name) => waveCountKey(id, name)));
  const entries = await readMany<number>(kv, keys);
  return waves.map(({ id, wave }, index) => {
    const countOf = (name: typeof WAVE_COUNTS[number]) =>
      entries[WAVE_COUNTS.length * index + WAVE_COUNTS.indexOf(name)]?.value ?? 0;
    const counts = {
      taken: countOf("taken"),
      refused: countOf("refused"),
      accepted: countOf("accepted"),
      // These counters can be below zero: version 1.2 did not count such letters, and they may be sent again.
      dropped: Math.max(0, countOf("dropped")),
      cameBack: Math.max(0, countOf("cameBack")),
      notSendable: Math.max(0, countOf("notSendable")),
    };
    return { id, wave, counts };
  });
}

/** A change of a wave by an operator: `pause`, `resume` or `cancel`. */
export type WaveChangeName = keyof typeof WAVE_CHANGES;

/** The reason why a wave does not allow a change: its state. */
export interface WaveRefusal {
  refusedAs: WaveReport["state"];
  /** When the wave's invitations ended, a date-time. Present only if the change is refused because they have ended. */
  endedAt?: string | undefined;
}

/** The outcome of {@linkcode changeWave}. */
type WaveChangeOutcome = "in wanted state" | "unknown" | WaveRefusal;

/**
 * Pauses, resumes or cancels a wave. A wave that is already in the wanted state stays as it is. If a wave that is done is
 * resumed, so that its refused letters are sent again, the audit entry has the detail `again`.
 * @returns `"in wanted state"`, whether the wave has changed or not; otherwise, why the wave was not changed
 */
export function changeWave(
  id: string,
  change: WaveChangeName,
  audit: AuditEntry,
  { kv, outbox, now }: Omit<WaveOptions, "random">,
): Promise<WaveChangeOutcome> {
  let entry = audit;
  return changeEntry<Wave, WaveChangeOutcome>(kv, waveKey(id), async (wave) => {
    if (!wave) return { result: "unknown" };
    const state = WAVE_CHANGES[change].to;
    const isAgain = change === "resume" && stateOfWave(wave) === "done";
    entry = isAgain ? { ...audit, details: { ...audit.details, again: true } } : audit;
    if (stateOfWave(wave) === state) return { result: "in wanted state" };
    const refusal = await findRefusal(id, wave, change, { kv, now });
    if (refusal) return { result: refusal };
    const { owes: _, auditOfAgain: _audit, lettersAgain: _again, ...withoutOwes } = wave;
    const owes = change === "resume" && wave.parameters.letters !== false && outbox.sendsLetters;
    const newValue: Wave = {
      ...withoutOwes,
      state,
      ...owes && { owes, auditOfAgain: entry, lettersAgain: 0 },
    };
    return { newValue, result: "in wanted state" };
  }, (commit) => {
    if (change === "resume") setRunning(commit, id, entry);
    else setAuditEntry(commit.delete(openWaveKey(id)), entry);
  });
}

/** Finds the reason why a wave does not allow a change; `undefined` if the wave allows the change. */
async function findRefusal(
  id: string,
  wave: Wave,
  change: WaveChangeName,
  { kv, now }: Pick<WaveOptions, "kv" | "now">,
): Promise<WaveRefusal | undefined> {
  const state = stateOfWave(wave);
  const isAllowedState = WAVE_CHANGES[change].from.some((allowed) => allowed === state);
  if (!isAllowedState) return { refusedAs: state };
  if (change === "resume") {
    if (lacksListedAddresses(wave)) return { refusedAs: state };
    const hasEnded = isWaveOver(wave, new Date(now()).toISOString());
    return hasEnded ? { refusedAs: state, endedAt: wave.parameters.expires } : undefined;
  }
  // A wave that is done can be changed only while some of its letters wait.
  const isFinished = state === "done" && !mayLettersWait((await findWave(kv, id))!);
  return isFinished ? { refusedAs: state } : undefined;
}

/** Counts the letters of a wave that may still be in the outbox, or that return to it when the wave is resumed. */
export const countWaiting = ({ wave: { invited }, counts }: StoredWave): number =>
  invited - counts.taken - counts.refused - counts.dropped;

/** Whether some letters of a wave may still be in the outbox, or return to it, judged by the counts. */
export const mayLettersWait = (stored: StoredWave): boolean =>
  stored.wave.parameters.letters !== false && countWaiting(stored) > 0;

/**
 * Counts the refused letters of a wave that a resumed wave sends again. It sends none if it sends no letters, cannot be
 * resumed or has invitations that have ended.
 * @param at the present moment, a date-time
 */
export function countSendableAgain({ wave, counts }: StoredWave, at: string): number {
  const { letters = true, expires } = wave.parameters;
  if (!letters || stateOfWave(wave) === "cancelled" || hasExpired(expires, at)) return 0;
  return Math.max(0, counts.refused - counts.notSendable);
}

/**
 * Stores a wave of a backup. Pauses it if it runs or if its letters may wait, because a backup holds no letters.
 * @returns whether the wave is new in this store
 */
export function addWave(
  kv: Kv,
  { id, wave, counts: countsOfLine }: Omit<LineOf<"wave">, "kind">,
  audit?: AuditEntry,
): Promise<boolean> {
  const counts = { dropped: 0, cameBack: 0, notSendable: 0, ...countsOfLine };
  const state = stateOfWave(wave);
  const mayGoOn = state === "running" || state === "done" && mayLettersWait({ id, wave, counts });
  const restored: Wave = { ...wave, state: mayGoOn ? "paused" : state };
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
