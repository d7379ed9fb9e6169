import assert from "node:assert/strict";
import fc from "fast-check";
import { type CountRequest, LIMITS } from "../../../server/limits/fixed_window.ts";
import { Limiter } from "../../../server/limits/limiter.ts";
import { ipv4Address } from "../../../server/client_address.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const SOURCE = ipv4Address(1);

function createLimiter(now: () => number): CountRequest {
  const limiter = new Limiter({
    limits: Object.values(LIMITS),
    now,
    hash: () => 0,
    seed: 1,
    onChange: () => {},
  });
  return (limit, address) => limiter.count(limit, address);
}

// Contract and decisions, "Limits".
Deno.test("LIMITS are the contract's requests per minute", () => {
  assert.equal(LIMITS.status.requests, 120);
  assert.equal(LIMITS.sandbox.requests, 120);
  assert.equal(LIMITS.default.requests, 30);
  assert.equal(LIMITS.operator.requests, 600);
  assert.equal(LIMITS.pages.requests, 1_200);
});

Deno.test("Limiter.count() allows as many requests as the limit and refuses the next", () => {
  for (const limit of Object.values(LIMITS)) {
    const countRequest = createLimiter(() => NOON);
    for (let remaining = limit.requests - 1; remaining >= 0; remaining--) {
      const allowance = countRequest(limit, SOURCE);
      assert.deepEqual(allowance, { allowed: true, limit, remaining, reset: 60 });
    }
    for (let refused = 0; refused < 3; refused++) {
      const allowance = countRequest(limit, SOURCE);
      assert.deepEqual(allowance, { allowed: false, limit, remaining: 0, reset: 60 });
    }
  }
});

// Decisions, "Limits": each has a window of its own per address address.
Deno.test("Limiter.count() counts each limit and each address by itself", () => {
  const countRequest = createLimiter(() => NOON);
  for (let i = 0; i < 31; i++) countRequest(LIMITS.default, SOURCE);
  assert.equal(countRequest(LIMITS.default, SOURCE).allowed, false);
  assert.equal(countRequest(LIMITS.default, ipv4Address(2)).remaining, 29);
  assert.equal(countRequest(LIMITS.status, SOURCE).remaining, 119);
  assert.equal(countRequest(LIMITS.sandbox, SOURCE).remaining, 119);
});

// Decisions, "Limits": windows of 60 seconds, aligned to the clock's minute.
Deno.test("Limiter.count() starts a new window with the clock's minute", () => {
  const clock = { now: NOON + 59_999 };
  const countRequest = createLimiter(() => clock.now);
  for (let i = 0; i < 31; i++) countRequest(LIMITS.default, SOURCE);
  assert.equal(countRequest(LIMITS.default, SOURCE).allowed, false);
  clock.now = NOON + 60_000;
  const { allowed, remaining, reset } = countRequest(LIMITS.default, SOURCE);
  assert.deepEqual({ allowed, remaining, reset }, { allowed: true, remaining: 29, reset: 60 });
});

// Decisions, "Limits": whole seconds, 1 to 60; a client that waits for them meets a new window.
Deno.test("Limiter.count() names the whole seconds until the window ends", () => {
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
    const allowance = createLimiter(() => NOON + milliseconds)(LIMITS.default, SOURCE);
    assert.equal(allowance.reset, reset, `${milliseconds} ms`);
  }
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (now) => {
    const { reset } = createLimiter(() => now)(LIMITS.default, SOURCE);
    assert.ok(Number.isInteger(reset) && reset >= 1 && reset <= 60, `${reset}`);
    const minute = (moment: number) => Math.floor(moment / 60_000);
    assert.equal(minute(now + reset * 1000), minute(now) + 1);
    assert.equal(minute(now + (reset - 1) * 1000), minute(now));
  }));
});
