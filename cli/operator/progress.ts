import type { Context } from "../context.ts";
import { formatDuration } from "../output/duration.ts";
import type { Settings } from "../settings.ts";

/** Tells on standard error how far long work has come; disposing of it takes the state off the terminal. */
export interface Progress extends Disposable {
  /**
   * Shows a state in the place of the one before; on a terminal only.
   *
   * @param share how much of the work is done, from 0 to 1, where that is known
   */
  show: (state: string, share?: number) => void;
  /** Writes a line that stays, unless `--json` is given. */
  note: (line: string) => void;
  /** Takes the state off the terminal; what is shown next is other work. */
  end: () => void;
}

/** How often the state is drawn at the most, in milliseconds. */
const EVERY_MS = 100;

/** How long the work must have gone on before its pace says how long the rest takes, in milliseconds. */
const PACE_AFTER_MS = 1_000;

/** Makes the progress of a command; `--quiet` leaves only notes. */
export function createProgress(
  { stderr, clock }: Pick<Context, "stderr" | "clock">,
  { quiet, json }: Pick<Settings, "quiet" | "json">,
): Progress {
  const draws = stderr.isTerminal && !quiet;
  let drawn = -Infinity;
  let estimate = createEstimate();
  const clear = () => {
    if (draws && drawn > -Infinity) stderr.write("\r\x1b[K");
  };
  const end = () => {
    clear();
    drawn = -Infinity;
    estimate = createEstimate();
  };
  return {
    show(state, share) {
      const now = clock.now();
      if (!draws || now - drawn < EVERY_MS) return;
      drawn = now;
      const text = share === undefined ? state : `${state}, ${estimate(Math.min(share, 1), now)}`;
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

/** The share of a whole; `undefined` where that is not known, or nothing. */
export function shareOf(part: number, whole: number | undefined): number | undefined {
  return whole ? part / whole : undefined;
}

/** Makes the function that says how much is done and how long the rest takes: `24 %, 12 s left`. */
function createEstimate(): (share: number, now: number) => string {
  let start = { share: 0, at: 0 };
  let last = Infinity;
  return (share, now) => {
    // A share that falls is of work that begins once more.
    if (share < last) start = { share, at: now };
    last = share;
    const percent = `${Math.floor(100 * share)} %`;
    const elapsed = now - start.at;
    if (elapsed < PACE_AFTER_MS || share === start.share || share === 1) return percent;
    const left = elapsed * (1 - share) / (share - start.share);
    return `${percent}, ${formatDuration(Math.max(1, Math.round(left / 1000)) * 1000)} left`;
  };
}
