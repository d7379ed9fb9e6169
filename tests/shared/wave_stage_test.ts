import assert from "node:assert/strict";
import { countNotSent, progressOf } from "../../shared/wave_stage.ts";

/** A wave that has invited 300 people, of whom 10 do not get their letter any more. */
const WAVE = { letters: true, invited: 300, taken: 284, refused: 5, lettersWaiting: 1 };

Deno.test("progressOf() counts the letters that do not wait any more once everybody is invited", () => {
  const done = { ...WAVE, state: "done" } as const;
  assert.deepEqual(progressOf(done), { stage: "sending", settled: 299, whole: 300 });
  const { lettersWaiting: _, ...sent } = done;
  assert.deepEqual(progressOf(sent), { stage: "done", settled: 300, whole: 300 });
});

Deno.test("progressOf() counts accepted and rejected letters, or invited people if there are no letters, while a wave runs", () => {
  const running = { ...WAVE, state: "running", next: 400 } as const;
  assert.deepEqual(progressOf(running), { stage: "sending", settled: 289, whole: 400 });
  const silent = { ...running, letters: false, taken: 0, refused: 0, lettersWaiting: 0 };
  assert.deepEqual(progressOf(silent), { stage: "inviting", settled: 300, whole: 400 });
});

Deno.test("countNotSent() counts the letters that are neither accepted, nor rejected, nor waiting", () => {
  const { lettersWaiting: _, ...cancelled } = { ...WAVE, state: "cancelled" } as const;
  assert.equal(countNotSent({ ...WAVE, state: "done" }), 10);
  assert.equal(countNotSent({ ...WAVE, state: "paused" }), 10);
  assert.equal(countNotSent(cancelled), 11, "a letter that waited is not sent either");
});

Deno.test("countNotSent() returns 0 while a wave runs, if it sends no letters, and if the counts are too large", () => {
  assert.equal(countNotSent({ ...WAVE, state: "running" }), 0);
  assert.equal(countNotSent({ ...WAVE, state: "done", letters: false, taken: 0 }), 0);
  assert.equal(countNotSent({ ...WAVE, state: "done", taken: 299 }), 0);
});
