import assert from "node:assert/strict";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { OUTBOX, random } from "../../../support/outbox_worker.ts";
import { recordId, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const DAY = 24 * 60 * 60 * 1000;
const ADA = "ada@example.com";

const ERASURES: Record<string, (kv: Deno.Kv, at: number) => Promise<unknown>> = {
  "the operator": (kv, at) => eraseSignUp(kv, ADA, { now: at, random, outbox: OUTBOX }),
  "the person": (kv, at) =>
    changeRecords(kv, [{ email: ADA, decide: () => ({ leaves: "person", at }) }], {
      outbox: OUTBOX,
    }),
};

// Decisions, "The life of a sign-up": the mark of an erased address hands both brakes on to the next record.
for (const [who, erase] of Object.entries(ERASURES)) {
  Deno.test(`setMarks() keeps the brakes of letters when ${who} erases the address again and again`, async () => {
    using kv = await Deno.openKv(":memory:");
    const letters: number[] = [];
    for (let hours = 0; hours <= 120; hours += 6) {
      const now = START + hours * DAY / 24;
      const at = new Date(now).toISOString();
      await storeSignUps(kv, [{ signUp: { email: ADA }, at, id: recordId() }], { outbox: OUTBOX });
      assert.equal((await storedSignUps(kv))[ADA]?.state, "unconfirmed");
      const waiting = await readDue(kv, "letters", { limit: 9 });
      letters.push(...waiting.map(() => hours));
      await erase(kv, now);
    }
    assert.deepEqual(letters, [0, 24, 48]);
  });
}
