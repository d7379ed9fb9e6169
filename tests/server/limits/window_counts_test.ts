import assert from "node:assert/strict";
import { LIMITS } from "../../../server/limits/fixed_window.ts";
import { WindowCounts } from "../../../server/limits/window_counts.ts";

/** Names sources `s<n>`, whose hash is n. */
const hash = (source: string) => Number(source.slice(1));

function add(counts: WindowCounts, source: string, times: number) {
  for (let time = 0; time < times; time++) counts.take(source);
}

Deno.test("WindowCounts.take() counts up to the limit, with what others have counted", () => {
  const counts = new WindowCounts(LIMITS.default, { hash });
  assert.equal(counts.take("s1"), 30);
  assert.equal(counts.take("s1"), 29);
  counts.others = new Map([[1, 27]]);
  assert.equal(counts.take("s1"), 1);
  assert.equal(counts.take("s1"), 0);
  assert.equal(counts.count("s1"), 30);
});

Deno.test("WindowCounts.shared() gives hashes and counts of all sources when they fit", () => {
  const counts = new WindowCounts(LIMITS.default, { hash });
  add(counts, "s1", 3);
  add(counts, "s2", 1);
  assert.deepEqual(counts.shared(2), [[1, 3], [2, 1]]);
  add(counts, "s1", 1);
  assert.deepEqual(counts.shared(2), [[1, 4], [2, 1]]);
});

Deno.test("WindowCounts.shared() leaves the smallest counts out when not all fit", () => {
  const counts = new WindowCounts(LIMITS.default, { hash });
  add(counts, "s1", 1);
  add(counts, "s2", 2);
  add(counts, "s3", 3);
  assert.deepEqual(counts.shared(2), [[2, 2], [3, 3]]);
  assert.equal(counts.floor, 1);
  add(counts, "s4", 1);
  add(counts, "s1", 1);
  assert.deepEqual(counts.shared(3), [[2, 2], [3, 3], [1, 2]], "s1 has passed the floor");
});

Deno.test("WindowCounts.shared() hashes a source once when it is shared again and again", () => {
  let hashed = 0;
  const counts = new WindowCounts(LIMITS.default, { hash: () => ++hashed });
  add(counts, "s1", 2);
  counts.shared(10);
  counts.shared(10);
  assert.equal(hashed, 1);
});

Deno.test("WindowCounts.count() adds what others have counted when there are others", () => {
  const counts = new WindowCounts(LIMITS.default, { hash });
  add(counts, "s1", 2);
  counts.others = new Map([[1, 5], [2, 7]]);
  assert.equal(counts.count("s1"), 7);
  assert.equal(counts.count("s2"), 7);
  assert.equal(counts.count("s3"), 0);
});

Deno.test("WindowCounts.take() forgets the smallest counts first when there are too many sources", () => {
  const counts = new WindowCounts(LIMITS.default, { hash, maxSources: 100 });
  add(counts, "s1", LIMITS.default.requests);
  add(counts, "s2", 2);
  for (let n = 3; n < 1_000; n++) counts.take(`s${n}`);
  assert.equal(counts.count("s1"), LIMITS.default.requests);
  assert.equal(counts.count("s2"), 2);
  assert.ok(counts.size <= 100, `${counts.size} sources`);
  assert.deepEqual(counts.shared(2), [[1, LIMITS.default.requests], [2, 2]]);
});

Deno.test("WindowCounts stays small and keeps who is over the limit when a million addresses call", () => {
  const counts = new WindowCounts(LIMITS.default, { hash: () => 0 });
  add(counts, "198.51.100.7", LIMITS.default.requests);
  const before = Deno.memoryUsage().rss;
  for (let n = 0; n < 1_000_000; n++) {
    counts.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  }
  const megabytes = (Deno.memoryUsage().rss - before) / 1e6;
  assert.equal(counts.count("198.51.100.7"), LIMITS.default.requests);
  assert.ok(megabytes < 300, `${megabytes} MB`);
});
