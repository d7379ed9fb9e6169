import assert from "node:assert/strict";
import { beginRestore, claimStore, endRestore } from "../../../../server/store/backup/restore.ts";
import { createPeopleExpiry } from "../../../../server/store/expiry/expire_people.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { confirmSignUp } from "../../../../server/waitlist/transitions.ts";
import {
  noteConfirmationTaken,
  noteUndeliverable,
} from "../../../../server/waitlist/letter_outcomes.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { test } from "../../../support/memory_kv.ts";
import { changeRecord, OUTBOX, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const DAY = 24 * 60 * 60_000;

const AT = new Date(START).toISOString();
const [ADA, BO] = ["ada@example.com", "bo@example.com"];

/** Stores people who have not confirmed, and whose letters the mail server took at the start. */
async function join(kv: Kv, emails = [ADA, BO]): Promise<void> {
  await storeAddresses(kv, emails, AT);
  for (const email of emails) {
    await changeRecord(kv, email, (record) => ({ record: noteConfirmationTaken(record, AT) }));
  }
}

const RESTORE = {
  checksum: "0".repeat(64),
  counts: { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 },
};

/** Erases the people who have not confirmed within 14 days; gives their number. */
function expire(kv: Kv, now = START + 14 * DAY): Promise<number> {
  const { signal } = new AbortController();
  return createPeopleExpiry({ kv, outbox: OUTBOX, days: 14 })(now, signal);
}

const emailsIn = async (kv: Kv) => Object.keys(await storedSignUps(kv));

test("createPeopleExpiry() does not erase a person who confirms just before the commit of the erasure", async (kv) => {
  await join(kv);
  const consent = { at: AT, consentText: "c" };
  const racing = racingKv(kv, () => {
    return changeRecord(kv, ADA, (record) => ({ record: confirmSignUp(record, consent).record }));
  });
  assert.equal(await expire(racing), 1);
  assert.deepEqual(await emailsIn(kv), [ADA]);
  await assertListsAgree(kv);
});

test("createPeopleExpiry() erases nobody while a restore is under way, and erases expired people after the restore", async (kv) => {
  const begun = await beginRestore(kv, RESTORE, START);
  assert.ok("restore" in begun);
  assert.ok(await claimStore(kv, RESTORE.checksum));
  await join(kv);
  assert.equal(await expire(kv), 0);
  assert.deepEqual(await emailsIn(kv), [ADA, BO]);
  await endRestore(kv, begun.restore);
  assert.equal(await expire(kv), 2);
});

test("createPeopleExpiry() erases expired people when a restore has begun and has not stored a line yet", async (kv) => {
  assert.ok("restore" in await beginRestore(kv, RESTORE, START));
  await join(kv);
  assert.equal(await expire(kv), 2);
});

test("createPeopleExpiry() erases nobody when a restore stores its first line during the expiry", async (kv) => {
  assert.ok("restore" in await beginRestore(kv, RESTORE, START));
  let steps = 0;
  const racing = faultyKv(kv, (commit) => commit(), async (read) => {
    if (++steps === 1) {
      await claimStore(kv, RESTORE.checksum);
      await join(kv);
    }
    return await read();
  });
  assert.equal(await expire(racing), 0);
  assert.deepEqual(await emailsIn(kv), [ADA, BO]);
});

test("createPeopleExpiry() erases unconfirmed people whose confirmation letter was refused, not taken or not put into the outbox", async (kv) => {
  await storeAddresses(kv, [ADA, "ada+1@example.com", BO], AT);
  await changeRecord(kv, BO, (record) => ({ record: noteUndeliverable(record, AT) }));
  assert.equal((await storedSignUps(kv))["ada+1@example.com"]?.confirmations, undefined);
  assert.equal(await expire(kv, START + 14 * DAY - 1), 0);
  assert.equal(await expire(kv), 3);
  assert.deepEqual(await emailsIn(kv), []);
  await assertListsAgree(kv);
});

test("createPeopleExpiry() erases an expired person in the third call when 1,100 people with newer letters stand first in the list", async (kv) => {
  const late = Array.from({ length: 1_100 }, (_, n) => `a${n}@example.com`);
  for (const at of [START, START + DAY]) await storeAddresses(kv, late, new Date(at).toISOString());
  await storeAddresses(kv, ["z@example.com"], AT);
  const expirePeople = createPeopleExpiry({ kv, outbox: OUTBOX, days: 14 });
  const { signal } = new AbortController();
  const erased = [];
  for (let call = 0; call < 4; call++) erased.push(await expirePeople(START + 14 * DAY, signal));
  assert.deepEqual(erased, [0, 0, 1, 0]);
  assert.equal((await emailsIn(kv)).length, late.length);
});
