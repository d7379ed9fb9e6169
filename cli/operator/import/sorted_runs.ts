import type { Row } from "./rows.ts";

/** Rows that are sorted together; with their text, about 15 MB. */
const MAX_ROWS = 50_000;

/** Characters that are sorted together. */
const MAX_LENGTH = 10_000_000;

/**
 * Gathers rows into runs that are in the order of their addresses, in which a store writes several times
 * as many in the same time. Rows of one address keep their order, also from run to run.
 */
export async function* inSortedRuns(groups: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let run: Row[] = [];
  let length = 0;
  for await (const group of groups) {
    for (const row of group) {
      run.push(row);
      if ("json" in row) length += row.json.length;
    }
    if (run.length < MAX_ROWS && length < MAX_LENGTH) continue;
    yield sorted(run);
    run = [];
    length = 0;
  }
  if (run.length > 0) yield sorted(run);
}

function sorted(run: Row[]): Row[] {
  return run.sort((a, b) => compare(addressOf(a), addressOf(b)));
}

function addressOf(row: Row): string {
  return "address" in row ? row.address : "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
