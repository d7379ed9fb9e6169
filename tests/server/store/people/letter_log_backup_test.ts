import assert from "node:assert/strict";
import type { LineOf } from "../../../../shared/backup_lines.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readLettersTo } from "../../../../server/store/people/letter_log.ts";
import { restoreLetterLog } from "../../../../server/store/people/letter_log_backup.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { longItemId, readRecordIdsInLog } from "../../../support/letter_log.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { random, recordOf, storeAddresses } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const AT = new Date(START).toISOString();

const lineOf = (recordId: string, n = 0): LineOf<"letter"> => ({
  kind: "letter",
  recordId,
  itemId: longItemId(n),
  letter: { letter: "confirmation", putAt: AT },
});

Deno.test("restoreLetterLog() stores the letters of several people in one commit, and stores no letter of a person who is erased meanwhile", async () => {
  using memory = await openMemoryKv();
  await storeAddresses(memory, [ADA, BOB, EVE], AT);
  const [ada, bob, eve] = await Promise.all(
    [ADA, BOB, EVE].map(async (email) => (await recordOf(memory, email)).id),
  );
  let commits = 0;
  const kv = faultyKv(memory, async (commit) => {
    commits++;
    if (commits === 1) await eraseSignUp(memory, BOB, { now: START, random });
    return await commit();
  });
  const lines = [lineOf(ada!), lineOf(ada!, 1), lineOf(bob!), lineOf(eve!), lineOf("unknown")];
  const options = { now: START, audit: undefined };
  assert.equal(await restoreLetterLog(kv, lines, options), 3);
  assert.equal(commits, 2);
  assert.deepEqual((await readRecordIdsInLog(memory)).sort(), [ada, ada, eve].sort());
  assert.deepEqual(await readLettersTo(memory, eve!), [lineOf(eve!).letter]);
  assert.equal(await restoreLetterLog(kv, lines, options), 0);
  assert.equal(commits, 2);
});

Deno.test("restoreLetterLog() stores the letters of all people even if the engine allows fewer checks in a commit than there are people", async () => {
  const emails = Array.from({ length: 20 }, (_, n) => `visitor${n}@example.com`);
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  for (const email of emails) await storeAddresses(kv, [email], AT);
  const records = await Promise.all(emails.map((email) => recordOf(kv, email)));
  const lines = records.map(({ id }) => lineOf(id));
  assert.equal(await restoreLetterLog(kv, lines, { now: START, audit: undefined }), 20);
  assert.equal((await readRecordIdsInLog(kv)).length, 20);
});
