import assert from "node:assert/strict";
import { type AroundCommit, faultyKv, repeatingKv } from "../../../support/faulty_kv.ts";
import { Commit, type Kv, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { LOCAL_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { PROOFS } from "../../../../server/store/kv/keys.ts";
import { listAll, openMemoryKv, test, testKv } from "../../../support/memory_kv.ts";

const KEY = ["key"];
const LOST = new Error("The answer was lost");

/** A KV whose commits go as planned: through with an answer, through without one, or not through. */
function plannedKv(kv: Kv, plan: ("answered" | "unanswered" | "failed")[]) {
  return faultyKv(kv, async (commit) => {
    const next = plan.shift() ?? "answered";
    if (next === "failed") throw LOST;
    const result = await commit();
    if (next === "unanswered") throw LOST;
    return result;
  });
}

test("commit() returns the version of the entry when KV loses the answer to a commit that went through", async (kv) => {
  const unsure = plannedKv(kv, ["unanswered", "answered", "unanswered"]);
  for (const value of [1, 2, 3]) {
    const version = await unsure.commit(new Commit().set(KEY, value));
    const entry = await readOne(kv, KEY);
    assert.deepEqual([entry.value, entry.version], [value, version]);
  }
});

test("commit() returns the stored version when the client of KV sends the commit twice", async (kv) => {
  const repeating = repeatingKv(kv, 1);
  const entry = await readOne(kv, KEY);
  const version = await repeating.commit(new Commit().check(entry).set(KEY, 1));
  assert.equal((await readOne(kv, KEY)).version, version);
});

test("commit() throws the error of KV when KV has not made the commit", async (kv) => {
  const failing = plannedKv(kv, ["failed", "failed", "unanswered"]);
  await assert.rejects(failing.commit(new Commit().set(KEY, 1)), LOST);
  assert.equal((await readOne(kv, KEY)).value, null);
  assert.ok(await failing.commit(new Commit().set(KEY, 2)));
});

test("commit() ensures that a given-up commit fails if it reaches KV later", async (kv) => {
  const late: Parameters<AroundCommit>[0][] = [];
  const holding = faultyKv(kv, (commit) => {
    if (late.length > 0) return commit();
    late.push(commit);
    throw LOST;
  });
  await assert.rejects(holding.commit(new Commit().set(KEY, "late")), LOST);
  assert.deepEqual(await late[0]!(), { ok: false });
  assert.equal((await readOne(kv, KEY)).value, null);
});

test("commit() rejects with UnknownOutcome when KV stops answering, and later commits succeed even if KV then performs the lost commit", async (kv) => {
  let isDown = true;
  const late: Parameters<AroundCommit>[0][] = [];
  const down = faultyKv(kv, (commit) => {
    if (!isDown) return commit();
    late.push(commit);
    throw LOST;
  });
  await assert.rejects(down.commit(new Commit().set(KEY, "late")), UnknownOutcome);
  isDown = false;
  assert.ok(await down.commit(new Commit().set(["other"], 1)));
  for (const commit of late) await commit();
  assert.equal((await readOne(kv, KEY)).value, "late");
  assert.ok(await down.commit(new Commit().set(["other"], 2)));
});

Deno.test("commit() finds out the outcome by a further commit when the engine's reads can return unconfirmed commits", async () => {
  using kv = await openMemoryKv({ traits: { ...LOCAL_TRAITS, readsUnconfirmed: true } });
  const unsure = plannedKv(kv, ["unanswered", "failed", "unanswered", "answered"]);
  const version = await unsure.commit(new Commit().set(KEY, 1));
  const entry = await readOne(kv, KEY);
  assert.deepEqual([entry.value, entry.version], [1, version]);
});

test("commit() stores the proof of each commit under the id of the process that commits when several processes commit at the same time", async (kv) => {
  const processes = [kv, testKv(kv.raw), testKv(kv.raw)];
  const commits = processes.flatMap((process) =>
    [1, 2].map((n) => process.commit(new Commit().set(KEY, n)))
  );
  await Promise.all(commits);
  const proofs = await listAll(kv, PROOFS);
  assert.equal(proofs.length, commits.length);
  assert.equal(new Set(proofs.map(({ key }) => key[1])).size, processes.length);
});
