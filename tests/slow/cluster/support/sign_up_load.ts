import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Acknowledged } from "../../../support/acknowledged.ts";
import { readCounts } from "../../../../server/store/people/statistics/counts.ts";
import type { ServiceProcess } from "../../../support/process.ts";
import { recount, storedSignUps } from "../../../support/records.ts";
import { fromNewSource } from "./cluster.ts";

/** Sign-ups of the load, and how many of them repeat an earlier one's address. */
const SIGN_UPS = 10_000;
const REPEATS = 1_000;

/** Requests under way at any time, each on a connection of its own. */
const CONNECTIONS = 64;

/** How long a client waits before it tries again, in milliseconds. */
const TRY_AGAIN_MS = 50;

/** What came of the load. */
export interface LoadOutcome {
  /** Requests that were not acknowledged. */
  refused: number;
  /** All addresses: a sign-up is sent until it is acknowledged. */
  acknowledged: Acknowledged;
}

/**
 * Sends all sign-ups to the processes in turn. One that is not acknowledged is sent again, to the next
 * process, until it is: what a client would do.
 *
 * @param halfWay what happens in the midst of it
 */
export async function sendSignUps(
  { servers }: { servers: Pick<ServiceProcess, "request">[] },
  halfWay: () => Promise<void> = () => Promise.resolve(),
): Promise<LoadOutcome> {
  let next = 0;
  let turn = 0;
  let refused = 0;
  const acknowledged = new Acknowledged();
  let interruption: Promise<void> | undefined;

  async function send(n: number): Promise<void> {
    const sent = signUp(n);
    const body = JSON.stringify(sent);
    for (;;) {
      const server = servers[turn++ % servers.length];
      const headers = { ...fromNewSource(), "Content-Type": "application/json" };
      const sentAt = Date.now();
      try {
        const response = await server?.request("/api/v1/waitlist", {
          method: "POST",
          headers,
          body,
        });
        const text = await response?.text();
        if (response?.status === 200) return acknowledged.add(sent.email, sentAt);
        assert.equal(response?.status, 500, text);
      } catch (error) {
        // The process is down, or went down before it answered.
        if (!(error instanceof TypeError)) throw error;
      }
      refused++;
      await delay(TRY_AGAIN_MS);
    }
  }

  async function sendInTurn(): Promise<void> {
    while (next < SIGN_UPS) {
      if (next >= SIGN_UPS / 2) interruption ??= halfWay();
      await send(next++);
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn));
  await interruption;
  return { refused, acknowledged };
}

/**
 * Asserts that there is one record for each address, as new as its last sign-up, and that every counter
 * is what they add up to.
 */
export async function assertEachOnce(
  { kv }: { kv: Deno.Kv },
  acknowledged: Acknowledged,
): Promise<void> {
  const now = Date.now();
  const stored = await storedSignUps(kv);
  assert.equal(Object.keys(stored).length, SIGN_UPS - REPEATS);
  assert.deepEqual(acknowledged.missingFrom(stored), []);
  const counts = await readCounts(kv, now);
  assert.equal(counts.total, SIGN_UPS - REPEATS);
  assert.deepEqual(counts, await recount(kv, now));
}

/** The n-th sign-up; every tenth repeats the address of one before it, with other answers. */
function signUp(n: number) {
  const repeats = n % (SIGN_UPS / REPEATS) === SIGN_UPS / REPEATS - 1;
  return {
    email: `visitor${repeats ? n - 1 - (n >> 4) % 5 : n}@example.com`,
    consent: true,
    lang: n % 3 === 0 ? "de" : "en",
    source: n % 2 === 0 ? "hero" : "cta",
  };
}
