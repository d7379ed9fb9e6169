import assert from "node:assert/strict";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { findPersonById } from "../../../../server/store/people/records.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { test } from "../../../support/memory_kv.ts";
import {
  changeRecord,
  recordId,
  storedCounters,
  storedIds,
  storeSignUp,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const AT = new Date(START).toISOString();
const ADA = "ada@example.com", BO = "bo@example.com";

test("findPersonById() finds nobody after the erasure of a person, even if the address signs up again", async (kv) => {
  for (const email of [ADA, BO]) await storeSignUp(kv, { email }, AT);
  const { [ADA]: ada = "", [BO]: bo = "" } = await storedIds(kv);
  assert.equal((await findPersonById(kv, ada))?.email, ADA);
  assert.equal((await findPersonById(kv, bo))?.record.id, bo);
  assert.equal(await findPersonById(kv, recordId()), undefined);
  await eraseSignUp(kv, ADA, { now: START, random: INVITING.random });
  assert.equal(await findPersonById(kv, ada), undefined);
  // A later sign-up with the address is another person.
  await storeSignUp(kv, { email: ADA }, AT);
  assert.equal(await findPersonById(kv, ada), undefined);
});

test("findPersonById() finds nobody when the id leads to a record with another id", async (kv) => {
  await storeSignUp(kv, { email: ADA }, AT);
  const other = recordId();
  await kv.commit(new Commit().set(["person_id", other, ADA], true));
  assert.equal(await findPersonById(kv, other), undefined);
});

test("writeRecord() updates the lists and counters of undeliverable and complaining people correctly at every change", async (kv) => {
  await storeWaiting(kv, 6, (n) => n < 4 ? { undeliverableAt: AT } : { complainedAt: AT });
  await assertListsAgree(kv);
  await changeRecord(kv, nth(0), ({ undeliverableAt: _, ...record }) => ({ record }));
  await changeRecord(kv, nth(1), (record) => ({ record: { ...record, complainedAt: AT } }));
  await changeRecord(kv, nth(2), (record) => ({ record: { ...record, lang: "de" } }));
  await eraseSignUp(kv, nth(3), { now: START, random: INVITING.random });
  // A sign-up removes the mark of a bounce, and not that of a complaint.
  for (const n of [2, 4]) await storeSignUp(kv, { email: nth(n) }, AT);
  await assertListsAgree(kv);
  const counters = await storedCounters(kv);
  assert.equal(counters["withMark/undeliverable"], 1);
  assert.equal(counters["withMark/complained"], 3);
});

test("writeRecord() leaves unchanged list entries alone when linkAt changes, and writes these entries again when the person signs up again", async (kv) => {
  await storeSignUp(kv, { email: ADA }, AT);
  const versions = async () =>
    (await kv.list({ prefix: ["person"] }, { limit: 9 })).map((entry) =>
      "version" in entry && entry.version
    );
  const before = await versions();
  await changeRecord(kv, ADA, (record) => ({ record: { ...record, linkAt: AT } }));
  assert.deepEqual(await versions(), before);
  await storeSignUp(kv, { email: ADA }, AT);
  for (const [at, version] of (await versions()).entries()) assert.notEqual(version, before[at]);
});
