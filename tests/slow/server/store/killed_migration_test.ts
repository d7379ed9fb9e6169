import assert from "node:assert/strict";
import { type AroundCommit, faultyKv } from "../../../support/faulty_kv.ts";
import { assertUpgraded, convertedEntries, openOldStore } from "../../../support/old_stores.ts";
import { openTestSchema } from "../../../support/old_stores.ts";

/** Thrown in place of a commit: the process has ended. */
class Killed extends Error {}

Deno.test("upgradeStore() finishes a migration when the process was killed after any commit of this migration", async () => {
  let survivors = 0;
  for (let killed = true; killed; survivors++) {
    using kv = await openOldStore(250);
    const before = await convertedEntries(kv);
    let commits = 0;
    const kill: AroundCommit = (commit) =>
      commits++ < survivors ? commit() : Promise.reject(new Killed());
    killed = await openTestSchema(faultyKv(kv, kill)).then(() => false, (error) => {
      assert.ok(error.cause instanceof Killed || error instanceof Killed, error);
      return true;
    });
    await openTestSchema(kv);
    await assertUpgraded(kv, before);
  }
  // One commit to begin and one to end, and some for the records and for the list of people.
  assert.ok(survivors > 2 + 2 * 2, String(survivors));
});
