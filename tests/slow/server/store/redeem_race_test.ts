/** Four workers on one store work on waves, redeem, renew and erase at the same time, as four processes do. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { uncertainKv } from "../../../support/faulty_kv.ts";
import {
  assertWavesHold,
  codeOf,
  inviteAll,
  INVITING,
  nth,
  redeem,
  type Redeemed,
  renew,
  storeWaiting,
  wavesOf,
} from "../../../support/invitations.ts";
import { workOnWave } from "../../../../server/store/invitations/invite.ts";
import { createWaveStore } from "../../../../server/store/invitations/mod.ts";
import { LOCAL_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

const PEOPLE = 14;

/** The most that each wave may invite. */
const WAVES = { first: 8, second: 3 } as const;

type WaveId = keyof typeof WAVES;

/** So few that a wave takes several commits. */
const TRAITS = { ...LOCAL_TRAITS, checksPerCommit: 5 };

const person = fc.integer({ min: 0, max: PEOPLE - 1 }).map(nth);

const wave = fc.constantFrom<WaveId>("first", "second");

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ invite: wave, commits: fc.integer({ min: 0, max: 4 }) }) },
  fc.record({ change: fc.constantFrom("pause", "resume", "resume", "cancel"), of: wave }),
  {
    weight: 4,
    arbitrary: fc.record({ redeem: person, reference: fc.constantFrom("a", "b", "c") }),
  },
  fc.record({ renew: person }),
  fc.record({ erase: person }),
  fc.constantFrom({ fails: true }, { fails: false }),
);

const yieldToCalls = () => Promise.resolve();

/** Does the steps of a worker, one after the other; gives what it has redeemed. */
async function work(
  kv: Kv,
  steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  by = "process",
): Promise<Redeemed[]> {
  const done: Redeemed[] = [];
  let at = kv;
  const { outbox, random } = INVITING;
  const iso = new Date(START).toISOString();
  for (const each of steps) {
    if ("fails" in each) at = uncertainKv(kv, { commits: 1, goThrough: !each.fails });
    else if ("invite" in each) {
      // Whatever was claimed, as after a lease: the commits alone keep the number.
      await inviteAll(kv, { wave: each.invite, next: WAVES[each.invite] }, { commits: 0 });
      let left = each.commits;
      for await (const _ of workOnWave({ ...INVITING, kv: at }, each.invite, by)) {
        if (left-- === 0) break;
      }
    } else if ("change" in each) {
      const waves = wavesOf(kv);
      const options = { ...INVITING, kv: at, longKv: at, monotonic: () => 0, yieldToCalls, waves };
      const audit = { at: iso, id: by, action: "change" };
      await createWaveStore(options).changeWave(each.of, each.change as "pause", audit);
    } else if ("erase" in each) await eraseSignUp(at, each.erase, { now: START, random, outbox });
    else if ("renew" in each) {
      await renew(at, each.renew, { at: iso, expiresAt: new Date(START + 1_000).toISOString() });
    } else {
      const { reference } = each;
      const code = await codeOf(kv, each.redeem);
      const outcome = await redeem(at, code, { at: iso, reference });
      if ("record" in outcome) done.push({ code, reference });
    }
  }
  return done;
}

Deno.test("When four workers run concurrently, each wave has the right number of invitations, and each code is redeemed at most once", async () => {
  let redeemed = 0;
  const workers = fc.array(fc.array(step, { maxLength: 12, size: "max" }), {
    minLength: 4,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(workers, async (all) => {
      using kv = await openMemoryKv({ traits: TRAITS });
      await storeWaiting(kv, PEOPLE);
      await inviteAll(kv, { next: WAVES.first }, { commits: 1 });
      const workers = all.map((steps, index) => work(kv, steps, `process ${index}`));
      const done = (await Promise.all(workers)).flat();
      redeemed += done.length;
      // Each wave that nobody has stopped goes on to its end.
      await wavesOf(kv, { now: () => START + 60_000 }).run();
      const accepted = await assertWavesHold(kv, WAVES, done);
      const events = (await listAll<OutboxItem>(kv, { prefix: ["outbox"] }))
        .filter(({ value: { message } }) =>
          "event" in message && message.event === "signup.accepted"
        );
      assert.equal(events.length, accepted, "each has one event");
    }),
    { numRuns: 60 },
  );
  assert.ok(redeemed > 50, `${redeemed} redeemed`);
});
