/**
 * Sorts the rows of an import by address, in runs of limited size. The store writes sorted rows several times as fast
 * as unsorted rows.
 *
 * @module
 */
import type { RefusedRow, Row } from "./rows.ts";

/** How many bytes of JSON a run has at most. This is the JSON of some 25,000 rows. */
const MAX_BYTES = 4_000_000;

/**
 * How many refused rows a run has at most, so that a file with many refused rows needs no more memory than another
 * file.
 */
const MAX_REFUSED = 10_000;

/** How many bytes of UTF-8 a UTF-16 code unit needs at most. */
const BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Gathers rows into sorted runs. Rows with the same address stay in the order of the file.
 *
 * @param pause is called and awaited after each group of rows, so that other work on the same computer goes on meanwhile
 */
export async function* inSortedRuns(
  groups: AsyncIterable<Row[]>,
  pause: () => Promise<void>,
): AsyncGenerator<Run> {
  let run = new Run();
  for await (const group of groups) {
    for (const row of group) {
      if (run.add(row)) continue;
      yield run;
      run = new Run();
      // An empty run has room for every row, because even the longest line of a file (64 KB) makes JSON that is much
      // shorter than `MAX_BYTES`.
      run.add(row);
    }
    await pause();
  }
  yield run;
}

/**
 * Rows that are sorted together, and refused rows. JSON is stored as bytes, because the garbage collector would free
 * strings much later than bytes.
 */
export class Run {
  readonly refused: RefusedRow[] = [];
  readonly #bytes = new Uint8Array(MAX_BYTES);
  readonly #addresses: string[] = [];
  readonly #numbers: number[] = [];
  /**
   * The position of each row's JSON in `#bytes`. The last element is the position for the row that will be added next.
   */
  readonly #starts = [0];

  /** Adds a row. Returns `false` if the run has no room for it. */
  add(row: Row): boolean {
    if ("reason" in row) {
      if (this.refused.length === MAX_REFUSED) return false;
      this.refused.push(row);
      return true;
    }
    const start = this.#starts.at(-1) ?? 0;
    if (MAX_BYTES - start < row.json.length * BYTES_PER_UNIT) return false;
    const { written } = encoder.encodeInto(row.json, this.#bytes.subarray(start));
    this.#starts.push(start + written);
    this.#addresses.push(row.address);
    this.#numbers.push(row.number);
    return true;
  }

  /** Yields the rows sorted by address. */
  *[Symbol.iterator](): Generator<{ number: number; json: string }> {
    const order = Uint32Array.from(this.#addresses.keys());
    order.sort((a, b) => compare(this.#addresses[a]!, this.#addresses[b]!) || a - b);
    for (const index of order) {
      const json = decoder.decode(
        this.#bytes.subarray(this.#starts[index], this.#starts[index + 1]),
      );
      yield { number: this.#numbers[index]!, json };
    }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
