import assert from "node:assert/strict";
import { createPace } from "../../../../server/letters/transports/pace.ts";

/** Gives whether an API takes a call at a moment, in milliseconds. */
type Api = (at: number) => boolean;

/** An API that takes so many calls in any second. */
function apiOf(perSecond: number): Api {
  let calls: number[] = [];
  return (at) => {
    calls = calls.filter((each) => each > at - 1_000);
    return calls.length < perSecond && calls.push(at) > 0;
  };
}

/** Hands letters to an API, five a second as long as there is room, on a clock that only moves where all wait. */
async function sendAll(letters: number, { takes, latency }: { takes: Api; latency: number }) {
  let now = 0;
  let timers: { at: number; end: () => void }[] = [];
  const wait = (ms: number) =>
    new Promise<void>((end) => timers.push({ at: now + Math.max(ms, 0), end }));
  const pace = createPace(() => now, wait);
  const { signal } = new AbortController();
  const sentAt: number[] = [];
  const waits: number[] = [];
  let refused = 0;

  async function send(): Promise<void> {
    for (let refusedAt = -Infinity;;) {
      const begunAt = await pace.waitForTurn(signal);
      if (refusedAt > 0) waits.push(begunAt - refusedAt);
      await wait(latency);
      if (takes(now)) break;
      refused++;
      refusedAt = now;
      pace.noteRefused(begunAt, 1_000);
    }
    pace.noteTaken();
    sentAt.push(now);
  }

  async function give(): Promise<void> {
    for (let left = letters; left > 0; await wait(1_000)) {
      const count = Math.max(0, Math.min(5, left, pace.capacity()));
      for (let n = 0; n < count; n++) send();
      left -= count;
    }
  }

  give();
  while (sentAt.length < letters) {
    await new Promise(setImmediate);
    now = Math.min(...timers.map(({ at }) => at));
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { end } of due) end();
  }
  return { sentAt, waits, refused };
}

Deno.test("createPace() sends 120 letters in about a minute when the mail API takes two letters a second", async (t) => {
  for (const latency of [5, 150]) {
    await t.step(`the mail API answers after ${latency} ms`, async () => {
      const { sentAt, waits, refused } = await sendAll(120, { takes: apiOf(2), latency });
      const seconds = sentAt.at(-1)! / 1_000;
      assert.ok(seconds >= 59 && seconds < 75, `${seconds} s`);
      assert.ok(refused < 20, `${refused} calls were refused`);
      assert.ok(Math.min(...waits) >= 1_000, "no call before the time that the API asked to wait");
    });
  }
});

Deno.test("createPace() delays no call until the mail API refuses a call", async () => {
  const { sentAt } = await sendAll(10, { takes: () => true, latency: 5 });
  assert.deepEqual(sentAt, [...Array(5).fill(5), ...Array(5).fill(1_005)]);
});

Deno.test("createPace() becomes faster again when the mail API accepts more calls in a second", async () => {
  const [slow, fast] = [apiOf(2), apiOf(100)];
  const { sentAt } = await sendAll(900, {
    takes: (at) => at < 60_000 ? slow(at) : fast(at),
    latency: 5,
  });
  const lastMinute = sentAt.filter((at) => at > sentAt.at(-1)! - 60_000);
  assert.ok(lastMinute.length > 290, `${lastMinute.length} letters in the last minute, of 300`);
});

Deno.test("waitForTurn() rejects when its signal aborts, and does not block the next call", async () => {
  const clock = { now: 0 };
  const pace = createPace(() => clock.now, (_ms, signal) => {
    signal.throwIfAborted();
    clock.now += 1_000;
    return Promise.resolve();
  });
  pace.noteRefused(await pace.waitForTurn(new AbortController().signal), 1_000);
  const first = pace.waitForTurn(AbortSignal.abort(new Error("given up")));
  const second = pace.waitForTurn(new AbortController().signal);
  await assert.rejects(first, /given up/);
  assert.equal(await second, 1_000);
});
