import assert from "node:assert/strict";
import {
  createSignUpQueue,
  storeSignUps,
  type TimedSignUp,
} from "../../../../server/store/people/sign_ups.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { type AroundCommit, faultyKv } from "../../../support/faulty_kv.ts";
import { START } from "../../../support/service.ts";
import { readCounts, recordId, storeSignUp } from "../../../support/records.ts";
import type { Key, Kv } from "../../../../server/store/kv/engine.ts";
import { readAll, readOne } from "../../../../server/store/kv/calls.ts";
import { abortableKv } from "../../../../server/store/kv/deadline.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { LOCAL_TRAITS, REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";

const AT = new Date(START).toISOString();
const ADA = "ada@example.com";

function signUp(email: string, answers: Omit<TimedSignUp["signUp"], "email"> = {}): TimedSignUp {
  return { signUp: { email, ...answers }, at: AT, id: recordId() };
}

async function readRecord(kv: Kv, email: string): Promise<SignUpRecord | null> {
  return (await readOne<SignUpRecord>(kv, ["sign_up", email])).value;
}

const now = () => START;
const createQueue = (kv: Kv) => createSignUpQueue(kv, { nextId: recordId, now, monotonic: now });

/** An engine in memory, and the same engine whose commits go through `around`. */
async function openFaultyKv(around: AroundCommit, traits = LOCAL_TRAITS) {
  const kv = await openMemoryKv({ traits });
  return { kv, faulty: faultyKv(kv, around), [Symbol.dispose]: () => kv.close() };
}

test("storeSignUps() writes the record and the counters in one commit", async (kv, t) => {
  for (const lang of ["en", "de"] as const) {
    await t.step(`the sign-up has lang ${lang}`, async () => {
      await storeSignUp(kv, { email: ADA, lang }, AT);
      const [record, counter] = await readAll(kv, [["sign_up", ADA], [
        "statistics",
        "byLang",
        lang,
      ]]);
      assert.ok(record?.version);
      assert.equal(counter?.version, record.version);
    });
  }
});

Deno.test("storeSignUps() stores 98 addresses in one commit", async () => {
  let commits = 0;
  using engine = await openFaultyKv((commit) => (commits++, commit()));
  const signUps = Array.from({ length: 98 }, (_, n) => signUp(`visitor${n}@example.com`));
  await storeSignUps(engine.faulty, signUps);
  assert.equal(commits, 1);
  assert.equal((await readCounts(engine.kv, START)).total, 98);
});

test("storeSignUps() merges two sign-ups of one address in their order when one commit stores both sign-ups", async (kv) => {
  const first = signUp("a@example.com", { lang: "de", source: "hero" });
  await storeSignUps(kv, [
    first,
    signUp("b@example.com"),
    signUp("a@example.com", { source: "cta" }),
  ]);
  assert.deepEqual(await readRecord(kv, "a@example.com"), {
    id: first.id,
    createdAt: AT,
    consentedAt: AT,
    updatedAt: AT,
    lang: "de",
    source: "cta",
    state: "waiting",
  });
  const counts = await readCounts(kv, START);
  assert.equal(counts.total, 2);
  assert.deepEqual(counts.byLang, { de: 1, en: 1 });
  assert.deepEqual(counts.bySource, { cta: 1 });
});

Deno.test("storeSignUps() moves a sign-up to a separate commit when another process has changed the record since the read", async () => {
  let commits = 0;
  using engine = await openFaultyKv(async (commit) => {
    commits++;
    // The other process commits between the read of this process and its first commit.
    if (commits === 1) await storeSignUps(engine.kv, [signUp("a@example.com", { lang: "de" })]);
    return await commit();
  });
  const addresses = ["a", "b", "c"].map((name) => signUp(`${name}@example.com`));
  await storeSignUps(engine.faulty, addresses);
  assert.equal(commits, 3, "all; then the two that kept their race, and the one that lost it");
  assert.equal((await readRecord(engine.kv, "a@example.com"))?.lang, "de");
  const counts = await readCounts(engine.kv, START);
  assert.equal(counts.total, 3);
  assert.deepEqual(counts.byLang, { de: 1, en: 2 });
});

