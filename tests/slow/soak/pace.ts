/** Two ways to send requests: as fast as they are answered, and at a steady rate whatever the answers do. @module */
import { setTimeout as delay } from "node:timers/promises";

/** Requests under way at the most, and so connections. */
const CONNECTIONS = 64;

/** How often a steady rate sends what is due, in milliseconds. */
const TICK_MS = 5;

/** What became of a request. */
export interface Outcome {
  /** Since the start of the run, in milliseconds. */
  at: number;
  /** Milliseconds. */
  latency: number;
  failure?: string;
}

/**
 * Sends requests as fast as they are answered; how many that is in the best of some seconds, as the machine may have
 * other things to do in the rest.
 */
export async function measureMaximum(send: () => Promise<void>, seconds: number): Promise<number> {
  const start = performance.now();
  const answered = Array<number>(seconds).fill(0);
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    for (;;) {
      await send();
      const second = Math.floor((performance.now() - start) / 1000);
      if (second >= seconds) return;
      answered[second] = (answered[second] ?? 0) + 1;
    }
  }));
  return Math.max(...answered);
}

/**
 * Sends requests at a steady rate a second, and tells of each what became of it. Where answers do not keep up, because
 * the machine has other things to do, the rate falls and nothing piles up.
 */
export async function sendSteadily(
  send: () => Promise<void>,
  options: { rate: number; seconds: number; report: (outcome: Outcome) => void },
): Promise<void> {
  const { rate, seconds, report } = options;
  const start = performance.now();
  const waiting = new Set<Promise<void>>();
  const sendOne = async () => {
    const sent = performance.now();
    const outcome = (failure?: string): Outcome => ({
      at: sent - start,
      latency: performance.now() - sent,
      ...(failure !== undefined && { failure }),
    });
    await send().then(() => report(outcome()), (error) => report(outcome(String(error))));
  };
  let due = 0;
  let before = start;
  for (;;) {
    const now = performance.now();
    if (now - start >= seconds * 1000) break;
    // What was due during a pause of more than a second is left out.
    due = Math.min(due + rate * (now - before) / 1000, rate);
    before = now;
    for (; due >= 1 && waiting.size < CONNECTIONS; due--) {
      const one: Promise<void> = sendOne().finally(() => waiting.delete(one));
      waiting.add(one);
    }
    await delay(TICK_MS);
  }
  await Promise.all(waiting);
}
