import assert from "node:assert/strict";
import { ipv4Address } from "../../../../server/limits/client_address.ts";
import type { SharedCounts } from "../../../../server/limits/limiter.ts";
import { Limiter, LIMITS, WINDOW_SECONDS } from "../../../../server/limits/limiter.ts";

/** Processes that limit one address together, for one window. Times are milliseconds. */
interface Scenario {
  processes: number;
  /** Requests a second of the address, which go to the processes in turn. */
  load: number;
  /** How long changes gather before they are exchanged. */
  beat: number;
  /** How long an exchange takes. */
  exchange: number;
  /** Whether every process has other callers, too, and so exchanges on every beat. */
  busy: boolean;
}

const LIMIT = LIMITS.default;
const ADDRESS = ipv4Address(1);

/** Tells how many requests pass beyond the limit: the real limiters, with a clock and a network that are made up. */
function overshoot({ processes: count, load, beat, exchange, busy }: Scenario): number {
  let now = 0;
  const store = new Map<number, SharedCounts>();
  const processes = Array.from({ length: count }, (_, own) => {
    // The beats of busy processes fall at different moments.
    let due = busy ? Math.floor(own * beat / count) : Infinity;
    let changed = false;
    let running: { began: number; shared: SharedCounts } | undefined;
    let others: SharedCounts | undefined;
    const limiter = new Limiter({
      now: () => now,
      hash: ({ low }) => low,
      seed: 1,
      onChange() {
        changed = true;
        due = Math.min(due, now + beat);
      },
    });
    return {
      limiter,
      tick() {
        if (now >= due) {
          due = Infinity;
          if (!running) {
            changed = false;
            running = { began: now, shared: limiter.share() };
          }
        }
        if (!running) return;
        // The store has the commit after a quarter of the exchange, and is read after three.
        const { shared, began } = running;
        const quarter = Math.floor(exchange / 4);
        if (now - began === quarter) store.set(own, shared);
        if (now - began === 3 * quarter) {
          const ofOthers = [...store].filter(([process]) => process !== own);
          others = {
            ...shared,
            limitCounts: ofOthers.flatMap(([, { limitCounts }]) => limitCounts),
          };
        }
        if (now - began < exchange) return;
        if (others) limiter.learn(others);
        running = undefined;
        if (changed || busy) due = Math.min(due, now + beat);
      },
    };
  });

  let passed = 0;
  let sent = 0;
  for (; now < WINDOW_SECONDS * 1000; now++) {
    for (const { tick } of processes) tick();
    for (; sent < load * now / 1000; sent++) {
      if (processes[sent % count]?.limiter.countRequest(LIMIT, ADDRESS).allowed) passed++;
    }
  }
  return Math.max(0, passed - LIMIT.maxRequests);
}

/** What server/limits/limiter.ts promises: P·⌈r·(2·b + 3·k)⌉, and never more than P times the limit in all. */
function bound({ processes, load, beat, exchange }: Scenario): number {
  const each = Math.ceil(load / processes * (2 * beat + 3 * exchange) / 1000);
  return Math.min(processes * each, (processes - 1) * LIMIT.maxRequests);
}

Deno.test("Limiter lets no more requests pass than its documented bound when ten processes count the same source address", async (t) => {
  for (const load of [1, 20, 200]) {
    for (const exchange of [4, 100, 2_000]) {
      for (const busy of [true, false]) {
        await t.step(JSON.stringify({ load, exchange, busy }), () => {
          const scenario = { processes: 10, beat: 250, load, exchange, busy };
          const excess = overshoot(scenario);
          assert.ok(excess <= bound(scenario), `${JSON.stringify(scenario)}: ${excess}`);
        });
      }
    }
  }
});

Deno.test("Limiter lets fewer requests pass beyond the limit when processes exchange counts more often", () => {
  const scenario = { processes: 10, load: 100, exchange: 20, busy: true };
  const [short = 0, long = 0] = [100, 1_000].map((beat) => overshoot({ ...scenario, beat }));
  assert.ok(short < long, `${short}, ${long}`);
});
