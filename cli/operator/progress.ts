/**
 * Shows the progress of long work on standard error, and runs the operations that report their progress.
 *
 * @module
 */
import type { operations } from "../../shared/generated/operator.ts";
import type { OperationId } from "../../shared/roles.ts";
import type { Context } from "../context.ts";
import { formatDuration, plural } from "../print.ts";
import type { Settings } from "../settings.ts";
import { checkedLines } from "./checked_lines.ts";
import type { CallInput, OperatorClient } from "./client.ts";
import { cutError } from "./cuts.ts";

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
  let estimate = createEstimate();
  const clear = () => {
    if (isShown && shownAt > -Infinity) stderr.write("\r\x1b[K");
  };
  const end = () => {
    clear();
    shownAt = -Infinity;
    estimate = createEstimate();
  };
  return {
    show(state, share) {
      const now = clock.now();
      if (!isShown || now - shownAt < UPDATE_MS) return;
      shownAt = now;
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

/** Returns the share of a part in a whole; `undefined` if the whole is not known or 0. */
export function shareOf(part: number, whole: number | undefined): number | undefined {
  return whole ? part / whole : undefined;
}

/** Makes the function that tells the share and the time left, such as `24 %, 12 s left`. */
function createEstimate(): (share: number, now: number) => string {
  let start = { share: 0, at: 0 };
  let last = Infinity;
  return (share, now) => {
    // A share smaller than the last one means that the work has begun again, so the estimate begins again.
    if (share < last) start = { share, at: now };
    last = share;
    const percent = `${Math.floor(100 * share)} %`;
    const elapsed = now - start.at;
    if (elapsed < ESTIMATE_AFTER_MS || share === start.share || share === 1) return percent;
    const left = elapsed * (1 - share) / (share - start.share);
    return `${percent}, ${formatDuration(Math.max(1, Math.round(left / 1000)) * 1000)} left`;
  };
}

/** The result of an operation with an NDJSON answer: the last line of the answer, by the generated types. */
type WorkResult<Id extends OperationId> = operations[Id]["responses"] extends
  { 200: { content: { "application/x-ndjson": infer Line } } }
  ? Extract<Line, { complete: boolean }>
  : never;

/** The client, the context and the progress, which functions for long work take together. */
export interface Work {
  client: OperatorClient;
  context: Context;
  progress: WorkProgress;
}

/**
 * Calls an operation that reports the progress of long work, shows this progress, and returns the result.
 *
 * @throws {CliError} if the call fails, or if the answer ends before the result
 */
export async function runLongWork<Id extends OperationId>(
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
        progress.show(plural(records, "record", "records"), shareOf(records, total));
      }
    }
  } finally {
    progress.end();
  }
  if (!result) {
    throw cutError("The answer ended before the work was complete; run the command again");
  }
  return result;
}
