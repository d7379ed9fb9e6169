import { setTimeout as delay } from "node:timers/promises";
import type { RefusedRow, Row } from "./import/rows.ts";

/** Bytes of JSON that are sorted together: some 25,000 rows. */
const MAX_BYTES = 4_000_000;

/** Refused rows in a run at the most, so that a file of nothing else takes no more memory. */
const MAX_REFUSED = 10_000;

/** The most UTF-8 bytes that a UTF-16 code unit takes. */
const BYTES_PER_UNIT = 3;

/**
 * How long to rest after each group of rows, in milliseconds. The command sorts the next run while the
 * service stores the last one, and must leave it time on the processor.
 */
const REST_MS = 4;

/**
 * Gathers rows into runs, each sorted by address, as a store writes sorted rows several times as fast.
 * Rows of one address keep their order, also from run to run.
 */
export async function* inSortedRuns(groups: AsyncIterable<Row[]>): AsyncGenerator<Run> {
  let run = new Run();
  for await (const group of groups) {
    for (const row of group) {
      if (run.add(row)) continue;
      yield run;
      run = new Run();
      run.add(row);
    }
    await delay(REST_MS);
  }
  yield run;
}

/**
 * Rows that are sorted together, and refused rows. JSON is kept as bytes, because strings that live as
 * long as a run would stay in memory for many more runs.
 */
export class Run {
  readonly refused: RefusedRow[] = [];
  readonly #bytes = new Uint8Array(MAX_BYTES);
  readonly #addresses: string[] = [];
  readonly #numbers: number[] = [];
  /** Where the JSON of each row begins; the last element is where the next row will begin. */
  readonly #starts = [0];

  /** Adds a row; `false` where there is no room for it. */
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

  /** The rows in the order of their addresses. */
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
