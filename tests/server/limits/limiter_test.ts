import assert from "node:assert/strict";
import { LIMITS } from "../../../server/limits/fixed_window.ts";
import { Limiter } from "../../../server/limits/limiter.ts";
import { ipv4Address } from "../../../server/client_address.ts";
import { START } from "../../support/service.ts";

const LIMIT = LIMITS.default;

function createTestLimiter() {
  const clock = { now: START };
  const changes = { count: 0 };
  const limiter = new Limiter({
    limits: Object.values(LIMITS),
    now: () => clock.now,
    hash: ({ low }) => low,
    seed: 1,
    onChange: () => changes.count++,
  });
  return { limiter, clock, changes };
}

Deno.test("Limiter.count() goes on in its window when the clock steps back", () => {
  const { limiter, clock } = createTestLimiter();
  for (let n = 0; n < LIMIT.requests; n++) limiter.count(LIMIT, ipv4Address(1));
  clock.now = START - 60_000;
  assert.equal(limiter.count(LIMIT, ipv4Address(1)).allowed, false);
});

Deno.test("Limiter.count() begins again when the clock jumped an hour ahead and came back", () => {
  const { limiter, clock } = createTestLimiter();
  clock.now = START + 3_600_000;
  for (let n = 0; n < LIMIT.requests; n++) limiter.count(LIMIT, ipv4Address(1));
  clock.now = START;
  assert.equal(limiter.count(LIMIT, ipv4Address(1)).remaining, LIMIT.requests - 1);
  clock.now = START + 60_000;
  assert.equal(limiter.count(LIMIT, ipv4Address(1)).remaining, LIMIT.requests - 1);
});

Deno.test("Limiter.count() tells of a change once when counts differ from what was shared", () => {
  const { limiter, changes } = createTestLimiter();
  limiter.count(LIMIT, ipv4Address(1));
  limiter.count(LIMIT, ipv4Address(1));
  assert.equal(changes.count, 1);
  limiter.share();
  limiter.count(LIMIT, ipv4Address(1));
  assert.equal(changes.count, 2);
});

Deno.test("Limiter.count() changes nothing when it refuses", () => {
  const { limiter, changes } = createTestLimiter();
  for (let n = 0; n < LIMIT.requests; n++) limiter.count(LIMIT, ipv4Address(1));
  const shared = limiter.share();
  changes.count = 0;
  for (let n = 0; n < 100; n++) assert.equal(limiter.count(LIMIT, ipv4Address(1)).allowed, false);
  assert.equal(changes.count, 0);
  assert.deepEqual(limiter.share(), shared);
});

Deno.test("Limiter.learn() takes others' counts of this window and leaves those of another", () => {
  const [one, two] = [createTestLimiter(), createTestLimiter()];
  for (let n = 0; n < LIMIT.requests; n++) one.limiter.count(LIMIT, ipv4Address(1));
  const shared = one.limiter.share();
  two.limiter.learn({ ...shared, window: shared.window - 1 });
  assert.equal(two.limiter.count(LIMIT, ipv4Address(1)).allowed, true);
  two.limiter.learn(shared);
  assert.equal(two.limiter.count(LIMIT, ipv4Address(1)).allowed, false);
  assert.equal(two.limiter.count(LIMITS.sandbox, ipv4Address(1)).allowed, true);
});
