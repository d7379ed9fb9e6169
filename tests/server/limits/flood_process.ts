/**
 * A process of its own that counts a flood: prints what the counts hold in memory, in bytes. In the
 * tests' process, other tests' garbage would be part of the figure. @module
 */
import { LIMITS } from "../../../server/limits/limiter.ts";
import { WindowCounts } from "../../../server/limits/window_counts.ts";
import { ipv4Address } from "../../../server/limits/client_address.ts";

declare const gc: () => void;

/** Memory in use, once what nobody refers to is collected; buffers are let go some turns later. */
async function used(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    gc();
    await new Promise((done) => setTimeout(done));
  }
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

const before = await used();
const counts = new WindowCounts(LIMITS.default, { hash: () => 0, seed: 1 });
for (let n = 0; n < 1_000_000; n++) counts.countRequest(ipv4Address(n));
const bytes = await used() - before;
console.log(JSON.stringify({ addresses: counts.size, bytes }));
