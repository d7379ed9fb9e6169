import assert from "node:assert/strict";
import fc from "fast-check";
import { ipv4Address } from "../../../server/limits/client_address.ts";
import { type CountRequest, Limiter, LIMITS } from "../../../server/limits/limiter.ts";
import { START } from "../../support/service.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const ADDRESS = ipv4Address(1);

/** A limiter whose clock the test moves, and how often it told of a change. */
function createTestLimiter(now = START) {
  const clock = { now };
  const changes = { count: 0 };
  const limiter = new Limiter({
    now: () => clock.now,
    hash: ({ low }) => low,
    seed: 1,
    onChange: () => changes.count++,
  });
  const countRequest: CountRequest = (limit, address) => limiter.countRequest(limit, address);
  return { limiter, countRequest, clock, changes };
}

// Whole seconds, 1 to 60; a client that waits for them meets a new window.
// Clauses: RateLimit draft RateLimit-Reset.
Deno.test("Limiter.countRequest() returns in 'reset' the number of whole seconds until the window ends", async (t) => {
  const cases: [milliseconds: number, reset: number][] = [
    [0, 60],
    [1, 60],
    [999, 60],
    [1_000, 59],
    [20_000, 40],
    [58_999, 2],
    [59_000, 1],
    [59_999, 1],
  ];
  for (const [milliseconds, reset] of cases) {
    await t.step(`${milliseconds} ms of the window have passed`, () => {
      const allowance = createTestLimiter(NOON + milliseconds).countRequest(
        LIMITS.default,
        ADDRESS,
      );
      assert.equal(allowance.reset, reset);
    });
  }
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (now) => {
    const { reset } = createTestLimiter(now).countRequest(LIMITS.default, ADDRESS);
    assert.ok(Number.isInteger(reset) && reset >= 1 && reset <= 60, `${reset}`);
    const minute = (moment: number) => Math.floor(moment / 60_000);
    assert.equal(minute(now + reset * 1000), minute(now) + 1);
    assert.equal(minute(now + (reset - 1) * 1000), minute(now));
  }));
});

const LIMIT = LIMITS.default;

Deno.test("Limiter.countRequest() keeps counting in the same window when the clock is set back by a minute", () => {
  const { limiter, clock } = createTestLimiter();
  for (let n = 0; n < LIMIT.maxRequests; n++) limiter.countRequest(LIMIT, ipv4Address(1));
  clock.now = START - 60_000;
  assert.equal(limiter.countRequest(LIMIT, ipv4Address(1)).allowed, false);
});

Deno.test("Limiter.countRequest() counts in the present window when a clock that was an hour fast is set back", () => {
  const { limiter, clock } = createTestLimiter();
  clock.now = START + 3_600_000;
  for (let n = 0; n < LIMIT.maxRequests; n++) limiter.countRequest(LIMIT, ipv4Address(1));
  clock.now = START;
  assert.equal(limiter.countRequest(LIMIT, ipv4Address(1)).remaining, LIMIT.maxRequests - 1);
  clock.now = START + 60_000;
  assert.equal(limiter.countRequest(LIMIT, ipv4Address(1)).remaining, LIMIT.maxRequests - 1);
});

Deno.test("Limiter.countRequest() calls onChange only for the first change after the counts were shared", () => {
  const { limiter, changes } = createTestLimiter();
  limiter.countRequest(LIMIT, ipv4Address(1));
  limiter.countRequest(LIMIT, ipv4Address(1));
  assert.equal(changes.count, 1);
  limiter.share();
  limiter.countRequest(LIMIT, ipv4Address(1));
  assert.equal(changes.count, 2);
});

Deno.test("Limiter.countRequest() changes no count when it refuses a request", () => {
  const { limiter, changes } = createTestLimiter();
  for (let n = 0; n < LIMIT.maxRequests; n++) limiter.countRequest(LIMIT, ipv4Address(1));
  const shared = limiter.share();
  changes.count = 0;
  for (let n = 0; n < 100; n++) {
    assert.equal(limiter.countRequest(LIMIT, ipv4Address(1)).allowed, false);
  }
  assert.equal(changes.count, 0);
  assert.deepEqual(limiter.share(), shared);
});

Deno.test("Limiter.learn() adds other processes' counts of the current window, and ignores counts of another window", () => {
  const [one, two] = [createTestLimiter(), createTestLimiter()];
  for (let n = 0; n < LIMIT.maxRequests; n++) one.limiter.countRequest(LIMIT, ipv4Address(1));
  const shared = one.limiter.share();
  two.limiter.learn({ ...shared, window: shared.window - 1 });
  assert.equal(two.limiter.countRequest(LIMIT, ipv4Address(1)).allowed, true);
  two.limiter.learn(shared);
  assert.equal(two.limiter.countRequest(LIMIT, ipv4Address(1)).allowed, false);
  assert.equal(two.limiter.countRequest(LIMITS.sandbox, ipv4Address(1)).allowed, true);
});
