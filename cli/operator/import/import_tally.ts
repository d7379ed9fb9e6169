import type { ImportReport, Refusal } from "../../../shared/operator_schemas.ts";

/** Refused lines that a summary has; more are counted. */
const MAX_REFUSALS = 10_000;

/** Sums up what becomes of an import's lines. */
export class ImportTally {
  readonly total: ImportReport = { new: 0, merged: 0, unchanged: 0, refused: 0, refusals: [] };
  #refusals: Refusal[] = [];

  /** The lines that were taken so far. */
  get taken(): number {
    return this.total.new + this.total.merged + this.total.unchanged;
  }

  /** Adds an answer of the service, whose lines have other numbers in the file. */
  add(report: ImportReport, numbers: number[]): void {
    for (const key of ["new", "merged", "unchanged", "refused"] as const) {
      this.total[key] += report[key];
    }
    for (const { line, reason } of report.refusals) {
      this.#refusals.push({ line: numbers[line - 1] ?? line, reason });
    }
  }

  /** Counts a line that is not even sent. */
  refuse(line: number, reason: string): void {
    this.total.refused++;
    this.#refusals.push({ line, reason });
  }

  /** The refused lines since the last call, in their order. */
  takeRefusals(): Refusal[] {
    const refusals = this.#refusals.sort((a, b) => a.line - b.line);
    this.#refusals = [];
    return refusals;
  }

  /** Keeps refused lines for the summary, as far as there is room. */
  keep(refusals: Refusal[]): void {
    const room = MAX_REFUSALS - this.total.refusals.length;
    this.total.refusals.push(...refusals.slice(0, Math.max(0, room)));
  }
}
