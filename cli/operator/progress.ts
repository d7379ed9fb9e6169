/**
 * Shows the progress of long work on standard error.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { formatDuration } from "../format.ts";
import type { Settings } from "../settings.ts";

/** The progress of long work. Its disposal clears the line of progress. */
export interface WorkProgress extends Disposable {
  /**
   * Shows the present state in the line of progress, on a terminal only.
   *
   * @param share the share of the work that is done, from 0 to 1; `undefined` if it is not known
   */
  show: (state: string, share?: number) => void;
  /** Writes a line that stays on the screen. With `--json` it writes nothing. */
  note: (line: string) => void;
  /** Clears the line of progress. The next state begins a new estimate of the time left. */
  end: () => void;
}

/** The shortest time between two updates of the line, in milliseconds. */
const UPDATE_MS = 100;

/**
 * How long the work must have lasted before the time left is estimated, in milliseconds. Earlier estimates would be
 * wrong.
 */
const ESTIMATE_AFTER_MS = 1_000;

/** Makes the progress of a command. With `--quiet`, or if standard error is no terminal, it only writes notes. */
export function createProgress(
  { stderr, clock }: Pick<Context, "stderr" | "clock">,
  { quiet, json }: Pick<Settings, "quiet" | "json">,
): WorkProgress {
  const isShown = stderr.isTerminal && !quiet;
  /** The time of the last update of the line, in milliseconds since 1970; -Infinity if the line is clear. */
  let shownAt = -Infinity;
  let formatShare = createShareFormatter();
  const clear = () => {
    if (shownAt > -Infinity) stderr.write("\r\x1b[K");
    shownAt = -Infinity;
  };
  const end = () => {
    clear();
    formatShare = createShareFormatter();
  };
  return {
    show(state, share) {
      const now = clock.now();
      if (!isShown || now - shownAt < UPDATE_MS) return;
      shownAt = now;
      const text = share === undefined
        ? state
        : `${state}, ${formatShare(Math.min(share, 1), now)}`;
      stderr.write(`\r\x1b[K${text.slice(0, stderr.columns() - 1)}`);
    },
    note(line) {
      if (json) return;
      clear();
      stderr.write(`${line}\n`);
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** Returns the share of a part in a whole; `undefined` if the whole is not known or 0. */
export function shareOf(part: number, whole: number | undefined): number | undefined {
  return whole ? part / whole : undefined;
}

/**
 * Makes the function that formats the share of the work that is done, with an estimate of the time left if one can be
 * made: `24 %, 12 s left`.
 */
function createShareFormatter(): (share: number, now: number) => string {
  /** The share and the time from which the pace of the work is measured; `undefined` before the first call. */
  let start: { share: number; at: number } | undefined;
  let lastShare = 0;
  return (share, now) => {
    // A share smaller than the last one means that the work has begun again, so the estimate begins again.
    if (start === undefined || share < lastShare) start = { share, at: now };
    lastShare = share;
    const percent = `${Math.floor(100 * share)} %`;
    const elapsed = now - start.at;
    if (elapsed < ESTIMATE_AFTER_MS || share === start.share || share === 1) return percent;
    const leftMs = elapsed * (1 - share) / (share - start.share);
    const leftSeconds = Math.max(1, Math.round(leftMs / 1000));
    return `${percent}, ${formatDuration(leftSeconds * 1000)} left`;
  };
}
