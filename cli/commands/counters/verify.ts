import type { RecountReport } from "../../../shared/operator_schemas.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { longWork } from "../../operator/long_work.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatBasis, formatDifferences } from "../../operator/recount_text.ts";
import { createStyle } from "../../output/style.ts";

/** `waitlist counters verify`: holds the statistics against a recount. */
export default defineOperatorCommand({
  examples: [
    ["waitlist counters verify", "exit code 1 if a counter is wrong"],
    ["waitlist counters verify --json | jq .differences", "for programs"],
  ],
  parse: () => undefined,
  async run(_options, { settings, context, connect }) {
    const client = await connect();
    const progress = createProgress(context, settings);
    const report = await longWork<RecountReport>("/operator/v1/counters/verify", {
      client,
      progress,
    });
    const { stdout, variables } = context;
    if (settings.json) stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else if (!settings.quiet) {
      stdout.write(
        formatDifferences(report, createStyle(stdout, variables)) + formatBasis(report) +
          verdictOn(report),
      );
    }
    return report.agrees ? EXIT.fine : EXIT.failedCheck;
  },
});

function verdictOn({ agrees, exact, differences }: RecountReport): string {
  if (!agrees) return "The counters are wrong; correct them with 'waitlist counters repair'.\n";
  if (exact) return "The counters are right.\n";
  return differences.length === 0
    ? "No counter differs; for an exact verdict, verify when less is going on.\n"
    : "The changed records can account for the differences; verify when less is going on.\n";
}
