import type { RepairReport } from "../../../shared/operator_schemas.ts";
import { defineRecountCommand } from "../../operator/recount_command.ts";

/** `waitlist counters repair`: corrects the statistics by a recount. */
export default defineRecountCommand<RepairReport>({
  examples: [
    ["waitlist counters repair", "sign-ups may go on meanwhile"],
    ["waitlist counters repair --json", "for programs"],
  ],
  path: "/operator/v1/counters/repair",
  verdictOn,
  isFine: (report) => report.repaired,
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
