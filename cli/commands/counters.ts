/**
 * `waitlist counters`: lets the service recount its records, and shows the counters that differ.
 *
 * @module
 */
import type { RecountReport, RepairReport } from "../../shared/operator_schemas.ts";
import { defineCommand, parseNoOptions, type RunnableCommand } from "../command.ts";
import { EXIT } from "../errors.ts";
import { formatNumber, plural } from "../format.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";
import { createProgress } from "../operator/progress.ts";
import { runLongWork, type WorkTools } from "../operator/run_long_work.ts";
import { formatDifferences, formatUnreadableWithAdvice } from "../operator/records_text.ts";

const verify = defineRecount<RecountReport>({
  examples: [
    ["waitlist counters verify", "exit code 1 if a counter is wrong"],
    ["waitlist counters verify --json | jq .differences", "for programs"],
  ],
  recount: (tools) => runLongWork("verifyCounters", { body: {} }, tools),
  isFine: ({ agrees }) => agrees,
  formatVerdict: formatVerifyVerdict,
});

const repair = defineRecount<RepairReport>({
  examples: [
    ["waitlist counters repair", "people can sign up meanwhile"],
    ["waitlist counters repair --json", "for programs"],
  ],
  recount: (tools) => runLongWork("repairCounters", { body: {} }, tools),
  isFine: ({ repaired }) => repaired,
  formatVerdict: formatRepairVerdict,
});

/** What differs between the commands `counters verify` and `counters repair`. */
interface RecountDefinition<Report> extends Pick<RunnableCommand, "examples"> {
  /** Lets the service recount its records. */
  recount: (tools: Pick<WorkTools, "client" | "progress">) => Promise<Report>;
  /** Whether the counters are right in the end. */
  isFine: (report: Report) => boolean;
  /** Says whether the counters are right, or what was corrected. */
  formatVerdict: (report: Report) => string;
}

/**
 * Makes a command that lets the service recount its records. The command prints the differences, the number of records,
 * the verdict, and the unreadable records.
 */
function defineRecount<Report extends RecountReport>(
  { examples, recount, isFine, formatVerdict }: RecountDefinition<Report>,
): RunnableCommand {
  return defineCommand({
    access: OPERATOR_ACCESS,
    resumeAdvice: "to go on, run the same command again; it counts anew",
    examples,
    parse: parseNoOptions,
    async run(_options, { context, settings, connect, print }) {
      const client = await connect();
      using progress = createProgress(context, settings);
      const report = await recount({ client, progress });
      return print({
        json: report,
        text: (style) =>
          formatDifferences(report, style) + formatBasis(report) + formatListFaults(report) +
          formatVerdict(report) + formatUnreadableWithAdvice(report.unreadable),
        exitCode: isFine(report) && report.unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck,
      });
    },
  });
}

/** What to do after a recount that is not exact. */
const VERIFY_AGAIN = "For an exact result, run the command again when fewer records change.\n";

/** Says whether the counters are right, with the next step if they may be wrong. */
function formatVerifyVerdict({ agrees, exact, differences, lists }: RecountReport): string {
  if (hasFaults(lists)) {
    return "Some indexes do not agree with the records of people, so lists and searches can miss people; correct the indexes with 'waitlist counters repair'.\n";
  }
  if (!agrees) {
    return "The counters are wrong; correct the counters with 'waitlist counters repair'.\n";
  }
  if (exact) return "The counters are right.\n";
  return differences.length === 0
    ? "All counters agree with the records, but records changed during the recount. " + VERIFY_AGAIN
    : "Some counters differ from the records, but the records that changed during the recount can explain the difference. " +
      VERIFY_AGAIN;
}

/** Says what a repair has corrected. */
function formatRepairVerdict(report: RepairReport): string {
  return (hasFaults(report.lists) ? "Corrected the indexes of lists and searches.\n" : "") +
    formatRepairedCounters(report);
}

/** Says which counters a repair has corrected. */
function formatRepairedCounters({ repaired, recounts, differences }: RepairReport): string {
  if (!repaired) {
    return `No counter was corrected, because records changed during each of the ${recounts} recounts. ` +
      "Run 'waitlist counters repair' again when fewer records change.\n";
  }
  if (differences.length === 0) return "The counters were right.\n";
  return `Corrected ${plural(differences.length, "counter", "counters")}.\n`;
}

/** Whether the lists of people have faults. */
function hasFaults({ missing, surplus }: RecountReport["lists"]): boolean {
  return missing > 0 || surplus > 0;
}

/** Formats the faults of the lists of people that the service stores beside the records; empty if there are none. */
function formatListFaults({ lists }: RecountReport): string {
  if (!hasFaults(lists)) return "";
  const missing = plural(
    lists.missing,
    "person lacks a state, or an entry in the indexes of lists and searches",
    "people lack a state, or an entry in the indexes of lists and searches",
  );
  const surplus = plural(
    lists.surplus,
    "entry of these indexes belongs to no person",
    "entries of these indexes belong to no person",
  );
  return `${missing}; ${surplus}.\n`;
}

/** Formats the basis of the recount: how many records there are, and how many changed during the recount. */
function formatBasis({ records, changed, exact }: RecountReport): string {
  const recounted = `Recounted ${plural(records, "record", "records")}`;
  if (changed === 0) return `${recounted}; none changed meanwhile.\n`;
  const meanwhile = `${formatNumber(changed)} changed meanwhile`;
  return exact
    ? `${recounted}; ${meanwhile}, which the recount takes into account.\n`
    : `${recounted}; ${meanwhile}.\n`;
}

export default { verify, repair };
