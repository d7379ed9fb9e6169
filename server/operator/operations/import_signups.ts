import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { rawQuery } from "../../http/raw_path.ts";
import { type Rehearsal, storeArrivals } from "../../store/arrivals.ts";
import type { Arrival, Fate } from "../../waitlist/arrivals.ts";
import { judgeImportLine, mergeImported } from "../../waitlist/imported.ts";
import { LINE_FAULTS } from "../line_faults.ts";
import { type CreateOperation, takingLines } from "../operation.ts";
import { Windows } from "../windows.ts";

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
    const dryRun = new URLSearchParams(rawQuery(request)).get("dryRun");
    if (dryRun !== null && dryRun !== "true" && dryRun !== "false") {
      return { failure: "invalid_request", message: "The parameter dryRun must be true or false." };
    }
    const rehearsal: Rehearsal | undefined = dryRun === "true" ? {} : undefined;
    const tally = new Tally();
    await using windows = new Windows<Numbered>(WINDOW, async (items) => {
      const fates = await storeArrivals(parts, items.map(({ arrival }) => arrival), rehearsal);
      for (const [at, { number }] of items.entries()) tally.add(number, fates[at] as Fate);
    });
    for await (const group of lines) {
      for (const line of group) {
        if ("text" in line && line.text.trim() === "") continue;
        const judged = judge(line, parts.now());
        if ("refused" in judged) tally.add(line.number, judged);
        else await windows.add({ number: line.number, arrival: judged });
      }
    }
    await windows.flush();
    tally.report.refusals.sort((a, b) => a.line - b.line);
    return { json: tally.report };
  });

/** An arrival, and the line that it came in. */
interface Numbered {
  number: number;
  arrival: Arrival;
}

function judge(line: Line, now: number): Arrival | { refused: string } {
  if ("fault" in line) return { refused: LINE_FAULTS[line.fault] };
  const verdict = judgeImportLine(line.text, now);
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

  add(line: number, fate: Fate): void {
    if (fate === "erased") return this.#refuse(line, ERASED);
    if (typeof fate === "object") return this.#refuse(line, fate.refused);
    this.report[fate]++;
  }

  #refuse(line: number, reason: string): void {
    this.report.refused++;
    if (this.report.refusals.length < MAX_REFUSALS) this.report.refusals.push({ line, reason });
  }
}
