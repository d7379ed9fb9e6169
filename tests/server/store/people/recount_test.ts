import assert from "node:assert/strict";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../../server/store/people/change_records.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { random, recordId, storeSignUp } from "../../../support/records.ts";
import { finish, interrupted, LATER, openStore } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { testWith } from "../../../support/test_with.ts";

const now = () => START;

const test = testWith(openStore);

const SOUND = {
  exact: true,
  agrees: true,
  differences: [],
  unreadable: [],
  lists: { missing: 0, surplus: 0 },
  line: [],
  referrals: [],
};

test("recountRecords() reports 'exact: false' when a record changes before the recount has read the record", async (kv) => {
  const meanwhile = () => storeSignUp(kv, { email: "a9@example.com", lang: "de" }, LATER);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
  assert.deepEqual(report, {
    records: 10,
    changed: 1,
    exact: false,
    agrees: true,
    differences: [
      { counter: ["byLang", "de"], storedCount: 4, recounted: 5 },
      { counter: ["byLang", "en"], storedCount: 6, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/de/"], storedCount: 4, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/en/"], storedCount: 6, recounted: 5 },
    ],
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
    line: [],
    referrals: [],
  });
});

const READ = "a0@example.com";
const UNREAD = "a9@example.com";

const erase = (kv: Kv, email: string) => eraseSignUp(kv, email, { now: START, random });

/** Signs a person up who was erased, erases the person, and signs the person up again. */
async function comeBack(kv: Kv, email: string): Promise<void> {
  await storeSignUp(kv, { email }, LATER);
  await erase(kv, email);
  await storeSignUp(kv, { email }, LATER);
}

type Change = (kv: Kv) => Promise<unknown>;

/** Changes that come when five of the ten records were read, how many are counted, and what came before. */
const CHANGES: [what: string, change: Change, changed: number, before?: Change][] = [
  ["a person whom the recount has read is erased", (kv) => erase(kv, READ), 1],
  ["a person whom the recount has not read is erased", (kv) => erase(kv, UNREAD), 1],
  [
    "an erased person comes back whose place the recount has passed",
    (kv) => comeBack(kv, READ),
    1,
    (kv) => erase(kv, READ),
  ],
  [
    "an erased person comes back whose place the recount has not reached",
    (kv) => comeBack(kv, UNREAD),
    2,
    (kv) => erase(kv, UNREAD),
  ],
  [
    "a person whom the recount has not read expires",
    (kv) => {
      const decide = () => ({ leaves: "expired", at: START }) as const;
      return changeRecords(kv, [{ email: UNREAD, decide }], { outbox: NO_OUTBOX });
    },
    1,
  ],
  [
    "a record changes after a second recount",
    async (kv) => {
      await finish(recountRecords(kv, { now }));
      await storeSignUp(kv, { email: UNREAD, lang: "de" }, LATER);
    },
    1,
  ],
  [
    "one commit changes a record that was read and an unread record, and no counter",
    (kv) =>
      storeSignUps(kv, [
        { signUp: { email: READ, lang: "en" }, at: LATER, id: recordId() },
        { signUp: { email: UNREAD, lang: "de" }, at: LATER, id: recordId() },
      ]),
    1,
  ],
];

Deno.test("recountRecords() reports 'exact: false' when people change, leave or come back during the recount", async (t) => {
  for (const [what, change, expected, before] of CHANGES) {
    await t.step(what, async () => {
      using kv = await openStore();
      await before?.(kv);
      const { report } = await finish(
        recountRecords(interrupted(kv, 5, () => change(kv)), { now }),
      );
      assert.deepEqual([report.exact, report.agrees, report.changed], [false, true, expected]);
    });
  }
});

test("recountRecords() reads the counters again when a sign-up changes the counters before the recount's first commit", async (kv) => {
  let marks = 0;
  const busy = faultyKv(kv, async (commit) => {
    if (marks++ < 3) await storeSignUp(kv, { email: `b${marks}@example.com` }, LATER);
    return await commit();
  });
  const { report } = await finish(recountRecords(busy, { now }));
  assert.deepEqual(report, { records: 13, changed: 0, ...SOUND });
  assert.equal(marks, 4);
});
