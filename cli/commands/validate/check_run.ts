import { type ApiFailure, quotable } from "../../../shared/api_failure.ts";
import type { Context } from "../../context.ts";
import { CliError, EXIT, type ExitCode, toCliError } from "../../errors.ts";
import { createStyle, formatDuration, formatJson, type Style } from "../../print.ts";
import type { Settings } from "../../settings.ts";
import { type Check, type ReportTarget, writeReports } from "./reports.ts";

/** One run of checks: it shows them as they come, counts the calls, and sums up. */
export interface CheckRun {
  /** The command's context, with a `fetch` that counts. */
  context: Context;
  add: (check: Check) => void;
  /**
   * Waits until the limit's next window begins, at most a minute and once in a run, because every limit of the contract
   * lets the rest pass after one pause.
   *
   * @param seconds 0 if the window has requests left
   */
  waitForWindow: (seconds: number) => Promise<void>;
  /**
   * Makes a call, and makes it once more if the limit refuses it: after the time of `Retry-After`, or a minute if the
   * answer has none. It does not wait for longer than a minute, which is the window of every limit of the contract.
   */
  sendAgainAfterLimit: <Reply extends { error?: ApiFailure | undefined }>(
    call: () => Promise<Reply>,
  ) => Promise<Reply>;
  /**
   * Shows the summary and writes the reports. If a failure ended the checks early, it throws that failure instead of
   * showing the summary. If the failure is the limit and another check failed before, the exit code is that of the check.
   *
   * @param failure the failure of the last check, or of a call after it
   */
  finish: (targets: ReportTarget[], failure: ApiFailure | undefined) => Promise<ExitCode>;
}

/** The window of the contract's limits, in seconds. */
const WINDOW = 60;

/** Begins a run of checks. */
export function startCheckRun(settings: Settings, context: Context): CheckRun {
  const { stdout, stderr, variables, clock } = context;
  const { json, quiet, baseUrl, environment } = settings;
  const style = createStyle(stdout, variables);
  const started = clock.now();
  const checks: Check[] = [];
  let calls = 0;
  let waited = false;

  async function wait(seconds: number): Promise<void> {
    if (!quiet && !json) {
      stderr.write(`The limit is used up; going on in ${seconds} s, with the next window.\n`);
    }
    await clock.wait(seconds * 1000, new AbortController().signal);
  }

  return {
    context: {
      ...context,
      fetch(input, init) {
        calls++;
        return context.fetch(input, init);
      },
    },
    add(check) {
      checks.push(check);
      if (json || (quiet && check.faults.length === 0)) return;
      stdout.write(formatCheck(check, style));
    },
    async waitForWindow(seconds) {
      if (waited || seconds === 0) return;
      waited = true;
      await wait(Math.min(WINDOW, seconds));
    },
    async sendAgainAfterLimit(call) {
      const reply = await call();
      if (reply.error?.kind !== "limited") return reply;
      const { retryAfter = WINDOW } = reply.error;
      if (retryAfter > WINDOW) return reply;
      await wait(retryAfter);
      return await call();
    },
    async finish(targets, failure) {
      const failed = checks.filter(({ faults }) => faults.length > 0).length;
      const report = {
        baseUrl,
        environment,
        startedAt: new Date(started).toISOString(),
        durationMs: clock.now() - started,
        calls,
        failed,
        checks,
      };
      if (json) stdout.write(formatJson(report));
      else if (!quiet && !failure) {
        const verdict = failed === 0
          ? style.green(`All ${checks.length} checks hold`)
          : style.red(`${failed} of ${checks.length} checks failed`);
        stdout.write(`${verdict}, with ${calls} calls in ${formatDuration(report.durationMs)}.\n`);
      }
      await writeReports(report, targets, context);
      if (failure) {
        const error = toCliError(failure);
        const hasOtherFault = checks.slice(0, -1).some(({ faults }) => faults.length > 0);
        if (failure.kind !== "limited" || !hasOtherFault) throw error;
        throw new CliError(error.message, EXIT.failedCheck, error.code);
      }
      return failed === 0 ? EXIT.fine : EXIT.failedCheck;
    },
  };
}

/** A check in one line. */
function formatCheck({ operation, does, call, faults }: Check, style: Style): string {
  const mark = faults.length === 0 ? style.green("ok  ") : style.red("FAIL");
  const called = call
    ? style.dim(` (${call.method} ${call.path}: ${call.status ?? "no answer"})`)
    : "";
  const wrong = faults.length === 0
    ? ""
    : `: ${faults.map((fault) => quotable(fault, 500)).join("; ")}`;
  return `${mark} ${operation} ${does}${called}${wrong}\n`;
}
