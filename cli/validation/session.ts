import type { ApiFailure } from "../../shared/api_failure.ts";
import type { Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";
import { formatDuration } from "../output/duration.ts";
import { createStyle } from "../output/style.ts";
import type { Settings } from "../settings.ts";
import { type Check, formatCheck } from "./check.ts";
import { type ReportTarget, toJson, writeReports } from "./reports.ts";

/** One run of checks: shows them as they come, counts the calls, and sums up. */
export interface Session {
  /** The command's context, with a `fetch` that counts. */
  context: Context;
  add: (check: Check) => void;
  /**
   * Shows the summary and writes the reports; throws the failure that ended the checks early, in the
   * place of the summary.
   */
  finish: (targets: ReportTarget[], failure: ApiFailure | undefined) => Promise<ExitCode>;
}

/** Begins a session. */
export function openSession(settings: Settings, context: Context): Session {
  const { stdout, variables, clock } = context;
  const { json, quiet, baseUrl, environment } = settings;
  const style = createStyle(stdout, variables);
  const started = clock.now();
  const checks: Check[] = [];
  let calls = 0;

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
      if (json) stdout.write(toJson(report));
      else if (!quiet && !failure) {
        const verdict = failed === 0
          ? style.green(`All ${checks.length} checks hold`)
          : style.red(`${failed} of ${checks.length} checks failed`);
        stdout.write(`${verdict}, with ${calls} calls in ${formatDuration(report.durationMs)}.\n`);
      }
      await writeReports(report, targets, context);
      if (failure) throw toCliError(failure);
      return failed === 0 ? EXIT.fine : EXIT.failedCheck;
    },
  };
}
