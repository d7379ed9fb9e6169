import assert from "node:assert/strict";
import { DeadlineError } from "../../../../server/runtime/mod.ts";
import {
  readAll,
  readMany,
  retry,
  runReads,
  StoreClosed,
} from "../../../../server/store/kv/calls.ts";
import { LOCAL_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { Commit, NoAnswer, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { hangingKv } from "../../../support/faulty_kv.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";

const late = () => Promise.reject(new DeadlineError("KV did not answer in time"));

Deno.test("retry() tries again after a try that exceeds its deadline and after a try that fails", async () => {
  let tries = 0;
  const outcome = await retry(() => {
    tries++;
    if (tries === 1) return late();
    if (tries === 2) throw new Error("The connection was reset");
    return Promise.resolve("done");
  });
  assert.deepEqual({ outcome, tries }, { outcome: "done", tries: 3 });
});

Deno.test("retry() gives up when two tries exceed their deadline or five tries fail", async () => {
  let tries = 0;
  const counted = (attempt: () => Promise<never>) => () => {
    tries++;
    return attempt();
  };
  await assert.rejects(retry(counted(late)), /KV did not answer in time/);
  assert.equal(tries, 2);
  tries = 0;
  const failing = () => Promise.reject(new Error("The disk is full"));
  await assert.rejects(retry(counted(failing)), /The disk is full/);
  assert.equal(tries, 5);
});

Deno.test("retry() does not try again when the outcome of a commit is unknown", async () => {
  let tries = 0;
  const unknown = retry(() => {
    tries++;
    return Promise.reject(new UnknownOutcome(new Error("The connection was reset")));
  });
  await assert.rejects(unknown, UnknownOutcome);
  assert.equal(tries, 1);
});

Deno.test("retry() does not try again when the store is closed during the first try", async (t) => {
  const write = new Commit().set(["key"], true);
  for (const hangs of ["reads", "commits"] as const) {
    await t.step(`${hangs} hang`, async () => {
      const hanging = hangingKv(await openMemoryKv(), { hangs, deadlineMs: 1_000 });
      hanging.isHung = true;
      const { kv } = hanging;
      let tries = 0;
      const ended = retry<unknown>(() => {
        tries++;
        return hangs === "reads" ? kv.get([["key"]]) : kv.commit(write);
      });
      kv.close();
      await assert.rejects(ended, /The store is closed/);
      assert.equal(tries, 1);
    });
  }
});

Deno.test("retry() repeats an unanswered commit whose deadline has passed, and does not repeat an unanswered commit of a closed store", async (t) => {
  for (
    const [reason, expected] of [[new StoreClosed(), 1], [
      new DeadlineError("Too late"),
      2,
    ]] as const
  ) {
    await t.step(
      `the number of tries is ${expected} when the reason is "${reason.message}"`,
      async () => {
        let tries = 0;
        const ended = retry(() => {
          tries++;
          return Promise.reject(new NoAnswer(reason));
        });
        await assert.rejects(ended, NoAnswer);
        assert.equal(tries, expected);
      },
    );
  }
});

test("readAll() and readMany() do not call KV when the list of keys is empty", async (kv) => {
  const silent = { ...kv, get: () => Promise.reject(new Error("KV was called")) };
  assert.deepEqual([await readAll(silent, []), await readMany(silent, [])], [[], []]);
});

Deno.test("runReads() returns all results in order, and makes the reads one after the other when a read blocks the event loop", async () => {
  const { results, events } = await readTwoEntries({ readsBlock: true });
  assert.deepEqual(results, ["a", "b"]);
  assert.deepEqual(events, ["a begins", "a ends", "b begins", "b ends"]);
});

Deno.test("runReads() returns all results in order, and makes the reads at the same time when no read blocks the event loop", async () => {
  const { results, events } = await readTwoEntries({ readsBlock: false });
  assert.deepEqual(results, ["a", "b"]);
  // Either read may end first.
  assert.deepEqual(events.slice(0, 2), ["a begins", "b begins"]);
});

/** Reads two entries by `runReads()`, and notes when each read begins and ends. */
async function readTwoEntries(traits: { readsBlock: boolean }) {
  using kv = await openMemoryKv({ traits: { ...LOCAL_TRAITS, ...traits } });
  const events: string[] = [];
  const read = (name: string) => async () => {
    events.push(`${name} begins`);
    await kv.get([[name]]);
    events.push(`${name} ends`);
    return name;
  };
  return { results: await runReads(kv, [read("a"), read("b")]), events };
}