Deno.test("storeSignUps() tries no further commit when its signal has aborted", async () => {
  const abort = new AbortController();
  using engine = await openFaultyKv((commit) => {
    if (abort.signal.aborted) return commit();
    abort.abort(new Error("Too late"));
    return Promise.reject(new Error("The connection was reset"));
  });
  const commits: Promise<unknown>[] = [];
  const counting: Kv = {
    ...engine.faulty,
    commit(commit) {
      const outcome = engine.faulty.commit(commit);
      commits.push(outcome);
      return outcome;
    },
  };
  const kv = abortableKv(counting, abort.signal);
  await assert.rejects(storeSignUps(kv, [signUp("a@example.com")]), /Too late/);
  // The given-up commit still asks for its outcome, and its timers must end within this test.
  await Promise.allSettled(commits);
  assert.equal(commits.length, 1);
  assert.equal((await readCounts(engine.kv, START)).total, 0);
});

for (const [name, traits] of Object.entries({ many: LOCAL_TRAITS, few: REMOTE_TRAITS })) {
  Deno.test(`createSignUpQueue() lets 250 sign-ups share commits, and answers each sign-up after its commit (${name} checks in a commit)`, async () => {
    const largest = { checks: 0 };
    using memory = await openFaultyKv(async (commit) => {
      const before = (await readCounts(memory.kv, START)).total;
      const result = await commit();
      const added = (await readCounts(memory.kv, START)).total - before;
      largest.checks = Math.max(largest.checks, added);
      return result;
    }, { ...traits, commitsInFlight: 1 });
    const join = createQueue(memory.faulty);
    await Promise.all(Array.from({ length: 250 }, async (_, n) => {
      const email = `visitor${n}@example.com`;
      await join({ email });
      assert.notEqual(await readRecord(memory.kv, email), null);
    }));
    assert.equal((await readCounts(memory.kv, START)).total, 250);
    assert.ok(largest.checks <= traits.checksPerCommit, `${largest.checks} checks`);
    assert.ok(largest.checks > 1, "they share commits");
  });
}

Deno.test("createSignUpQueue() returns 'overloaded' when ten thousand sign-ups wait", async () => {
  const stuck = Promise.withResolvers<void>();
  using memory = await openFaultyKv(async (commit) => (await stuck.promise, commit()));
  const join = createQueue(memory.faulty);
  const joined = [];
  // Two batches of 98 have begun.
  for (let n = 0; n < 10_196; n++) joined.push(join({ email: `visitor${n % 50}@example.com` }));
  assert.equal(join({ email: "last@example.com" }), "overloaded");
  stuck.resolve();
  await Promise.all(joined);
  assert.equal((await readCounts(memory.kv, START)).total, 50);
});

// So that timing tells nothing.
test("createSignUpQueue() makes the same calls to KV for a known address and for a new address", async (kv) => {
  const operations: string[] = [];
  // A new address gets a random id.
  const nameOf = ({ key }: { key: Key }) =>
    key.join("/").replace(/(ada|grace)@/, "somebody@").replace(/^person_id\/[^/]+/, "person_id/id");
  const watched: Kv = {
    ...kv,
    get: (keys) => (operations.push("get"), kv.get(keys)),
    commit(commit) {
      operations.push(...commit.checks.map(nameOf), ...commit.writes.map(nameOf));
      return kv.commit(commit);
    },
  };
  const join = createSignUpQueue(watched, {
    nextId: recordId,
    now: () => START,
    monotonic: () => START,
  });
  await join({ email: "ada@example.com" });
  const work = [];
  for (const email of ["ada@example.com", "grace@example.com"]) {
    operations.length = 0;
    await join({ email });
    work.push([...operations]);
  }
  assert.deepEqual(work[0], work[1]);
  assert.ok(work[0]?.includes("statistics/total"));
});
