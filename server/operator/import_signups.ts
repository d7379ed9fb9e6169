/** The operation that stores sign-ups from another system. @module */
import { z } from "zod";
import type { Line } from "../../shared/lines.ts";
import type { AuditEntry, ImportReport } from "../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../runtime/mod.ts";
import { type AuditStore, writeCompletion } from "../store/audit/mod.ts";
import type { BulkOptions, PeopleStore } from "../store/people/mod.ts";
import {
  type BulkOutcome,
  type BulkSignUp,
  createAnswerFinder,
  createRecordIds,
  type FindAnswer,
  mergeImported,
  type OfferedAnswers,
  validateImportLine,
} from "../waitlist/mod.ts";
import { flagParameterSchema, wholeNumberParameterSchema } from "./fields.ts";
import { LINE_FAULT_MESSAGES, readBatches } from "./line_batches.ts";
import type { Operations } from "./operation.ts";

/** How many refusals the report lists at most. */
const MAX_REFUSALS = 10_000;

/** Why the line of an erased address is refused. */
const ERASED_REASON =
  "The address was erased, and the consent (consentedAt) is older; only its owner can sign it up again.";

/** How many rows of its file a caller may report as unread in one call. */
const MAX_UNREAD = 999_999;

const parametersSchema = z.object({
  dryRun: flagParameterSchema.exactOptional(),
  unread: wholeNumberParameterSchema(MAX_UNREAD).exactOptional(),
});

interface ImportNeeds
  extends
    Pick<PeopleStore, "storeBulkSignUps" | "resolveReferrals">,
    Pick<AuditStore, "writeAuditEntry">,
    Pick<Runtime, "now" | "random"> {
  /**
   * The answers that people can choose. An import accepts the name of an answer in place of the stored value (the
   * slug).
   */
  answers: OfferedAnswers | undefined;
  yieldToCalls: YieldToCalls;
}

/** Makes the operation of the import. Its use of memory does not grow with the number of sign-ups. */
export function importOperations(needs: ImportNeeds): Pick<Operations, "importSignups"> {
  return {
    importSignups: {
      query: parametersSchema,
      act({ lines, dryRun: isDryRun, unread }, call) {
        // In a dry run, the store needs this object, in which it keeps what earlier batches would have stored.
        const dryRun = isDryRun ? {} : undefined;
        return importLines(lines, needs, { dryRun, unread, entry: call.auditEntry() });
      },
    },
  };
}

/**
 * Stores the sign-ups of all lines, batch by batch. Refused lines do not end the import; the report lists them.
 * @param options.unread how many rows the caller could not read; the audit entry counts them as refused
 */
async function importLines(
  lines: AsyncIterable<Line[]>,
  { storeBulkSignUps, resolveReferrals, writeAuditEntry, answers, yieldToCalls, now, random }:
    ImportNeeds,
  { dryRun, unread = 0, entry }: Pick<BulkOptions, "dryRun"> & {
    unread: number | undefined;
    entry: AuditEntry;
  },
): Promise<ImportReport> {
  const { counts, countRefusal, countOutcome, makeReport } = createTally();
  const auditedCounts = () => ({ ...counts, refused: counts.refused + unread });
  entry.details = auditedCounts();
  const nextId = createRecordIds(random);
  const findAnswer = createAnswerFinder(answers);
  /** Reads the sign-up of a line; gives `undefined` for an empty line, and for a refused line, which is counted. */
  const readLineOrCountRefusal = (line: Line) => {
    if ("text" in line && line.text.trim() === "") return undefined;
    const { operator } = entry;
    const bulkSignUp = readBulkSignUp(line, { now: now(), id: nextId(), operator, findAnswer });
    if (!("reasons" in bulkSignUp)) return { lineNumber: line.number, bulkSignUp };
    countRefusal(line.number, bulkSignUp.reasons);
    return undefined;
  };
  for await (const batch of readBatches(lines, { toItem: readLineOrCountRefusal, yieldToCalls })) {
    const bulkSignUps = batch.map(({ bulkSignUp }) => bulkSignUp);
    const outcomes = await storeBulkSignUps(bulkSignUps, { dryRun, audit: entry });
    for (const [index, { lineNumber }] of batch.entries()) {
      countOutcome(lineNumber, outcomes[index]!);
    }
    entry.details = auditedCounts();
  }
  if (!dryRun) await resolveReferrals();
  const hasChanged = counts.new + counts.merged > 0;
  // A call without lines reports unread rows of an import whose earlier calls have changed people.
  const onlyReports = !hasChanged && counts.unchanged + counts.refused === 0 && unread > 0;
  if (!dryRun && (hasChanged || onlyReports)) await writeCompletion(writeAuditEntry, entry);
  return makeReport();
}

/** Makes the functions that count the outcomes of lines, and that list refused lines for the report. */
function createTally() {
  const counts = { new: 0, merged: 0, unchanged: 0, refused: 0 };
  const refusals: ImportReport["refusals"] = [];

  function countRefusal(line: number, reasons: string[]): void {
    counts.refused++;
    const room = MAX_REFUSALS - refusals.length;
    refusals.push(...reasons.slice(0, room).map((reason) => ({ line, reason })));
  }

  function countOutcome(line: number, outcome: BulkOutcome): void {
    if (outcome === "staysErased") countRefusal(line, [ERASED_REASON]);
    else if (typeof outcome === "object") countRefusal(line, [outcome.refused]);
    else counts[outcome]++;
  }

  function makeReport(): ImportReport {
    // The refusals are sorted, because the lines of the next batch are read, and may be refused, before the outcomes of
    // the present batch are known.
    return { ...counts, refusals: refusals.toSorted((a, b) => a.line - b.line) };
  }

  return { counts, countRefusal, countOutcome, makeReport };
}

/** Reads the sign-up of a line; gives the reasons if the line is refused. */
function readBulkSignUp(
  line: Line,
  { now, id, operator, findAnswer }: {
    now: number;
    id: string;
    operator: string | undefined;
    findAnswer: FindAnswer;
  },
): BulkSignUp | { reasons: string[] } {
  if ("fault" in line) return { reasons: [LINE_FAULT_MESSAGES[line.fault]] };
  const validated = validateImportLine(line.text, now, findAnswer);
  if ("reasons" in validated) return validated;
  const { imported } = validated;
  const at = new Date(now).toISOString();
  return {
    email: imported.email,
    answers: imported,
    consentedAt: imported.consentedAt,
    merge: (existing) => mergeImported(existing, imported, { at, id, operator }),
  };
}
