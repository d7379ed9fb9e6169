import assert from "node:assert/strict";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { changeRecords } from "../../../../server/store/people/change_records.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { momentAndIdOf, setLoggedLetter } from "../../../../server/store/people/letter_log.ts";
import { longItemId, readRecordIdsInLog } from "../../../support/letter_log.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { OUTBOX, random, recordOf, storeAddresses } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const AT = new Date(START).toISOString();

async function withPeople(emails: string[]) {
  const kv = await openMemoryKv();
  await storeAddresses(kv, emails, AT);
  return kv;
}

/** Puts letters to a person into the log. */
async function logLetters(kv: Kv, email: string, count: number): Promise<void> {
  const { id: recordId } = await recordOf(kv, email);
  for (let n = 0; n < count;) {
    const commit = new Commit();
    for (const end = Math.min(count, n + 100); n < end; n++) {
      const putAt = new Date(START + n).toISOString();
      const momentAndId = momentAndIdOf(putAt, longItemId(n));
      setLoggedLetter(commit, { recordId, momentAndId, letter: { letter: "link", putAt } });
    }
    await kv.commit(commit);
  }
}

Deno.test("eraseSignUp() erases a person who has more letters in the letter log than one commit can delete", async () => {
  using kv = await withPeople([ADA, BOB]);
  await logLetters(kv, ADA, 501);
  await logLetters(kv, BOB, 1);
  const erased = await eraseSignUp(kv, ADA, { now: START, random });
  assert.equal(erased?.outcome, "erased");
  assert.deepEqual(await readRecordIdsInLog(kv), [(await recordOf(kv, BOB)).id]);
});

Deno.test("changeRecords() removes the letters of several expired people from the log, even if one commit cannot delete all these letters", async () => {
  const emails = [ADA, BOB, EVE];
  using kv = await withPeople(emails);
  for (const email of emails) await logLetters(kv, email, 200);
  const decide = () => ({ leaves: "expired", at: START }) as const;
  await changeRecords(kv, emails.map((email) => ({ email, decide })), { outbox: OUTBOX });
  assert.deepEqual(await readRecordIdsInLog(kv), []);
});
