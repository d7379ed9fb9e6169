/**
 * How far a wave of invitations is, as the console and the CLI show it. The state of a wave is `done` as soon as
 * everybody is invited, but its stage is still `sending` as long as any of its letters waits in the outbox.
 *
 * @module
 */
import type { WaveReport } from "./operator_schemas.ts";

/**
 * The stage of a wave. A wave with letters is `sending` while it runs or while its letters wait. A wave without letters
 * is `inviting` while it runs.
 */
export type WaveStage = "sending" | "inviting" | "paused" | "done" | "cancelled";

/** How far a wave is. */
export interface WaveProgress {
  stage: WaveStage;
  /**
   * The number of letters that the mail server has accepted or rejected; in a wave without letters, the number of invited
   * people. Once everybody is invited, this is the number of people whose letter does not wait, because letters that are
   * not sent any more never come to the mail server.
   */
  settled: number;
  /**
   * The number of people whom the wave is to invite: the next people in line (`next`), or the people whom the request
   * for the wave named (`named`). If the wave has ended, or if neither number is known, this is the number of people
   * whom the wave has invited.
   */
  whole: number;
}

/** Says how far a wave is. */
export function progressOf(
  { state, letters, invited, taken, refused, lettersWaiting = 0, next, named }: Pick<
    WaveReport,
    | "state"
    | "letters"
    | "invited"
    | "taken"
    | "refused"
    | "lettersWaiting"
    | "next"
    | "named"
  >,
): WaveProgress {
  const hasEnded = state === "done" || state === "cancelled";
  const countsPeople = state === "done" || !letters;
  return {
    stage: stageOf({ state, letters, lettersWaiting }),
    settled: countsPeople ? invited - lettersWaiting : taken + refused,
    whole: hasEnded ? invited : next ?? named ?? invited,
  };
}

/**
 * Counts the letters of a wave that are not sent any more, although the mail server has neither accepted nor rejected
 * them. The result is 0 while the wave runs, because a report of a running wave does not always count the letters that
 * are just on their way into the outbox or out of it.
 */
export function countNotSent(
  { state, letters, invited, taken, refused, lettersWaiting = 0 }: Pick<
    WaveReport,
    "state" | "letters" | "invited" | "taken" | "refused" | "lettersWaiting"
  >,
): number {
  if (!letters || state === "running") return 0;
  return Math.max(0, invited - taken - refused - lettersWaiting);
}

/** Returns the stage of a wave. @param wave.letters whether the wave sends letters */
function stageOf(
  { state, letters, lettersWaiting }: Required<
    Pick<WaveReport, "state" | "letters" | "lettersWaiting">
  >,
): WaveStage {
  if (state === "running") return letters ? "sending" : "inviting";
  return state === "done" && letters && lettersWaiting > 0 ? "sending" : state;
}
