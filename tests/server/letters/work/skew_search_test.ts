import assert from "node:assert/strict";
import { createSkewSearch } from "../../../../server/letters/work/clock_skew.ts";

const SECOND = 1_000;

/** Searches that end only when the test ends them, and a clock that the test sets. */
function withSearches() {
  const clock = { now: 1_000_000, jumped: 0 };
  const searches: { includesClaimed: boolean; end: () => void }[] = [];
  const searchSkewed = createSkewSearch({
    now: () => clock.now + clock.jumped,
    monotonic: () => clock.now,
    rescheduleSkewed({ includesClaimed }) {
      const { promise, resolve } = Promise.withResolvers<number>();
      searches.push({ includesClaimed, end: () => resolve(0) });
      return promise;
    },
  });
  return { clock, searches, searchSkewed };
}

Deno.test("createSkewSearch() shares one search between two calls at the same time, and searches claimed items as well ten minutes later", async () => {
  const { clock, searches, searchSkewed } = withSearches();
  const calls = [searchSkewed(), searchSkewed()];
  for (const { end } of searches) end();
  await Promise.all(calls);
  // Twice the longest attempt to send a letter is less than an hour.
  clock.now += 10 * 60 * SECOND;
  const later = searchSkewed();
  searches.at(-1)!.end();
  await later;
  assert.deepEqual(searches.map(({ includesClaimed }) => includesClaimed), [false, true]);
});

Deno.test("createSkewSearch() starts a new search when the clock was set back during the last search", async () => {
  const { clock, searches, searchSkewed } = withSearches();
  const first = searchSkewed();
  clock.jumped -= 60 * 60 * SECOND;
  assert.equal(await searchSkewed(), false, "a search is running");
  searches[0]!.end();
  await first;
  const second = searchSkewed();
  searches.at(-1)!.end();
  await second;
  assert.deepEqual(searches.map(({ includesClaimed }) => includesClaimed), [false, false]);
});
