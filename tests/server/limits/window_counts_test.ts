import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { ClientAddress } from "../../../server/limits/client_address.ts";
import { WindowCounts } from "../../../server/limits/window_counts.ts";
import { ipv4Address } from "../../../server/limits/client_address.ts";
import { LIMITS } from "../../../server/limits/limiter.ts";

/** The hash of IPv4 address n is n. */
const hash = ({ low }: ClientAddress) => low;
const seed = 1;

const FLOOD_PROCESS = join(import.meta.dirname ?? "", "flood_process.ts");

const LIMIT = LIMITS.default;

/** Raises the floor, and gives the counts above the floor in the order of the hashes. */
function countsAboveFloor(counts: WindowCounts, max: number) {
  counts.raiseFloor(max);
  return counts.countsAboveFloor().toSorted(([one], [other]) => one - other);
}

function add(counts: WindowCounts, address: ClientAddress, times: number) {
  for (let time = 0; time < times; time++) counts.countRequest(address);
}

Deno.test("WindowCounts.countRequest() agrees with a Map when random addresses are added and the smallest counts are removed", () => {
  // Few different words, so that addresses meet in slots; and the table grows several times.
  const word = fc.oneof(fc.nat(80), fc.integer({ min: 0xffffff00, max: 0xffffffff }));
  const address = fc.record({ high: word, low: word });
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(address, { maxLength: 3_000, size: "max" }),
      fc.integer({ min: 1, max: 3_000 }),
      (seed, addresses, maxAddresses) => {
        const counts = new WindowCounts(LIMIT, { hash, seed, maxAddresses });
        const expected = new Map<string, number>();
        for (const address of addresses) {
          const name = `${address.high}:${address.low}`;
          if (!expected.has(name) && expected.size === maxAddresses) {
            for (let largest = 1; expected.size > maxAddresses / 2; largest++) {
              for (const [name, count] of expected) if (count <= largest) expected.delete(name);
            }
          }
          const count = expected.get(name) ?? 0;
          assert.equal(counts.countRequest(address), LIMIT.maxRequests - count);
          expected.set(name, Math.min(count + 1, LIMIT.maxRequests));
          assert.equal(counts.size, expected.size);
        }
        assert.equal(counts.countsAboveFloor().length, expected.size);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("WindowCounts.countsAboveFloor() returns the hash and the count of each address when there is room for all addresses", () => {
  const counts = new WindowCounts(LIMIT, { hash, seed });
  add(counts, ipv4Address(1), 3);
  add(counts, ipv4Address(2), 1);
  assert.deepEqual(countsAboveFloor(counts, 2), [[1, 3], [2, 1]]);
  add(counts, ipv4Address(1), 1);
  assert.deepEqual(countsAboveFloor(counts, 2), [[1, 4], [2, 1]]);
});

Deno.test("WindowCounts.countsAboveFloor() leaves out the addresses with the smallest counts when raiseFloor() allows fewer addresses than there are", () => {
  const counts = new WindowCounts(LIMIT, { hash, seed });
  add(counts, ipv4Address(1), 1);
  add(counts, ipv4Address(2), 2);
  add(counts, ipv4Address(3), 3);
  assert.deepEqual(countsAboveFloor(counts, 2), [[2, 2], [3, 3]]);
  add(counts, ipv4Address(4), 1);
  add(counts, ipv4Address(1), 1);
  assert.deepEqual(
    countsAboveFloor(counts, 3),
    [[1, 2], [2, 2], [3, 3]],
    "the first is above the floor",
  );
});

Deno.test("WindowCounts.countsAboveFloor() hashes an address only once, even if the table of addresses grows between two calls", () => {
  const hashed: ClientAddress[] = [];
  const counts = new WindowCounts(LIMIT, { hash: (address) => hashed.push(address), seed });
  add(counts, ipv4Address(1), 2);
  counts.raiseFloor(10);
  counts.countsAboveFloor();
  for (let n = 2; n < 3_000; n++) counts.countRequest(ipv4Address(n));
  counts.raiseFloor(10);
  assert.deepEqual(counts.countsAboveFloor(), [[1, 2]]);
  assert.deepEqual(hashed, [ipv4Address(1)]);
});

Deno.test("WindowCounts.countRequest() adds the counts of other processes, both for known and for new addresses", () => {
  const counts = new WindowCounts(LIMIT, { hash, seed });
  add(counts, ipv4Address(1), 2);
  counts.sumsOfOthers = new Map([[1, 5], [2, 7]]);
  const left = [1, 2, 3].map((n) => counts.countRequest(ipv4Address(n)));
  assert.deepEqual(left, [23, 23, 30]);
});

Deno.test("WindowCounts.countRequest() keeps at most maxAddresses addresses, and forgets no address that has reached the request limit", () => {
  const maxAddresses = 50_000;
  const counts = new WindowCounts(LIMIT, { hash, seed, maxAddresses });
  const atLimit = Array.from({ length: 1_000 }, (_, n) => ipv4Address(2 ** 32 - 1 - n));
  for (const address of atLimit) add(counts, address, LIMIT.maxRequests);
  let largest = 0;
  for (let n = 0; n < 1_000_000; n++) {
    counts.countRequest(ipv4Address(n));
    largest = Math.max(largest, counts.size);
  }
  assert.equal(largest, maxAddresses);
  for (const address of atLimit) assert.equal(counts.countRequest(address), 0);
});

// A Map of as many addresses holds more than 60 MB.
Deno.test("WindowCounts holds less than 40 MB when a million addresses call", async () => {
  // Gathering coverage takes memory too.
  const { DENO_COVERAGE_DIR: _, ...env } = Deno.env.toObject();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--v8-flags=--expose-gc", FLOOD_PROCESS],
    clearEnv: true,
    env,
    stderr: "inherit",
  }).output();
  assert.ok(success);
  const { addresses, bytes } = JSON.parse(new TextDecoder().decode(stdout));
  assert.ok(addresses >= 250_000, `${addresses} addresses`);
  assert.ok(bytes < 40_000_000, `${bytes} bytes`);
});
