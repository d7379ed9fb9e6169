import type { operations } from "../../shared/generated/operator.ts";
import type { Context } from "../context.ts";
import { formatDuration } from "../print.ts";
import type { Settings } from "../settings.ts";
import { checkedLines } from "./checked_lines.ts";
import type { CallInput, OperatorClient } from "./client.ts";
import type { OperationId } from "../../shared/roles.ts";
import { cutError } from "./lines.ts";

/** Shows the progress of long work on standard error; its disposal removes the state from the terminal. */
export interface WorkProgress extends Disposable {
  /**
   * Shows a state in the place of the last one; on a terminal only.
   *
   * @param share how much of the work is done, from 0 to 1; `undefined` where that is not known
   */
  show: (state: string, share?: number) => void;
  /** Writes a line that stays, unless `--json` is given. */
  note: (line: string) => void;
  /** Removes the state from the terminal; the next state belongs to other work. */
  end: () => void;
}

/** The shortest time between two drawings, in milliseconds. */
const EVERY_MS = 100;

/** How long the work must have gone on before the time left is estimated, in milliseconds. */
const PACE_AFTER_MS = 1_000;

/** Makes the progress of a command; `--quiet` leaves only notes. */
export function createProgress(
  { stderr, clock }: Pick<Context, "stderr" | "clock">,
  { quiet, json }: Pick<Settings, "quiet" | "json">,
): WorkProgress {
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

/** The share of a whole; `undefined` where the whole is not known, or 0. */
export function shareOf(part: number, whole: number | undefined): number | undefined {
  return whole ? part / whole : undefined;
}

/** Makes the function that says how much is done and how much time is left: `24 %, 12 s left`. */
function createEstimate(): (share: number, now: number) => string {
  let start = { share: 0, at: 0 };
  let last = Infinity;
  return (share, now) => {
    // The share becomes smaller where the work begins again.
    if (share < last) start = { share, at: now };
    last = share;
    const percent = `${Math.floor(100 * share)} %`;
    const elapsed = now - start.at;
    if (elapsed < PACE_AFTER_MS || share === start.share || share === 1) return percent;
    const left = elapsed * (1 - share) / (share - start.share);
    return `${percent}, ${formatDuration(Math.max(1, Math.round(left / 1000)) * 1000)} left`;
  };
}

/** The last line of an operation's NDJSON answer, by the generated types. */
type WorkResult<Id extends OperationId> = operations[Id]["responses"] extends
  { 200: { content: { "application/x-ndjson": infer Line } } }
  ? Extract<Line, { complete: boolean }>
  : never;

/** What long work needs. */
export interface Work {
  client: OperatorClient;
  context: Context;
  progress: WorkProgress;
}

/** Calls an operation that works long on records, shows its progress, and gives its result. */
export async function longWork<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  { client, progress }: Pick<Work, "client" | "progress">,
): Promise<WorkResult<Id>> {
  let result: WorkResult<Id> | undefined;
  let total: number | undefined;
  try {
    const options = { client, onTotal: (count: number) => total = count };
    for await (const value of checkedLines(id, input, options)) {
      if (value.complete === true) result = value as WorkResult<Id>;
      else {
        const records = Number(value.progress);
        progress.show(`${records.toLocaleString("en")} records`, shareOf(records, total));
      }
    }
  } finally {
    progress.end();
  }
  if (!result) throw cutError("The answer ended before the work was complete");
  return result;
}
