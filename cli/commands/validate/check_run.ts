/**
 * Runs checks: prints each check when it is done, counts the calls, waits for the limit, and writes the summary.
 *
 * @module
 */
import { type ApiFailure, quotable } from "../../../shared/api_failure.ts";
import type { Context } from "../../context.ts";
import { CliError, EXIT, type ExitCode, toCliError } from "../../errors.ts";
import { formatDuration } from "../../format.ts";
import { createStyle, formatJson, type Style } from "../../print.ts";
import type { Settings } from "../../settings.ts";
import { type Check, type ReportTarget, writeReports } from "./reports.ts";

/** One run of checks: the functions by which checks make calls and report their results. */
export interface CheckRun {
  /** The command's context with a `fetch` that counts the calls. */
  context: Context;
  /** Adds a check that is done, and prints it. */
  add: (check: Check) => void;
  /**
   * Waits for the next window of the request limit, for a minute at most. Only the first wait of a run takes place,
   * because after one pause the limit allows all further calls.
   *
   * @param seconds the time until the next window; 0 if the present window has requests left
   */
  waitForWindow: (seconds: number) => Promise<void>;
  /**
   * Makes a call. If the limit refuses the call, waits and makes the call once more. The wait is as long as
   * `Retry-After` says, or a minute if the answer has no `Retry-After`. If `Retry-After` is longer than a minute,
   * returns the refusal at once, because every limit of the contract has a window of a minute.
   */
  sendAgainAfterLimit: <Reply extends { error?: ApiFailure | undefined }>(
    call: () => Promise<Reply>,
  ) => Promise<Reply>;
  /**
   * Writes the reports, prints the summary and returns the exit code.
   *
   * @param failure the failure that has ended the checks early; it is thrown at the end, and the summary in words is
   * left out. If the failure is a used-up limit and an earlier check failed, the exit code is that of a failed check.
   */
  finish: (targets: ReportTarget[], failure: ApiFailure | undefined) => Promise<ExitCode>;
}

/** The window of all limits in the contract, in seconds. */
const WINDOW_SECONDS = 60;

/** Begins a run of checks. */
export function startCheckRun(settings: Settings, context: Context): CheckRun {
  const { stdout, stderr, variables, clock } = context;
  const { json, quiet, baseUrl, environment } = settings;
  const style = createStyle(stdout, variables);
  const startedAt = clock.now();
  const checks: Check[] = [];
  let callCount = 0;
  let hasWaited = false;

  async function wait(seconds: number): Promise<void> {
    if (!quiet && !json) {
      stderr.write(`The request limit is used up; the checks continue in ${seconds} s.\n`);
    }
    await clock.wait(seconds * 1000, new AbortController().signal);
  }

  return {
    context: {
      ...context,
      fetch(input, init) {
        callCount++;
        return context.fetch(input, init);
      },
    },
    add(check) {
      checks.push(check);
      if (json || (quiet && check.faults.length === 0)) return;
      stdout.write(formatCheck(check, style));
    },
    async waitForWindow(seconds) {
      if (hasWaited || seconds === 0) return;
      hasWaited = true;
      await wait(Math.min(WINDOW_SECONDS, seconds));
    },
    async sendAgainAfterLimit(call) {
      const reply = await call();
      if (reply.error?.kind !== "limited") return reply;
      const { retryAfter = WINDOW_SECONDS } = reply.error;
      if (retryAfter > WINDOW_SECONDS) return reply;
      await wait(retryAfter);
      return await call();
    },
    async finish(targets, failure) {
      const failedCount = checks.filter(({ faults }) => faults.length > 0).length;
      const report = {
        baseUrl,
        environment,
        startedAt: new Date(startedAt).toISOString(),
        durationMs: clock.now() - startedAt,
        calls: callCount,
        failed: failedCount,
        checks,
      };
      if (json) stdout.write(formatJson(report));
      else if (!quiet && !failure) {
        const verdict = failedCount === 0
          ? style.green(`All ${checks.length} checks passed`)
          : style.red(`${failedCount} of ${checks.length} checks failed`);
        stdout.write(
          `${verdict}, with ${callCount} calls in ${formatDuration(report.durationMs)}.\n`,
        );
      }
      await writeReports(report, targets, context);
      if (failure) throw toRunError(failure, checks);
      return failedCount === 0 ? EXIT.fine : EXIT.failedCheck;
    },
  };
}

/** Makes the error of a run that a failure has ended. The last check is the one that failed in this way. */
function toRunError(failure: ApiFailure, checks: Check[]): CliError {
  const error = toCliError(failure);
  const hasOtherFault = checks.slice(0, -1).some(({ faults }) => faults.length > 0);
  if (failure.kind !== "limited" || !hasOtherFault) return error;
  return new CliError(error.message, EXIT.failedCheck, error.code);
}

/** How many characters of a fault are shown at most. */
const MAX_FAULT_LENGTH = 500;

/** Formats a check as one line. */
function formatCheck({ operation, does, call, faults }: Check, style: Style): string {
  const verdict = faults.length === 0 ? style.green("ok  ") : style.red("FAIL");
  const callText = call
    ? style.dim(` (${call.method} ${call.path}: ${call.status ?? "no answer"})`)
    : "";
  const faultsText = faults.length === 0
    ? ""
    : `: ${faults.map((fault) => quotable(fault, MAX_FAULT_LENGTH)).join("; ")}`;
  return `${verdict} ${operation} ${does}${callText}${faultsText}\n`;
}
