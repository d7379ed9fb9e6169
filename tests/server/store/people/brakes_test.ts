import assert from "node:assert/strict";
import { createBrakeSweep } from "../../../../server/store/people/brakes.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { checksFor, LOCAL_ENGINE, REMOTE_ENGINE } from "../../../../server/store/kv/open.ts";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { mailboxOf } from "../../../../server/waitlist/transitions.ts";
import {
  changeRecord,
  OUTBOX,
  random,
  storeAddresses,
  storedSignUps,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const ADA = "ada@example.com";
const ALIASES = [ADA, "ada+1@example.com", "ada+2@example.com", "ada+3@example.com"];

const join = (kv: Deno.Kv, emails: string[], at: number, engine = LOCAL_ENGINE) =>
  storeAddresses(kv, emails, new Date(at).toISOString(), { outbox: OUTBOX, engine });

/** How many confirmation letters ever waited for the addresses of a mailbox. */
async function letters(kv: Deno.Kv, mailbox = ADA): Promise<number> {
  const due = await readDue(kv, "letters", { limit: 500 });
  return due.filter(({ item }) => mailboxOf(item.email) === mailbox).length;
}

const removals: Record<string, (kv: Deno.Kv, email: string, at: number) => Promise<unknown>> = {
  "the operator erases": (kv, email, now) => eraseSignUp(kv, email, { now, random }),
  "the person leaves": (kv, email, at) => changeRecord(kv, email, () => ({ leaves: "person", at })),
  "the time ends for": (kv, email, at) =>
    changeRecord(kv, email, () => ({ leaves: "expired", at })),
};
for (const [removal, remove] of Object.entries(removals)) {
  Deno.test(`storeSignUps() puts three letters in 30 days when ${removal} each address of the mailbox`, async () => {
    using kv = await Deno.openKv(":memory:");
    const asked: number[] = [];
    for (let day = 0; day <= 36; day += 0.5) {
      const at = START + day * DAY;
      const email = ALIASES[2 * day % ALIASES.length]!;
      await join(kv, [email], at);
      assert.equal((await storedSignUps(kv))[email]?.state, "unconfirmed");
      if (await letters(kv) > 0) asked.push(day);
      await remove(kv, email, at);
    }
    assert.deepEqual(asked, [0, 1, 2, 30, 31, 32]);
    const kept = await Array.fromAsync(kv.list({ prefix: ["brake"] }));
    assert.equal(kept.length, 1);
    assert.ok(!JSON.stringify(kept).includes("ada"), "no address is kept");
  });
}

for (const [name, engine] of Object.entries({ LOCAL_ENGINE, REMOTE_ENGINE })) {
  Deno.test(`storeSignUps() puts one letter when addresses of a mailbox share commits of ${name}, or race`, async () => {
    using kv = await Deno.openKv(":memory:");
    // So that the store has a key, and each address has three checks.
    await join(kv, ["grace+1@example.com"], START);
    const size = checksFor(engine);
    const many = Array.from({ length: 4 * size }, (_, n) => `ada+${n}@example.com`);
    await Promise.all([0, 1, 2, 3].map(async (part) => {
      await join(kv, many.slice(part * size, (part + 1) * size), START, engine);
    }));
    assert.equal(Object.keys(await storedSignUps(kv)).length, many.length + 1);
    assert.equal(await letters(kv), 1);
    await join(kv, [ADA], START + 1, engine);
    assert.equal(await letters(kv), 1);
  });
}

Deno.test("storeSignUps() puts one letter when a mailbox's own address and another one race", async () => {
  for (let round = 0; round < 20; round++) {
    using kv = await Deno.openKv(":memory:");
    if (round % 2 === 0) await join(kv, ["grace+1@example.com"], START);
    await Promise.all(ALIASES.map((email) => join(kv, [email], START)));
    assert.equal(await letters(kv), 1);
  }
});

Deno.test("createBrakeSweep() removes brakes 30 days after their last letters", async () => {
  using kv = await Deno.openKv(":memory:");
  const count = async () => (await Array.fromAsync(kv.list({ prefix: ["brake"] }))).length;
  await join(kv, Array.from({ length: 30 }, (_, n) => `p${n}+1@example.com`), START);
  await join(kv, ["late+1@example.com"], START + DAY);
  const sweep = createBrakeSweep(kv);
  await sweep(START + 30 * DAY - 1);
  assert.equal(await count(), 31);
  await sweep(START + 30 * DAY);
  assert.equal(await count(), 1);
  await sweep(START + 31 * DAY);
  assert.equal(await count(), 0);
});
