import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { rawQuery } from "../../http/raw_path.ts";
import { type DryRun, storeBulkSignUps } from "../../store/bulk_sign_ups.ts";
import type { BulkSignUp, ImportOutcome } from "../../waitlist/bulk_sign_ups.ts";
import { mergeImported, validateImportLine } from "../../waitlist/imported.ts";
import { LINE_FAULTS } from "../line_faults.ts";
import { type CreateOperation, takingLines } from "../operation.ts";
import { BatchWriter } from "../batch_writer.ts";

/**
 * Lines that are stored together: four full commits of a KV file. With 2,000, sign-ups meanwhile wait half
 * as long again.
 */
const WINDOW = 392;

/** Refused lines that an answer spells out. */
const MAX_REFUSALS = 10_000;

/** `importSignups`: takes sign-ups from elsewhere, at constant memory however many they are. */
export const importSignups: CreateOperation = (parts) =>
  takingLines(async (lines, { request }) => {
    const asked = new URLSearchParams(rawQuery(request)).get("dryRun");
    if (asked !== null && asked !== "true" && asked !== "false") {
      return { failure: "invalid_request", message: "The parameter dryRun must be true or false." };
    }
    const dryRun: DryRun | undefined = asked === "true" ? {} : undefined;
    const tally = new Tally();
    await using writer = new BatchWriter<Numbered>(WINDOW, async (items) => {
      const outcomes = await storeBulkSignUps(
        parts,
        items.map(({ bulkSignUp }) => bulkSignUp),
        dryRun,
      );
      for (const [at, { number }] of items.entries()) {
        tally.add(number, outcomes[at] as ImportOutcome);
      }
    });
    for await (const group of lines) {
      for (const line of group) {
        if ("text" in line && line.text.trim() === "") continue;
        const validated = validate(line, parts.now());
        if ("refused" in validated) tally.add(line.number, validated);
        else await writer.add({ number: line.number, bulkSignUp: validated });
      }
    }
    await writer.flush();
    tally.report.refusals.sort((a, b) => a.line - b.line);
    return { json: tally.report };
  });

/** A bulk sign-up, and the line that it came in. */
interface Numbered {
  number: number;
  bulkSignUp: BulkSignUp;
}

function validate(line: Line, now: number): BulkSignUp | { refused: string } {
  if ("fault" in line) return { refused: LINE_FAULTS[line.fault] };
  const verdict = validateImportLine(line.text, now);
  if ("reason" in verdict) return { refused: verdict.reason };
  const { imported } = verdict;
  const at = new Date(now).toISOString();
  return {
    email: imported.email,
    answers: imported,
    merge: (existing) => mergeImported(existing, imported, at),
  };
}

const ERASED = "The address was erased; only its owner can sign it up again.";

/** Counts what becomes of lines. */
class Tally {
  readonly report: ImportReport = { new: 0, merged: 0, unchanged: 0, refused: 0, refusals: [] };

  add(line: number, outcome: ImportOutcome): void {
    if (outcome === "erased") return this.#refuse(line, ERASED);
    if (typeof outcome === "object") return this.#refuse(line, outcome.refused);
    this.report[outcome]++;
  }

  #refuse(line: number, reason: string): void {
    this.report.refused++;
    if (this.report.refusals.length < MAX_REFUSALS) this.report.refusals.push({ line, reason });
  }
}
