import assert from "node:assert/strict";
import { createLog } from "../../../../server/runtime/mod.ts";
import { expirePeople, startExpiry } from "../../../../server/store/expiry/mod.ts";
import {
  confirmSignUp,
  noteTaken,
  noteUndeliverable,
} from "../../../../server/waitlist/transitions.ts";
import { changeRecord, OUTBOX, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv, test, type TestKv } from "../../../support/memory_kv.ts";
import { beginRestore, claimStore, endRestore } from "../../../../server/store/backup/restore.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const AT = new Date(START).toISOString();
const [ADA, BO] = ["ada@example.com", "bo@example.com"];

/** Stores people who have not confirmed, and whose letters the mail server took at the start. */
async function join(kv: Kv, emails = [ADA, BO]): Promise<void> {
  await storeAddresses(kv, emails, AT);
  for (const email of emails) {
    await changeRecord(kv, email, (record) => ({ record: noteTaken(record, AT) }));
  }
}

/** A store with a person whose letter was taken at the start, and who does not confirm. */
async function openJoined(): Promise<TestKv> {
  const kv = await openMemoryKv();
  await join(kv, [ADA]);
  return kv;
}

/** A process that starts at a moment of its clock, and erases expired people at once. */
async function startProcess(kv: Kv, now = START) {
  const clock = { now, monotonic: 0 };
  const jumps: unknown[] = [];
  const expiry = startExpiry({
    kv,
    runtime: {
      now: () => clock.now,
      monotonic: () => clock.monotonic,
      log: createLog({
        level: "warn",
        now: () => clock.now,
        write: (line) => jumps.push(JSON.parse(line).hours),
      }),
      repeat: () => ({ close: () => Promise.resolve() }),
    },
    outbox: OUTBOX,
    unconfirmedDays: 14,
    remindAfterDays: undefined,
  });
  await expiry.run();
  return {
    clock,
    /** The jumps in the log, in hours. */
    jumps,
    async jump(ms: number) {
      clock.now += ms;
      await expiry.run();
    },
    async pass(ms: number) {
      clock.now += ms;
      clock.monotonic += ms;
      await expiry.run();
    },
  };
}

const people = async (kv: Kv) => Object.keys(await storedSignUps(kv)).length;

Deno.test("startExpiry() erases nobody when the clock is 15 days ahead for a minute", async () => {
  using kv = await openJoined();
  const { jump, pass, jumps } = await startProcess(kv);
  await jump(15 * DAY);
  await pass(MINUTE);
  await jump(-15 * DAY);
  await pass(MINUTE);
  assert.equal(await people(kv), 1);
  assert.deepEqual(jumps, [360, -360]);
  await pass(14 * DAY);
  assert.equal(await people(kv), 0, "the clock has been right for longer than a day");
});

Deno.test("startExpiry() erases again when a day of the monotonic clock has passed after a jump", async () => {
  using kv = await openJoined();
  const { jump, pass } = await startProcess(kv);
  await jump(15 * DAY);
  await pass(DAY - 1);
  assert.equal(await people(kv), 1);
  await pass(1);
  assert.equal(await people(kv), 0);
});

Deno.test("startExpiry() adds up small jumps of the clock, and ignores a sum of up to an hour", async () => {
  using kv = await openJoined();
  const { jump, jumps } = await startProcess(kv);
  await jump(HOUR);
  assert.deepEqual(jumps, []);
  await jump(MINUTE);
  assert.deepEqual(jumps, [1]);
});

// Such a process knows only the moment of the last run, from the store.
Deno.test("startExpiry() erases nobody for a day when the process starts while the clock is days ahead", async () => {
  using kv = await openJoined();
  await startProcess(kv);
  const { clock, jumps, pass } = await startProcess(kv, START + 15 * DAY);
  assert.deepEqual(jumps, [360]);
  await pass(20 * HOUR);
  const next = await startProcess(kv, clock.now + HOUR);
  assert.equal(await people(kv), 1, "a restart does not end the day");
  await next.pass(3 * HOUR);
  assert.equal(await people(kv), 0, "nor does it begin another");
  assert.deepEqual(next.jumps, []);
});

