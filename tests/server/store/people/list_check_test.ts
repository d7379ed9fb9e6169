import assert from "node:assert/strict";
import { join } from "node:path";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { damageEntry } from "../../../support/damage.ts";
import { inviteAll, INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { everyEntry, storedSignUps, storeSignUp } from "../../../support/records.ts";
import { finish, interrupted, LATER } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import {
  Commit,
  type Kv,
  type ListOptions,
  type Selector,
} from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { listAll, openFileKv, openMemoryKv, type TestKv } from "../../../support/memory_kv.ts";
import { testWith } from "../../../support/test_with.ts";

const now = () => START;

/** A store with people in all states, some of them in a wave. */
async function openMixed(): Promise<TestKv> {
  const kv = await openMemoryKv();
  await storeWaiting(kv, 300, (n) => n % 3 === 0 ? { state: "unconfirmed" } : {});
  await inviteAll(kv, { next: 20 });
  return kv;
}

const test = testWith(openMixed);

async function faultsOf(kv: Kv) {
  const { report: { agrees, lists } } = await finish(recountRecords(kv, { now }));
  return { agrees, ...lists };
}

test("recountRecords() finds no fault in correct lists, and changes only the schema entry, which contains the number of the recount", async (kv) => {
  const before = await everyEntry(kv);
  assert.deepEqual(await faultsOf(kv), { agrees: true, missing: 0, surplus: 0 });
  const after = await everyEntry(kv);
  assert.deepEqual(after.filter(({ key }) => key[0] !== "schema"), before);
});

test("recountRecords() counts missing and surplus entries in the lists of people, and repairCounters() corrects these lists", async (kv) => {
  const { createdAt } = (await storedSignUps(kv))[nth(1)]!;
  // Entries are missing, wrong, of nobody, and in a second list.
  await kv.commit(new Commit().delete(["wave_member", "first", createdAt, nth(1)]));
  await kv.commit(new Commit().set(["person", "invited", createdAt, nth(1)], { lang: "de" }));
  await kv.commit(
    new Commit().delete([
      "person",
      "waiting",
      (await storedSignUps(kv))[nth(200)]!.createdAt,
      nth(200),
    ]),
  );
  await kv.commit(
    new Commit().set(["person", "waiting", LATER, "nobody@example.com"], { lang: "en" }),
  );
  await kv.commit(new Commit().set(["person", "waiting", createdAt, nth(1)], { lang: "en" }));
  await kv.commit(new Commit().set(["expiry", LATER, nth(0)], true));
  assert.deepEqual(await faultsOf(kv), { agrees: false, missing: 2, surplus: 3 });
  await assert.rejects(assertListsAgree(kv));

  const repaired = await finish(repairCounters(kv, { now }));
  assert.deepEqual(repaired.lists, { missing: 2, surplus: 3 });
  assert.equal(repaired.repaired, true);
  await assertListsAgree(kv);
  assert.deepEqual(await faultsOf(kv), { agrees: true, missing: 0, surplus: 0 });
});

test("recountRecords() reports records without a state, and repairCounters() gives each record its state", async (kv) => {
  const { state: _, ...added } = (await storedSignUps(kv))[nth(200)]!;
  const people = ["zoe@example.com", "zora@example.com"];
  for (const email of people) {
    await kv.commit(
      new Commit().set(["sign_up", email], added).add(["statistics", "total"], 1)
        .add(["statistics", "added", added.createdAt.slice(0, 10)], 1)
        .add(["statistics", "withAnswers", `${added.createdAt.slice(0, 10)}/${added.lang}/`], 1)
        .add(["statistics", "byLang", added.lang], 1),
    );
  }
  // Only the state is lost; counters and lists are right.
  const invited = await readOne<SignUpRecord>(kv, ["sign_up", nth(1)]);
  const { state, ...rest } = invited.value!;
  assert.equal(state, "invited");
  await kv.commit(new Commit().set(invited.key, rest));

  const { report } = await finish(recountRecords(kv, { now }));
  const waiting = { counter: ["byState", "waiting"], storedCount: 180, recounted: 182 };
  assert.deepEqual(report.differences, [waiting]);
  assert.deepEqual(report.lists, { missing: 3, surplus: 0 });
  assert.equal(report.exact, true);
  assert.equal(report.agrees, false);

  const repaired = await finish(repairCounters(kv, { now }));
  assert.equal(repaired.repaired, true);
  assert.deepEqual(repaired.lists, { missing: 3, surplus: 0 });
  const stored = await storedSignUps(kv);
  assert.deepEqual([...people, nth(1)].map((email) => stored[email]?.state), [
    "waiting",
    "waiting",
    "invited",
  ]);
  await assertListsAgree(kv);
  assert.deepEqual(await faultsOf(kv), { agrees: true, missing: 0, surplus: 0 });
});

test(
  "recountRecords() reports neither missing nor surplus entries in the lists of people when people change during the recount",
  async (kv, t) => {
    const { random } = INVITING;
    const meanwhile = async () => {
      await storeSignUp(kv, { email: "a@example.com" }, LATER);
      await storeSignUp(kv, { email: nth(250), lang: "de" }, LATER);
      await eraseSignUp(kv, nth(251), { now: START, random });
      await inviteAll(kv, { wave: "second", emails: [nth(253), nth(254)] });
    };
    for (const steps of [5, 100, 310, 400, 600]) {
      await t.step(`people change after ${steps} steps of the recount`, async () => {
        const { report: { lists } } = await finish(
          recountRecords(interrupted(kv, steps, meanwhile), { now }),
        );
        assert.deepEqual(lists, { missing: 0, surplus: 0 });
      });
    }
  },
);

for (
  const { when, list, calls } of [
    { when: "before the records are read", list: "sign_up", calls: 1 },
    { when: "while the records are read", list: "sign_up", calls: 2 },
    { when: "after the records are read", list: "person", calls: 1 },
    { when: "while the lists are read", list: "person_id", calls: 1 },
  ]
) {
  test(`recountRecords() reads the records once when people join, and change or leave afterwards, ${when}`, async (kv) => {
    let callsOfList = 0;
    let reads = 0;
    const watched: Kv = {
      ...kv,
      async list<T>(selector: Selector, options: ListOptions) {
        if (selector.prefix[0] === list && ++callsOfList === calls) {
          for (const name of ["a", "m", "zoe"]) {
            await storeSignUp(kv, { email: `${name}@example.com` }, LATER);
          }
          await storeSignUp(kv, { email: "a@example.com", lang: "de" }, LATER);
          await eraseSignUp(kv, "zoe@example.com", { now: START, random: INVITING.random });
        }
        // A read of all records begins at the empty address.
        if (selector.prefix[0] === "sign_up" && selector.start?.at(-1) === "") {
          reads++;
        }
        return await kv.list<T>(selector, options);
      },
    };
    assert.deepEqual((await finish(recountRecords(watched, { now }))).report.lists, {
      missing: 0,
      surplus: 0,
    });
    assert.ok(callsOfList >= calls);
    assert.equal(reads, 1);
  });
}

Deno.test("repairCounters() repairs a list entry that KV cannot read", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    await storeWaiting(kv, 3);
  }
  damageEntry(path, nth(1), "value", ["person", "waiting"]);
  using kv = await openFileKv(path);
  await assert.rejects(listAll(kv, { prefix: ["person"] }));
  assert.deepEqual(await faultsOf(kv), { agrees: false, missing: 1, surplus: 0 });
  await finish(repairCounters(kv, { now }));
  await assertListsAgree(kv);
});

Deno.test("recountRecords() counts an entry of a list as missing when KV cannot read the entry's key", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    await storeWaiting(kv, 3);
  }
  damageEntry(path, nth(1), "key", ["person", "waiting"]);
  using kv = await openFileKv(path);
  assert.deepEqual(await faultsOf(kv), { agrees: false, missing: 1, surplus: 0 });
});
