import assert from "node:assert/strict";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readDue, readItemsOf } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { Message } from "../../../../server/waitlist/outbox_item.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { counts, join, onlyItem } from "../../../support/outbox.ts";
import { OUTBOX, random, recordOf } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const ADA = "ada@example.com", BOB = "bob@example.com";
const ONLY_LETTERS = { ...OUTBOX, events: false };
const LEFT: Message = { event: "signup.left", person: { email: ADA, reason: "operator" } };

Deno.test("eraseSignUp() empties the outbox of the person, and leaves no more than the address", async () => {
  using kv = await Deno.openKv(":memory:");
  await join(kv, [ADA, BOB]);
  const items = await readItemsOf(kv, await recordOf(kv, ADA));
  const letter = items.find(({ item }) => item.queue === "letters")!;
  await createOutboxStore(kv).refuseRecipient(letter, { at: START, reason: "No" });
  assert.deepEqual(await counts(kv), [3, 1, 0]);

  await eraseSignUp(kv, ADA, { now: START + 9, random, outbox: OUTBOX });
  assert.equal((await readItemsOf(kv, await recordOf(kv, BOB))).length, 2);
  const left = (await readDue(kv, "events", { limit: 10 })).filter(({ item }) =>
    item.email === ADA
  );
  assert.deepEqual(left.map(({ item }) => item.message), [LEFT]);
  assert.deepEqual(await counts(kv), [3, 0, 0]);
  await assertListsAgree(kv);

  await eraseSignUp(kv, BOB, { now: START + 9, random });
  assert.deepEqual(await counts(kv), [1, 0, 0], "without a webhook, no event");
});

for (const change of ["sent", "refuseRecipient", "postpone"] as const) {
  Deno.test(`eraseSignUp() keeps the counts right when ${change}() comes before its commit`, async () => {
    using kv = await Deno.openKv(":memory:");
    await join(kv, [ADA], ONLY_LETTERS);
    const store = createOutboxStore(kv);
    const letter = await onlyItem(kv, ADA);
    const changes = {
      sent: () => store.sent(letter, START),
      postpone: () => store.postpone(letter, { ...letter.item, dueAt: 1 }),
      refuseRecipient: () => store.refuseRecipient(letter, { at: START, reason: "No" }),
    };
    const racing = racingKv(kv, changes[change]);
    await eraseSignUp(racing, ADA, { now: START + 9, random });
    assert.deepEqual(await store.readDue("letters", { limit: 10 }), []);
    assert.deepEqual(await counts(kv), [0, 0, change === "sent" ? 1 : 0]);
    await assertListsAgree(kv);
  });
}
