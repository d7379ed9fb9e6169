import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { sendSignUp, type Serving } from "../../../support/process_requests.ts";
import { storedSignUps } from "../../../support/records.ts";
import { Acknowledged, findingsIn } from "../../../support/victim.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";

/** Sign-ups of the load, and how many of them repeat an earlier one's address. */
const SIGN_UPS = 10_000;
const REPEATS = 1_000;

/** Requests under way at any time, each on a connection of its own. */
const CONNECTIONS = 64;

/** How long a client waits before it tries again, in milliseconds. */
const TRY_AGAIN_MS = 50;

/**
 * Sends all sign-ups to the processes in turn. One that is not acknowledged is sent again, to the next process, until
 * it is: what a client would do.
 * @param halfWay what happens in the midst of it
 * @returns how many requests were not acknowledged, and all addresses
 */
export async function sendSignUps(
  { servers }: { servers: Serving[] },
  halfWay: () => Promise<void> = () => Promise.resolve(),
) {
  let next = 0;
  let turn = 0;
  let refused = 0;
  const acknowledged = new Acknowledged();
  let interruption: Promise<void> | undefined;

  async function send(n: number): Promise<void> {
    const sent = signUp(n);
    for (;;) {
      const server = servers[turn++ % servers.length]!;
      const sentAt = Date.now();
      try {
        const response = await sendSignUp(server, sent);
        const text = await response.text();
        if (response.status === 200) return acknowledged.add(sent.email, sentAt);
        assert.equal(response.status, 500, text);
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
 * Asserts that there is one record for each address, as new as its last sign-up, and that every counter is what they
 * add up to.
 */
export async function assertEachOnce(
  { kv }: { kv: Kv },
  acknowledged: Acknowledged,
): Promise<void> {
  assert.equal(Object.keys(await storedSignUps(kv)).length, SIGN_UPS - REPEATS);
  assert.deepEqual(await findingsIn(kv, acknowledged), []);
}

/** The n-th sign-up; every tenth repeats the address of one before it, with other answers. */
function signUp(n: number) {
  const repeats = n % (SIGN_UPS / REPEATS) === SIGN_UPS / REPEATS - 1;
  return {
    email: `visitor${repeats ? n - 1 - (n >> 4) % 5 : n}@example.com`,
    lang: n % 3 === 0 ? "de" : "en",
    source: n % 2 === 0 ? "hero" : "cta",
  };
}
