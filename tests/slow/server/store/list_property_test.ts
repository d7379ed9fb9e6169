/** Whatever is done to the list, in whatever order: after each step the counters equal a recount. @module */
import assert from "node:assert/strict";
import fc from "fast-check";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import { eraseSignUp, findSignUp } from "../../../../server/store/people/erasure.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import { mergeImported } from "../../../../server/waitlist/merge_records.ts";
import { random, readCounts, recordId, recount, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

const DAY = 24 * 60 * 60 * 1000;
const timeOf = (days: number) => new Date(START - days * DAY).toISOString();

/** Few addresses and answers, so that steps meet. */
const person = fc.record({
  email: fc.integer({ min: 0, max: 5 }).map((n) => `person${n}@example.com`),
  daysAgo: fc.integer({ min: 0, max: 40 }),
  lang: fc.constantFrom(undefined, "en", "de"),
  source: fc.constantFrom(undefined, "hero", "cta"),
  role: fc.constantFrom(undefined, "engineer", "planner"),
});
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

const people = fc.array(person, { minLength: 1, maxLength: 6 });

/** What can happen. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("join"), people }),
  fc.record({ kind: fc.constant("import"), people }),
  fc.record({ kind: fc.constant("erase"), people: fc.tuple(person) }),
  fc.record({ kind: fc.constant("fault"), people: fc.tuple(person) }),
  fc.record({ kind: fc.constant("at once"), people }),
);

function answersOf({ email, lang, source }: Person) {
  return { email, ...(lang && { lang }), ...(source && { source }) } as const;
}

async function join(kv: Kv, people: Person[]): Promise<void> {
  const signUps = people.map((each) => ({
    signUp: answersOf(each) as never,
    at: timeOf(each.daysAgo),
    id: recordId(),
  }));
  await storeSignUps(kv, signUps);
}

function importAll(kv: Kv, people: Person[]) {
  const bulkSignUps = people.map((each): BulkSignUp => {
    const { role, daysAgo } = each;
    const line = { ...answersOf(each), consentedAt: timeOf(daysAgo), ...(role && { role }) };
    return {
      email: each.email,
      answers: { role },
      consentedAt: line.consentedAt,
      merge: (existing) =>
        mergeImported(existing, line as never, { at: timeOf(0), id: recordId() }),
    };
  });
  return storeBulkSignUps(kv, bulkSignUps);
}

const erase = (kv: Kv, { email }: Person) => eraseSignUp(kv, email, { now: START, random });

async function repair(kv: Kv): Promise<boolean> {
  const work = repairCounters(kv, { now: () => START });
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value.repaired;
  }
}

async function run(kv: Kv, { kind, people }: { kind: string; people: Person[] }) {
  switch (kind) {
    case "join":
      return await join(kv, people);
    case "import":
      return await importAll(kv, people);
    case "erase":
      return await erase(kv, people[0]!);
    case "fault": {
      await kv.commit(new Commit().add(["statistics", "byLang", "de"], people[0]!.daysAgo - 20));
      return assert.equal(await repair(kv), true);
    }
    case "at once":
      return await Promise.all([
        join(kv, people),
        importAll(kv, people.toReversed()),
        erase(kv, people[0]!),
        repair(kv),
      ]);
  }
}

// Joins, imports, merges, erasures and repairs, in any order.
Deno.test("The counters equal a recount after each step of a random sequence of sign-ups, imports and erasures", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      using kv = await openMemoryKv();
      for (const each of steps) {
        await run(kv, each);
        assert.deepEqual(await readCounts(kv, START), await recount(kv, START), each.kind);
      }
      // Whoever was erased and has not signed up since stays out of every import.
      for (const email of Object.keys(await storedSignUps(kv))) {
        assert.ok("record" in (await findSignUp(kv, email))!);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("In any order of sign-ups, imports and erasures, an import leaves out an erased address until the address signs up again", async () => {
  const kinds = fc.array(fc.constantFrom("join", "import", "erase"), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(person, kinds, async (one, kinds) => {
      using kv = await openMemoryKv();
      let state: "unknown" | "there" | "erased" = "unknown";
      for (const kind of kinds) {
        await run(kv, { kind, people: [one] });
        if (kind === "join" || (kind === "import" && state !== "erased")) state = "there";
        if (kind === "erase" && state === "there") state = "erased";
        const known = await findSignUp(kv, one.email);
        const now = !known ? "unknown" : "record" in known ? "there" : "erased";
        assert.equal(now, state, kinds.join(", "));
      }
    }),
    { numRuns: 40 },
  );
});
