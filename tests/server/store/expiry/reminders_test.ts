/** The one reminder of `REMIND_AFTER_DAYS`. */
import assert from "node:assert/strict";
import { startExpiry } from "../../../../server/store/expiry/mod.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { RESTORE } from "../../../../server/store/kv/keys.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import {
  noteConfirmationTaken,
  noteUndeliverable,
} from "../../../../server/waitlist/letter_outcomes.ts";
import { recordLog } from "../../../support/log.ts";
import { openMemoryKv, type TestKv } from "../../../support/memory_kv.ts";
import { join } from "../../../support/outbox_worker.ts";
import { changeRecord, OUTBOX, recordOf, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const DAY = 24 * 60 * 60_000;
const ADA = "ada@example.com", BO = "bo@example.com";

/** A store with people who got a letter at the start and have not confirmed. */
async function openJoined(emails: string[]): Promise<TestKv> {
  const kv = await openMemoryKv();
  await join(kv, emails);
  for (const email of emails) {
    await changeRecord(
      kv,
      email,
      (record) => ({ record: noteConfirmationTaken(record, iso(START)) }),
    );
  }
  return kv;
}

const iso = (moment: number) => new Date(moment).toISOString();

/** A process that reminds after three days. */
function startProcess(kv: TestKv) {
  const clock = { now: START };
  const { log, lines } = recordLog();
  const expiry = startExpiry({
    kv,
    runtime: {
      now: () => clock.now,
      monotonic: () => clock.now,
      log,
      repeat: () => ({ close: () => Promise.resolve() }),
    },
    outbox: OUTBOX,
    unconfirmedDays: 14,
    remindAfterDays: 3,
  });
  return {
    lines,
    async runAt(ms: number) {
      clock.now = START + ms;
      await expiry.run();
    },
  };
}

/** The number of confirmation letters to each address, the first one included. */
async function lettersTo(kv: TestKv): Promise<Record<string, number>> {
  const items = await readFirstItems(kv, "letters", { limit: 100 });
  return Object.fromEntries(
    Map.groupBy(items, ({ item }) => item.email).entries().map(([email, { length }]) => [
      email,
      length,
    ]),
  );
}

Deno.test("startExpiry() reminds a person only once, when REMIND_AFTER_DAYS days have passed since the first confirmation letter was taken", async () => {
  using kv = await openJoined([ADA]);
  const { runAt } = startProcess(kv);
  await runAt(0);
  await runAt(3 * DAY - 1);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 1 });
  await runAt(3 * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2 });
  const taken = iso(START + 3 * DAY);
  await changeRecord(kv, ADA, (record) => ({ record: noteConfirmationTaken(record, taken) }));
  for (const day of [4, 6, 9, 16]) await runAt(day * DAY);
  assert.deepEqual((await recordOf(kv, ADA)).confirmations?.count, 2);
  // The time to confirm runs from the reminder on.
  await runAt(17 * DAY);
  assert.deepEqual(await storedSignUps(kv), {});
});

Deno.test("startExpiry() reminds a person on the right day even if the clock was half an hour ahead for a while", async () => {
  using kv = await openJoined([ADA]);
  const { runAt, lines } = startProcess(kv);
  for (const minutes of [0, 30, 0]) await runAt(2 * DAY + minutes * 60_000);
  assert.deepEqual(lines, []);
  await runAt(3 * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2 });
});

Deno.test("startExpiry() reminds nobody who has confirmed, is undeliverable, has complained, got two confirmation letters or has reached a letter limit", async () => {
  const emails = ["confirmed", "undeliverable", "complained", "asked", "limited"]
    .map((name) => `${name}@example.com`);
  using kv = await openJoined([...emails, ADA]);
  const at = iso(START + DAY);
  const changes: ((record: SignUpRecord) => SignUpRecord)[] = [
    (record) => ({ ...record, state: "waiting" }),
    (record) => noteUndeliverable(record, at),
    (record) => ({ ...record, complainedAt: at }),
    (record) => ({ ...record, confirmations: { ...record.confirmations!, count: 2 } }),
    (record) => ({ ...record, letters: [at, at, at] }),
  ];
  for (const [index, change] of changes.entries()) {
    await changeRecord(kv, emails[index]!, (record) => ({ record: change(record) }));
  }
  await startProcess(kv).runAt(3 * DAY);
  const more = Object.entries(await lettersTo(kv)).filter(([, letters]) => letters > 1);
  assert.deepEqual(more, [[ADA, 2]]);
});

Deno.test("startExpiry() in two processes reminds each person once, three days after the confirmation letter to the person", async () => {
  using kv = await openJoined([ADA]);
  const processes = [startProcess(kv), startProcess(kv)];
  await Promise.all(processes.map(({ runAt }) => runAt(3 * DAY)));
  await join(kv, [BO], START + 4 * DAY);
  await changeRecord(
    kv,
    BO,
    (record) => ({ record: noteConfirmationTaken(record, iso(START + 4 * DAY)) }),
  );
  for (const { runAt } of processes) await runAt(5 * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2, [BO]: 1 });
  for (const { runAt } of processes) await runAt(7 * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2, [BO]: 2 });
});

Deno.test("startExpiry() reminds a person within a day after the person's letter limit ends", async () => {
  using kv = await openJoined([ADA, BO]);
  const letters = [iso(START + 2.5 * DAY)];
  await changeRecord(kv, ADA, (record) => ({ record: { ...record, letters } }));
  const { runAt } = startProcess(kv);
  for (const days of [0, 1, 2, 3]) await runAt(days * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 1, [BO]: 2 });
  for (const days of [3.5, 4, 4.5]) await runAt(days * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2, [BO]: 2 });
});

Deno.test("startExpiry() reminds nobody while a restore is under way, and reminds due people afterwards", async () => {
  using kv = await openJoined([ADA]);
  const restore = { restoreId: "a", startedAt: iso(START) };
  await kv.commit(new Commit().set(RESTORE, restore));
  const { runAt } = startProcess(kv);
  await runAt(3 * DAY);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 1 });
  await kv.commit(new Commit().delete(RESTORE));
  await runAt(3 * DAY + 60_000);
  assert.deepEqual(await lettersTo(kv), { [ADA]: 2 });
});
