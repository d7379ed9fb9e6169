/** Four workers on one store invite, redeem, renew and erase at the same time, as four processes do. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { changeInvitation } from "../../../../server/store/invitations/codes.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { redeemInvitation, renewInvitation } from "../../../../server/waitlist/redeeming.ts";
import { uncertainKv } from "../../../support/faulty_kv.ts";
import { inviteAll, INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { storedCounters, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const PEOPLE = 12;

/** The most that the wave of all workers may invite. */
const NEXT = 8;

const person = fc.integer({ min: 0, max: PEOPLE - 1 }).map(nth);

const step = fc.oneof(
  fc.constant({ invite: true }),
  {
    weight: 4,
    arbitrary: fc.record({ redeem: person, reference: fc.constantFrom("a", "b", "c") }),
  },
  fc.record({ renew: person }),
  fc.record({ erase: person }),
  fc.constantFrom({ fails: true }, { fails: false }),
);

type Worked = { code: string; reference: string };

/** Does the steps of a worker, one after the other; gives what it has redeemed. */
async function work(
  kv: Kv,
  steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
): Promise<Worked[]> {
  const done: Worked[] = [];
  let at = kv;
  const { outbox, random } = INVITING;
  const codeOf = async (email: string) =>
    (await storedSignUps(kv))[email]?.invitationCode ?? "none";
  const iso = new Date(START).toISOString();
  for (const each of steps) {
    if ("fails" in each) at = uncertainKv(kv, { commits: 1, goThrough: !each.fails });
    else if ("invite" in each) await inviteAll(at, { next: NEXT });
    else if ("erase" in each) await eraseSignUp(at, each.erase, { now: START, random, outbox });
    else if ("renew" in each) {
      const expiresAt = new Date(START + 1_000).toISOString();
      const code = await codeOf(each.renew);
      await changeInvitation(
        at,
        { code },
        (record) => renewInvitation(record, { at: iso, expiresAt }),
        { outbox },
      );
    } else {
      const { reference } = each;
      const code = await codeOf(each.redeem);
      const outcome = await changeInvitation(
        at,
        { code },
        (record) => redeemInvitation(record, { at: iso, reference }),
        { outbox },
      );
      if ("record" in outcome) done.push({ code, reference });
    }
  }
  return done;
}

Deno.test("changeInvitation() redeems each code for one account, whoever works at the same time", async () => {
  let redeemed = 0;
  const workers = fc.array(fc.array(step, { maxLength: 12, size: "max" }), {
    minLength: 4,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(workers, async (all) => {
      using kv = await openMemoryKv();
      await storeWaiting(kv, PEOPLE);
      await inviteAll(kv, { next: NEXT }, { cutAfter: 0 });
      const done = (await Promise.all(all.map((steps) => work(kv, steps)))).flat();
      redeemed += done.length;
      const accounts = Map.groupBy(done, ({ code }) => code);
      for (const [code, each] of accounts) {
        assert.equal(new Set(each.map(({ reference }) => reference)).size, 1, code);
      }
      const records = Object.values(await storedSignUps(kv));
      const codes = records.flatMap(({ invitationCode }) => invitationCode ?? []);
      assert.equal(new Set(codes).size, codes.length, "no code is given twice");
      assert.ok(codes.length <= NEXT, `the wave invites ${codes.length}`);
      const accepted = records.filter(({ state }) => state === "accepted");
      for (const { invitationCode, reference } of accepted) {
        assert.equal(accounts.get(invitationCode!)?.[0]?.reference, reference);
      }
      const events = (await listAll<OutboxItem>(kv, { prefix: ["outbox"] }))
        .filter(({ value: { message } }) =>
          "event" in message && message.event === "signup.accepted"
        );
      assert.equal(events.length, accepted.length, "each has one event");
      const counters = await storedCounters(kv);
      assert.equal(counters["byState/accepted"] ?? 0, accepted.length);
      await assertListsAgree(kv);
    }),
    { numRuns: 60 },
  );
  assert.ok(redeemed > 50, `${redeemed} redeemed`);
});
