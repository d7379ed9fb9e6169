import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { base64url } from "jose";
import { eraseSignUp, findSignUp } from "../../../../server/store/people/erasure.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import {
  everyEntry,
  random,
  readCounts,
  recount,
  storedSignUps,
  storeSignUp,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { listAll, openMemoryKv, test } from "../../../support/memory_kv.ts";

const ADA = "ada@example.com";
const AT = "2026-11-20T09:00:00.000Z";
const context = { now: START, random };
const ERASED_AT = new Date(START).toISOString();

async function storedMarks(kv: Kv): Promise<unknown[]> {
  return (await listAll(kv, { prefix: ["erased"] })).map(({ key, value }) => [...key, value]);
}

test("eraseSignUp() leaves an erasure mark and lowers the counters in the commit that removes the record", async (memory) => {
  await storeSignUp(memory, { email: ADA, lang: "de", source: "cta" }, AT);
  await storeSignUp(memory, { email: "grace@example.com" }, AT);
  let commits = 0;
  const kv = faultyKv(memory, (commit) => (commits++, commit()));
  assert.deepEqual(await eraseSignUp(kv, ADA, context), {
    outcome: "erased",
    erasedAt: ERASED_AT,
  });
  assert.equal(commits, 1);
  assert.deepEqual(Object.keys(await storedSignUps(memory)), ["grace@example.com"]);
  assert.deepEqual(await readCounts(memory, START), await recount(memory, START));
  const { value: schema } = await readOne<{ erasureKeys: string }>(memory, ["schema"]);
  const key = base64url.decode(schema?.erasureKeys ?? "");
  assert.equal(key.byteLength, 32);
  const mark = createHash("sha256").update(key).update(ADA).digest("base64url");
  assert.deepEqual(await storedMarks(memory), [["erased", mark, ERASED_AT]]);
  const left = Deno.inspect(await everyEntry(memory), { depth: 10, strAbbreviateSize: Infinity });
  assert.ok(!left.includes(ADA));
});

test("eraseSignUp() writes nothing when the address is unknown or already erased", async (kv) => {
  assert.equal(await eraseSignUp(kv, ADA, context), undefined);
  assert.deepEqual(await everyEntry(kv), []);

  await storeSignUp(kv, { email: ADA }, AT);
  await eraseSignUp(kv, ADA, context);
  const before = await everyEntry(kv);
  assert.deepEqual(await eraseSignUp(kv, ADA, { ...context, now: START + 1 }), {
    outcome: "erased_before",
    erasedAt: ERASED_AT,
  });
  assert.equal(await eraseSignUp(kv, "grace@example.com", context), undefined);
  assert.deepEqual(await everyEntry(kv), before);
});

// The sign-up has read neither a record nor an erasure. Both come and go before it commits.
test("storeSignUps() removes the erasure mark that the first erasure of a store writes between the read and the commit of a sign-up with the same address", async (memory) => {
  const kv = racingKv(memory, async () => {
    await storeSignUp(memory, { email: ADA }, AT);
    await eraseSignUp(memory, ADA, context);
  });
  await storeSignUp(kv, { email: ADA }, AT);
  assert.deepEqual(Object.keys(await storedSignUps(memory)), [ADA]);
  assert.deepEqual(await storedMarks(memory), []);
});

Deno.test("Each address has either a record or an erasure mark after random sign-ups and erasures, and the counters equal a recount", async () => {
  const email = fc.constantFrom("a@example.com", "b@example.com", "c@example.com");
  const step = fc.record({
    join: fc.boolean(),
    email,
    lang: fc.constantFrom("en" as const, "de" as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }),
      async (rounds) => {
        using kv = await openMemoryKv();
        for (const steps of rounds) {
          // The steps of a round race each other.
          await Promise.all(steps.map(async ({ join, email, lang }) => {
            if (join) await storeSignUp(kv, { email, lang }, AT);
            else await eraseSignUp(kv, email, context);
          }));
          assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
          const records = Object.keys(await storedSignUps(kv));
          const marks = (await storedMarks(kv)).length;
          const known = new Set(rounds.flat().map(({ email }) => email));
          let erased = 0;
          for (const email of known) {
            const found = await findSignUp(kv, email);
            if (found && "erasedAt" in found) erased++;
            assert.equal(found !== undefined && "record" in found, records.includes(email));
          }
          assert.equal(erased, marks, "no mark stays beside a record");
        }
      },
    ),
    { numRuns: 40 },
  );
});
