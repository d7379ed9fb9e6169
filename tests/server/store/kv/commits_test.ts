import assert from "node:assert/strict";
import { commitKnown, UnknownOutcome } from "../../../../server/store/kv/commits.ts";
import { type AroundCommit, faultyKv, repeatingKv } from "../../../support/faulty_kv.ts";

const KEY = ["key"];
const LOST = new Error("The answer was lost");

/** A KV whose commits go as planned: through with an answer, through without one, or not through. */
function plannedKv(kv: Deno.Kv, plan: ("answered" | "unanswered" | "failed")[]) {
  return faultyKv(kv, async (commit) => {
    const next = plan.shift() ?? "answered";
    if (next === "failed") throw LOST;
    const result = await commit();
    if (next === "unanswered") throw LOST;
    return result;
  });
}

Deno.test("commitKnown() gives the versionstamp of a commit that goes through and nothing when a check fails", async () => {
  using kv = await Deno.openKv(":memory:");
  const entry = await kv.get(KEY);
  const versionstamp = await commitKnown(kv, kv.atomic().check(entry).set(KEY, 1));
  assert.equal((await kv.get(KEY)).versionstamp, versionstamp);
  assert.equal(await commitKnown(kv, kv.atomic().check(entry).set(KEY, 2)), undefined);
  assert.equal((await kv.get(KEY)).value, 1);
});

Deno.test("commitKnown() gives the versionstamp when a commit goes through without an answer", async () => {
  using kv = await Deno.openKv(":memory:");
  const unsure = plannedKv(kv, ["unanswered", "answered", "unanswered"]);
  for (const value of [1, 2, 3]) {
    const versionstamp = await commitKnown(unsure, unsure.atomic().set(KEY, value));
    const entry = await kv.get(KEY);
    assert.deepEqual([entry.value, entry.versionstamp], [value, versionstamp]);
  }
});

Deno.test("commitKnown() gives the versionstamp when the client sends a commit twice", async () => {
  using kv = await Deno.openKv(":memory:");
  const repeating = repeatingKv(kv, 1);
  const entry = await kv.get(KEY);
  const versionstamp = await commitKnown(repeating, repeating.atomic().check(entry).set(KEY, 1));
  assert.equal((await kv.get(KEY)).versionstamp, versionstamp);
});

Deno.test("commitKnown() throws the error of KV when a commit does not go through", async () => {
  using kv = await Deno.openKv(":memory:");
  const failing = plannedKv(kv, ["failed", "failed", "unanswered"]);
  await assert.rejects(commitKnown(failing, failing.atomic().set(KEY, 1)), LOST);
  assert.equal((await kv.get(KEY)).value, null);
  assert.ok(await commitKnown(failing, failing.atomic().set(KEY, 2)));
});

Deno.test("commitKnown() keeps a commit that was given up from going through later", async () => {
  using kv = await Deno.openKv(":memory:");
  const late: Parameters<AroundCommit>[0][] = [];
  const holding = faultyKv(kv, (commit) => {
    if (late.length > 0) return commit();
    late.push(commit);
    throw LOST;
  });
  await assert.rejects(commitKnown(holding, holding.atomic().set(KEY, "late")), LOST);
  assert.deepEqual(await late[0]!(), { ok: false });
  assert.equal((await kv.get(KEY)).value, null);
});

Deno.test("commitKnown() says that the outcome is unknown when KV does not tell, and uses another slot then", async () => {
  using kv = await Deno.openKv(":memory:");
  let isDown = true;
  const late: Parameters<AroundCommit>[0][] = [];
  const down = faultyKv(kv, (commit) => {
    if (!isDown) return commit();
    late.push(commit);
    throw LOST;
  });
  await assert.rejects(commitKnown(down, down.atomic().set(KEY, "late")), UnknownOutcome);
  isDown = false;
  assert.ok(await commitKnown(down, down.atomic().set(["other"], 1)));
  for (const commit of late) await commit();
  assert.equal((await kv.get(KEY)).value, "late");
  assert.ok(await commitKnown(down, down.atomic().set(["other"], 2)));
});
