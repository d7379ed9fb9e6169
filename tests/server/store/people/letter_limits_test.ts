import assert from "node:assert/strict";
import { createGradualSweep } from "../../../../server/store/expiry/gradual_sweep.ts";
import { LETTER_LIMITS } from "../../../../server/store/kv/keys.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readNextReminder } from "../../../../server/store/people/letter_limits.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import {
  isLetterLimitObsolete,
  type LetterLimit,
  mailboxOf,
} from "../../../../server/waitlist/letter_limit.ts";
import {
  changeRecord,
  OUTBOX,
  random,
  recordOf,
  storeAddresses,
  storedSignUps,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { checksFor, Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv, test } from "../../../support/memory_kv.ts";
import { LOCAL_TRAITS, REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const ADA = "ada@example.com";
const ALIASES = [ADA, "ada+1@example.com", "ada+2@example.com", "ada+3@example.com"];

const join = (kv: Kv, emails: string[], at: number) =>
  storeAddresses(kv, emails, new Date(at).toISOString(), { outbox: OUTBOX });

/** The number of confirmation letters that were put in for the addresses of a mailbox. */
async function letters(kv: Kv, mailbox = ADA): Promise<number> {
  const due = await readFirstItems(kv, "letters", { limit: 500 });
  return due.filter(({ item }) => mailboxOf(item.email) === mailbox).length;
}

const removals: Record<string, (kv: Kv, email: string, at: number) => Promise<unknown>> = {
  "the operator erases each address": (kv, email, now) => eraseSignUp(kv, email, { now, random }),
  "the person leaves with each address": (kv, email, at) =>
    changeRecord(kv, email, () => ({ leaves: "person", at })),
  "each address expires": (kv, email, at) =>
    changeRecord(kv, email, () => ({ leaves: "expired", at })),
};
for (const [removal, remove] of Object.entries(removals)) {
  test(`storeSignUps() puts at most three letters to one mailbox into the outbox in 30 days, even if addresses are removed and sign up again (${removal})`, async (kv) => {
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
    const kept = await listAll(kv, { prefix: ["brake"] });
    assert.equal(kept.length, 1);
    assert.ok(!JSON.stringify(kept).includes("ada@"), "no address is kept");
  });
}

for (const [name, traits] of Object.entries({ many: LOCAL_TRAITS, few: REMOTE_TRAITS })) {
  Deno.test(`storeSignUps() puts one letter into the outbox when many addresses of one mailbox sign up at the same time (${name} checks in a commit)`, async () => {
    using kv = await openMemoryKv({ traits });
    // The store then has an erasure key, and each address takes three checks.
    await join(kv, ["grace+1@example.com"], START);
    const size = checksFor(kv);
    const many = Array.from({ length: 4 * size }, (_, n) => `ada+${n}@example.com`);
    await Promise.all([0, 1, 2, 3].map(async (part) => {
      await join(kv, many.slice(part * size, (part + 1) * size), START);
    }));
    assert.equal(Object.keys(await storedSignUps(kv)).length, many.length + 1);
    assert.equal(await letters(kv), 1);
    await join(kv, [ADA], START + 1);
    assert.equal(await letters(kv), 1);
  });
}

Deno.test("storeSignUps() puts one letter into the outbox when four addresses of one mailbox sign up in separate commits at the same time", async () => {
  for (let round = 0; round < 20; round++) {
    using kv = await openMemoryKv();
    if (round % 2 === 0) await join(kv, ["grace+1@example.com"], START);
    await Promise.all(ALIASES.map((email) => join(kv, [email], START)));
    assert.equal(await letters(kv), 1);
  }
});

test("createGradualSweep() removes the letter limit of a mailbox 30 days after the last letter to the mailbox", async (kv) => {
  const count = async () => (await listAll(kv, { prefix: ["brake"] })).length;
  await join(kv, Array.from({ length: 30 }, (_, n) => `p${n}+1@example.com`), START);
  await join(kv, ["late+1@example.com"], START + DAY);
  const sweep = createGradualSweep<LetterLimit>(kv, {
    selector: LETTER_LIMITS,
    isOver: isLetterLimitObsolete,
  });
  await sweep(START + 30 * DAY - 1);
  assert.equal(await count(), 31);
  await sweep(START + 30 * DAY);
  assert.equal(await count(), 1);
  // An unreadable letter limit does not stop the sweep.
  await kv.raw.set(["brake", "damaged"], new TextEncoder().encode("{"));
  await sweep(START + 31 * DAY);
  const left = await kv.list({ prefix: ["brake"] }, { limit: 10 });
  assert.deepEqual(left.map(({ key }) => key), [["brake", "damaged"]]);
});

test("readNextReminder() gives 'complained' after a complaint, and 'unreadable' when the letter limit cannot be read", async (kv) => {
  const email = "ada+1@example.com";
  await join(kv, [email], START);
  const at = new Date(START + 2 * DAY).toISOString();
  const next = async () => readNextReminder(kv, { email, record: await recordOf(kv, email) }, at);
  assert.deepEqual(await next(), { nextReminder: at });
  const [limit] = await listAll<LetterLimit>(kv, { prefix: ["brake"] });
  await kv.commit(new Commit().set(limit!.key, { ...limit!.value, complainedAt: at }));
  assert.deepEqual(await next(), { noReminder: "complained" });
  await kv.raw.set(limit!.key, new TextEncoder().encode("{"));
  assert.deepEqual(await next(), { noReminder: "unreadable" });
});
