import assert from "node:assert/strict";
import type { LineOf } from "../../../../shared/backup_lines.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import {
  placeInLog,
  readLettersTo,
  restoreLetterLog,
  setLoggedLetter,
} from "../../../../server/store/people/letter_log.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { OUTBOX, random, recordOf, storeAddresses } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const EVE = "eve@example.com";
const AT = new Date(START).toISOString();

/** The longest id of an item that a backup may have. */
const itemId = (n: number) => `${n}`.padStart(100, "0");

async function withPeople(emails: string[]) {
  const kv = await openMemoryKv();
  await storeAddresses(kv, emails, AT);
  return kv;
}

/** Puts letters to a person into the log. */
async function logLetters(kv: Kv, email: string, count: number): Promise<void> {
  const { id } = await recordOf(kv, email);
  for (let n = 0; n < count;) {
    const commit = new Commit();
    for (const end = Math.min(count, n + 100); n < end; n++) {
      const momentAndId = placeInLog(START + n, itemId(n));
      const letter = { letter: "link", putAt: new Date(START + n).toISOString() } as const;
      setLoggedLetter(commit, id, { momentAndId, letter });
    }
    await kv.commit(commit);
  }
}

/** The ids of the people in the log. Each entry must be in both lists. */
async function peopleInLog(kv: Kv): Promise<string[]> {
  const own = await listAll(kv, { prefix: ["letter_log"] });
  const all = await listAll(kv, { prefix: ["letter_log_at"] });
  assert.equal(own.length, all.length);
  return own.map(({ key }) => String(key[1]));
}

const lineOf = (recordId: string, n = 0): LineOf<"letter"> => ({
  kind: "letter",
  recordId,
  itemId: itemId(n),
  letter: { letter: "confirmation", putAt: AT },
});

Deno.test("eraseSignUp() erases a person with more letters in the log than a commit has room for", async () => {
  using kv = await withPeople([ADA, BOB]);
  await logLetters(kv, ADA, 501);
  await logLetters(kv, BOB, 1);
  const erased = await eraseSignUp(kv, ADA, { now: START, random });
  assert.equal(erased?.outcome, "erased");
  assert.deepEqual(await peopleInLog(kv), [(await recordOf(kv, BOB)).id]);
});

Deno.test("changeRecords() removes the letters of people who leave together when they are too many for one commit", async () => {
  const emails = [ADA, BOB, EVE];
  using kv = await withPeople(emails);
  for (const email of emails) await logLetters(kv, email, 200);
  const decide = () => ({ leaves: "expired", at: START }) as const;
  await changeRecords(kv, emails.map((email) => ({ email, decide })), { outbox: OUTBOX });
  assert.deepEqual(await peopleInLog(kv), []);
});

Deno.test("restoreLetterLog() stores the letters of several people in one commit, and none of a person who leaves meanwhile", async () => {
  using memory = await withPeople([ADA, BOB, EVE]);
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
  assert.deepEqual((await peopleInLog(memory)).sort(), [ada, ada, eve].sort());
  assert.deepEqual(await readLettersTo(memory, eve!), [lineOf(eve!).letter]);
  assert.equal(await restoreLetterLog(kv, lines, options), 0);
  assert.equal(commits, 2);
});

Deno.test("restoreLetterLog() stores the letters of more people than a commit has checks for", async () => {
  const emails = Array.from({ length: 20 }, (_, n) => `visitor${n}@example.com`);
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  for (const email of emails) await storeAddresses(kv, [email], AT);
  const records = await Promise.all(emails.map((email) => recordOf(kv, email)));
  const lines = records.map(({ id }) => lineOf(id));
  assert.equal(await restoreLetterLog(kv, lines, { now: START, audit: undefined }), 20);
  assert.equal((await peopleInLog(kv)).length, 20);
});
