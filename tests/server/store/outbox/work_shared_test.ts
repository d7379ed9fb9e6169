import assert from "node:assert/strict";
import { type OutboxEntry } from "../../../../server/store/outbox/changes.ts";
import { readDue, readOutboxCounts } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { askForLink } from "../../../../server/waitlist/transitions.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { changeRecord, random, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import type { EngineTraits } from "../../../../server/store/kv/engine.ts";

const OUTBOX = { letters: true, events: false, random };
const TODAY = "2026-11-21";
const AT = new Date(START).toISOString();
const EMAILS = Array.from({ length: 12 }, (_, n) => `visitor${n}@example.com`);

/** A store with one confirmation letter for each address, which counts its later commits. */
async function openOutbox(traits: EngineTraits) {
  const kv = await openMemoryKv({ traits });
  await storeAddresses(kv, EMAILS, AT, { outbox: OUTBOX });
  let commits = 0;
  const counting = faultyKv(kv, (commit) => (commits++, commit()));
  const store = createOutboxStore(counting, { monotonic: () => performance.now() });
  return { kv, store, commits: () => commits, [Symbol.dispose]: () => kv.close() };
}

function claimAll(
  { store }: Awaited<ReturnType<typeof openOutbox>>,
  entries: OutboxEntry[],
): Promise<(OutboxEntry | undefined)[]> {
  return Promise.all(
    entries.map((entry) => store.claim(entry, { at: START, until: START + 300_000 })),
  );
}

Deno.test("createOutboxStore() shares commits among claims and among letters that were sent", async () => {
  for (const [checksPerCommit, claims, notes] of [[99, 1, 1], [9, 2, 3]] as const) {
    using outbox = await openOutbox({ checksPerCommit, commitsInFlight: 16 });
    const { kv, store, commits } = outbox;
    const claimed = await claimAll(outbox, await readDue(kv, "letters", { limit: 99 }));
    assert.deepEqual(claimed.map((entry) => entry?.item.email).sort(), EMAILS.toSorted());
    assert.equal(commits(), claims);
    await Promise.all(claimed.map((entry) => store.sent(entry!, START)));
    assert.equal(commits() - claims, notes);
    assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 0, sent: 12 });
    for (const { confirmations, outbox } of Object.values(await storedSignUps(kv))) {
      assert.deepEqual([confirmations?.takenAt, outbox], [AT, undefined]);
    }
  }
});

Deno.test("createOutboxStore() claims the other items of a commit when another process has one of them", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const due = await readDue(outbox.kv, "letters", { limit: 99 });
  assert.ok(await createOutboxStore(outbox.kv).claim(due[3]!, { at: START, until: START + 1 }));
  const claimed = await claimAll(outbox, due);
  assert.deepEqual(claimed.map((entry) => entry !== undefined), due.map((_, n) => n !== 3));
});

Deno.test("createOutboxStore() stores outcomes together when a person has two letters and another person was erased", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const { kv, store } = outbox;
  const [ada = "", grace = "", joan = ""] = EMAILS;
  await changeRecord(kv, ada, (record) => askForLink(record, AT, { letters: [] }));
  const due = await readDue(kv, "letters", { limit: 99 });
  const claimed = await claimAll(outbox, due);
  await eraseSignUp(kv, grace, { now: START, random, outbox: OUTBOX });
  await Promise.all(
    claimed.map((entry) =>
      entry?.item.email === joan
        ? store.refuseRecipient(entry, { at: START, reason: "550 unknown" })
        : store.sent(entry!, START)
    ),
  );
  const stored = await storedSignUps(kv);
  assert.deepEqual(Object.keys(stored).sort(), EMAILS.filter((email) => email !== grace).sort());
  assert.equal(stored[joan]?.undeliverableAt, AT);
  assert.equal(stored[joan]?.outbox?.length, 1);
  assert.equal(stored[ada]?.confirmations?.takenAt, AT);
  assert.equal(stored[ada]?.linkAt, AT);
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 1, sent: 11 });
});
