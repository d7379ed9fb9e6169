import type { Kv } from "../../server/store/kv/engine.ts";
import { createCountsReader } from "../../server/store/people/statistics.ts";
import type { Counts } from "../../server/waitlist/statistics.ts";

/** Reads the counts of the statistics at a moment. */
export function readCounts(kv: Kv, now: number): Promise<Counts> {
  const clocks = { now: () => now, monotonic: () => 0 };
  return createCountsReader(kv, (counts) => counts, clocks)();
}