Deno.test("startExpiry() keeps one process from erasing, and not another, when their clocks differ", async () => {
  using kv = await openJoined();
  const [wrong, right] = [await startProcess(kv), await startProcess(kv)];
  await wrong.jump(15 * DAY);
  await right.pass(14 * DAY - 1);
  assert.deepEqual([await people(kv), right.jumps], [1, []]);
  await right.pass(1);
  assert.equal(await people(kv), 0);
});

Deno.test("startExpiry() erases at once when the service was off for a day", async () => {
  using kv = await openJoined();
  const { pass } = await startProcess(kv);
  await pass(13 * DAY);
  const { jumps } = await startProcess(kv, START + 14 * DAY);
  assert.deepEqual([await people(kv), jumps], [0, []]);
});

const RESTORE = {
  checksum: "0".repeat(64),
  counts: { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 },
};

/** Erases the people who have not confirmed within 14 days; gives their number. */
function expire(kv: Kv, now = START + 14 * DAY): Promise<number> {
  const { signal } = new AbortController();
  return expirePeople(kv, { days: 14, now, outbox: OUTBOX, signal });
}

const emailsIn = async (kv: Kv) => Object.keys(await storedSignUps(kv));

test("expirePeople() leaves a person alone who confirms before its commit", async (kv) => {
  await join(kv);
  const consent = { at: AT, consentText: "c" };
  const racing = racingKv(kv, () => {
    return changeRecord(kv, ADA, (record) => ({ record: confirmSignUp(record, consent).record }));
  });
  assert.equal(await expire(racing), 1);
  assert.deepEqual(await emailsIn(kv), [ADA]);
  await assertListsAgree(kv);
});

test("expirePeople() erases nobody while a restore is under way, and goes on after it", async (kv) => {
  const begun = await beginRestore(kv, RESTORE, START);
  assert.ok("restore" in begun);
  assert.ok(await claimStore(kv, RESTORE.checksum));
  await join(kv);
  assert.equal(await expire(kv), 0);
  assert.deepEqual(await emailsIn(kv), [ADA, BO]);
  await endRestore(kv, begun.restore);
  assert.equal(await expire(kv), 2);
});

test("expirePeople() erases people when a restore has stored no line", async (kv) => {
  assert.ok("restore" in await beginRestore(kv, RESTORE, START));
  await join(kv);
  assert.equal(await expire(kv), 2);
});

test("expirePeople() erases nobody from a restore that begins meanwhile", async (kv) => {
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

test("expirePeople() erases people whose letter was refused, never taken, or never put in", async (kv) => {
  await storeAddresses(kv, [ADA, "ada+1@example.com", BO], AT);
  await changeRecord(kv, BO, (record) => ({ record: noteUndeliverable(record, AT) }));
  assert.equal((await storedSignUps(kv))["ada+1@example.com"]?.confirmations, undefined);
  assert.equal(await expire(kv, START + 14 * DAY - 1), 0);
  assert.equal(await expire(kv), 3);
  assert.deepEqual(await emailsIn(kv), []);
  await assertListsAgree(kv);
});

test("expirePeople() reaches everybody in a few calls when many people got later letters", async (kv) => {
  const late = Array.from({ length: 1_100 }, (_, n) => `a${n}@example.com`);
  for (const at of [START, START + DAY]) await storeAddresses(kv, late, new Date(at).toISOString());
  await storeAddresses(kv, ["z@example.com"], AT);
  const cursor = {};
  const options = { days: 14, now: START + 14 * DAY, outbox: OUTBOX, cursor };
  const { signal } = new AbortController();
  const erased = [];
  for (let call = 0; call < 4; call++) {
    erased.push(await expirePeople(kv, { ...options, signal }));
  }
  assert.deepEqual(erased, [0, 0, 1, 0]);
  assert.equal((await emailsIn(kv)).length, late.length);
});
