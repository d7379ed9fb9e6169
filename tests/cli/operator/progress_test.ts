import assert from "node:assert/strict";
import { createProgress } from "../../../cli/operator/progress.ts";

/** A progress on a terminal of 40 columns, what it has drawn, and the clock that it goes by. */
function onTerminal({ isTerminal = true, quiet = false, json = false } = {}) {
  const shown: string[] = [];
  const clock = { at: 1_000, now: () => clock.at, wait: () => Promise.resolve() };
  const stderr = { write: (text: string) => shown.push(text), isTerminal, columns: () => 40 };
  return { progress: createProgress({ stderr, clock }, { quiet, json }), shown, clock };
}

Deno.test("createProgress() shows the finished percentage, and estimates the time left by the pace so far", () => {
  const { progress, shown, clock } = onTerminal();
  for (
    const [at, share] of [
      [0, 0],
      [500, 0.1],
      [1_000, 0.2],
      [2_000, 0.25],
      [90_000, 0.999],
      [90_100, 1],
    ] as [number, number][]
  ) {
    clock.at = 1_000 + at;
    progress.show("Work", share);
  }
  assert.deepEqual(shown, [
    "\r\x1b[KWork, 0 %",
    "\r\x1b[KWork, 10 %",
    "\r\x1b[KWork, 20 %, 4 s left",
    "\r\x1b[KWork, 25 %, 6 s left",
    "\r\x1b[KWork, 99 %, 1 s left",
    "\r\x1b[KWork, 100 %",
  ]);
});

Deno.test("createProgress() estimates the time left by the pace since the work was resumed", () => {
  const { progress, shown, clock } = onTerminal();
  progress.show("Work", 0.5);
  clock.at += 10_000;
  progress.show("Work", 0.6);
  assert.equal(shown.at(-1), "\r\x1b[KWork, 60 %, 40 s left");
});

Deno.test("createProgress() begins a new estimate of the remaining time when the percentage falls, or when other work starts", () => {
  const { progress, shown, clock } = onTerminal();
  progress.show("First", 0);
  clock.at += 100_000;
  progress.show("First", 0.9);
  clock.at += 1_000;
  progress.show("Again", 0.1);
  clock.at += 1_000;
  progress.show("Again", 0.2);
  progress.end();
  progress.show("Other", 0.3);
  clock.at += 2_000;
  progress.show("Other", 0.5);
  assert.deepEqual(shown.slice(2), [
    "\r\x1b[KAgain, 10 %",
    "\r\x1b[KAgain, 20 %, 8 s left",
    "\r\x1b[K",
    "\r\x1b[KOther, 30 %",
    "\r\x1b[KOther, 50 %, 5 s left",
  ]);
});

Deno.test("createProgress() shows no percentage when the total is unknown, and at most 100 %", () => {
  const { progress, shown, clock } = onTerminal();
  progress.show("3 of many", undefined);
  clock.at += 1_000;
  progress.show("More than there were", 1.4);
  assert.deepEqual(shown, ["\r\x1b[K3 of many", "\r\x1b[KMore than there were, 100 %"]);
});

Deno.test("createProgress() draws at most ten times a second, on one line of the terminal", () => {
  const { progress, shown, clock } = onTerminal();
  for (let n = 0; n < 10; n++, clock.at += 50) progress.show(`${n}`.repeat(100));
  assert.equal(shown.length, 5);
  for (const text of shown) assert.equal(text.length, "\r\x1b[K".length + 39);
});

Deno.test("createProgress() clears the progress line before it prints a note, and at the end of the work", () => {
  const { progress, shown } = onTerminal();
  {
    using disposed = progress;
    disposed.show("Work");
    disposed.note("A note.");
    disposed.show("More");
  }
  assert.deepEqual(shown, ["\r\x1b[KWork", "\r\x1b[K", "A note.\n", "\r\x1b[KMore", "\r\x1b[K"]);
});

Deno.test("createProgress() draws no progress when there is no terminal or --quiet is given, and prints no notes when --json is given", async (t) => {
  for (
    const [options, expected] of [
      [{ isTerminal: false }, ["A note.\n"]],
      [{ quiet: true }, ["A note.\n"]],
      [{ isTerminal: false, json: true }, []],
    ] as [Parameters<typeof onTerminal>[0], string[]][]
  ) {
    await t.step(JSON.stringify(options), () => {
      const { progress, shown } = onTerminal(options);
      progress.show("Work", 0.5);
      progress.note("A note.");
      progress.end();
      assert.deepEqual(shown, expected);
    });
  }
});
