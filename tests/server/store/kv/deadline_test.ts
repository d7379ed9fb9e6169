import assert from "node:assert/strict";
import { commitChange, readOne } from "../../../../server/store/kv/calls.ts";
import { abortableKv, withinDeadline } from "../../../../server/store/kv/deadline.ts";
import { Commit, type Kv, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { pages } from "../../../../server/store/kv/pages.ts";
import { DeadlineError } from "../../../../server/runtime/mod.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

const KEY = ["audit", "a"];
const DEADLINE_MS = 50;
/** How long the engine waits, so that each error is one of the call's own deadline. */
const LONG_MS = 60_000;

const never = () => new Promise<never>(() => {});

/** A store whose calls have a short deadline, over an engine that waits for long. */
async function openLate(hangs: "read" | "commit") {
  const kv = await openMemoryKv();
  const begun = { reads: 0, commits: 0 };
  const late: Kv = {
    ...faultyKv(
      kv,
      (commit) => (begun.commits++, hangs === "commit" ? never() : commit()),
      (read) => (begun.reads++, hangs === "read" ? never() : read()),
      LONG_MS,
    ),
    deadlineMs: DEADLINE_MS,
  };
  return { kv, late, begun, [Symbol.dispose]: () => late.close() };
}

const change = (kv: Kv) =>
  commitChange(kv, async () => {
    const entry = await readOne(kv, KEY);
    return { commit: new Commit().check(entry).set(KEY, 1), result: () => "done" };
  });

Deno.test("withinDeadline() rejects at the deadline, and begins no further call, when a read hangs", async () => {
  using store = await openLate("read");
  await assert.rejects(withinDeadline(store.late, change), DeadlineError);
  assert.deepEqual(store.begun, { reads: 1, commits: 0 });
});

Deno.test("withinDeadline() rejects with UnknownOutcome when a commit hangs", async () => {
  using store = await openLate("commit");
  await assert.rejects(withinDeadline(store.late, change), UnknownOutcome);
  assert.equal(store.begun.commits, 1);
});

Deno.test("withinDeadline() rejects at the deadline even if each single call to KV takes less time than the deadline allows", async () => {
  using store = await openLate("commit");
  const reading = withinDeadline(store.late, async (kv) => {
    for (;;) await readOne(kv, KEY);
  });
  await assert.rejects(reading, DeadlineError);
  assert.ok(store.begun.reads > 1);
});

Deno.test("abortableKv() begins no call to KV when its signal is already aborted", async () => {
  using store = await openLate("commit");
  const kv = abortableKv(store.late, AbortSignal.abort(new Error("Nobody waits")));
  await assert.rejects(change(kv), /Nobody waits/);
  await assert.rejects(kv.commit(new Commit().set(KEY, 1)), /Nobody waits/);
  assert.deepEqual(store.begun, { reads: 0, commits: 0 });
});

Deno.test("withinDeadline() does not cut off a stream of pages that the work has returned", async () => {
  using kv = await openMemoryKv();
  const commit = new Commit();
  for (let n = 0; n < 3; n++) commit.set(["audit", `${n}`], n);
  await kv.commit(commit);
  const short = { ...kv, deadlineMs: DEADLINE_MS };
  const stream = await withinDeadline(short, (kv) => {
    return pages<number>(kv, { prefix: ["audit"] }, { limit: 1 });
  });
  const passed = Promise.withResolvers<void>();
  setTimeout(passed.resolve, 2 * DEADLINE_MS);
  await passed.promise;
  assert.equal((await Array.fromAsync(stream)).flat().length, 3);
});
