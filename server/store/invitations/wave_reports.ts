/** Lists waves, and describes them as operators see them. @module */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { stateOfWave } from "../../waitlist/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { readFirstDue } from "../outbox/mod.ts";
import {
  countSendableAgain,
  countWaiting,
  mayLettersWait,
  readWaves,
  type StoredWave,
} from "./waves.ts";

/** How many waves a page of the list has at most. */
const MAX_IN_PAGE = 100;

/** A text that is greater than the positions of all waves. */
const AFTER_ALL = "~";

/** A page of the list of waves. */
export interface WaveReports {
  waves: WaveReport[];
  /** The value of `before` for the next page; absent on the last page. */
  next?: string;
}

/** Gives the position of a wave in the list, as a text. A newer wave has a greater text. */
const positionOf = ({ id, wave }: StoredWave) => `${wave.startedAt} ${id}`;

/**
 * Lists waves, the newest first.
 * @param now the present moment, in milliseconds since 1970
 * @param before the `next` of the previous page; absent for the first page
 */
export async function listWaves(
  kv: Kv,
  now: number,
  before = AFTER_ALL,
): Promise<WaveReports> {
  let newest: StoredWave[] = [];
  for await (const { entries } of readWaves(kv)) {
    const older = entries.map(({ value }) => value).filter((wave) => positionOf(wave) < before);
    newest = [...newest, ...older]
      .sort((a, b) => positionOf(a) < positionOf(b) ? 1 : -1)
      .slice(0, MAX_IN_PAGE + 1);
  }
  const hasNextPage = newest.length > MAX_IN_PAGE;
  const waves = newest.slice(0, MAX_IN_PAGE);
  const reports = await toWaveReports(kv, waves, now);
  return { waves: reports, ...hasNextPage && { next: positionOf(waves.at(-1)!) } };
}

/**
 * Gives waves as operators see them, with the number of their letters that wait.
 * @param now the present moment, in milliseconds since 1970
 */
export async function toWaveReports(
  kv: Kv,
  stored: StoredWave[],
  now: number,
): Promise<WaveReport[]> {
  const at = new Date(now).toISOString();
  // If the queue is empty, no letter waits, whatever the counts say, because letters that version 1.2 dropped are not
  // counted.
  const isQueueEmpty = !stored.some(mayLettersWait) ||
    await readFirstDue(kv, ["invitations"]) === Infinity;
  return stored.map((storedWave) => ({
    ...toWaveReport(storedWave, at),
    ...doLettersWait(storedWave, isQueueEmpty) && { lettersWaiting: countWaiting(storedWave) },
  }));
}

/** Whether letters of a wave wait. @param isQueueEmpty whether the queue of invitations is empty */
function doLettersWait(stored: StoredWave, isQueueEmpty: boolean): boolean {
  if (!mayLettersWait(stored)) return false;
  switch (stateOfWave(stored.wave)) {
    case "cancelled":
      return false;
    case "paused":
      // The letters of a paused wave are not in the queue; they go there when the wave is resumed.
      return true;
    default:
      return !isQueueEmpty;
  }
}

/**
 * Gives a wave as operators see it, without the number of letters that wait.
 * @param at the present moment, a date-time
 */
function toWaveReport(stored: StoredWave, at: string): WaveReport {
  const { id, wave, counts: { taken, refused, accepted, cameBack } } = stored;
  const sendableAgain = countSendableAgain(stored, at);
  const { parameters, audit, salt: _, done: _done, ...members } = wave;
  const { owes: _owes, auditOfAgain: _audit, ...otherMembers } = members;
  const { emails: _emails, letters = true, ...otherParameters } = parameters;
  return {
    wave: id,
    ...otherParameters,
    letters,
    ...otherMembers,
    ...audit?.operator !== undefined && { operator: audit.operator },
    state: stateOfWave(wave),
    taken,
    refused,
    accepted,
    ...sendableAgain > 0 && { sendableAgain },
    ...cameBack > 0 && { cameBack },
  };
}
