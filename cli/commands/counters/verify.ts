import type { RecountReport } from "../../../shared/operator_schemas.ts";
import { defineRecountCommand } from "../../operator/recount_command.ts";

/** `waitlist counters verify`: holds the statistics against a recount. */
export default defineRecountCommand<RecountReport>({
  examples: [
    ["waitlist counters verify", "exit code 1 if a counter is wrong"],
    ["waitlist counters verify --json | jq .differences", "for programs"],
  ],
  path: "/operator/v1/counters/verify",
  verdictOn,
  isFine: (report) => report.agrees,
});

function verdictOn({ agrees, exact, differences }: RecountReport): string {
  if (!agrees) return "The counters are wrong; correct them with 'waitlist counters repair'.\n";
  if (exact) return "The counters are right.\n";
  return differences.length === 0
    ? "No counter differs; for an exact verdict, verify when less is going on.\n"
    : "The changed records can account for the differences; verify when less is going on.\n";
}
