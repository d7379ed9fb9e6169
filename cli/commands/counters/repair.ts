import type { RepairReport } from "../../../shared/operator_schemas.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { longWork } from "../../operator/long_work.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatBasis, formatDifferences } from "../../operator/recount_text.ts";
import { createStyle } from "../../output/style.ts";

/** `waitlist counters repair`: corrects the statistics by a recount. */
export default defineOperatorCommand({
  examples: [
    ["waitlist counters repair", "sign-ups may go on meanwhile"],
    ["waitlist counters repair --json", "for programs"],
  ],
  parse: () => undefined,
  async run(_options, { settings, context, connect }) {
    const client = await connect();
    const progress = createProgress(context, settings);
    const report = await longWork<RepairReport>("/operator/v1/counters/repair", {
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
    return report.repaired ? EXIT.fine : EXIT.failedCheck;
  },
});

function verdictOn({ repaired, recounts, differences }: RepairReport): string {
  if (!repaired) {
    return `Nothing was corrected: records changed during each of ${recounts} recounts. ` +
      "Run it again when less is going on.\n";
  }
  if (differences.length === 0) return "The counters were right.\n";
  const counters = differences.length === 1 ? "counter" : "counters";
  return `Corrected ${differences.length} ${counters}.\n`;
}
