import assert from "node:assert/strict";
import type { BulkSignUp, StoredBulkData } from "../../../server/waitlist/bulk_sign_ups.ts";
import { planBulkSignUps } from "../../../server/waitlist/bulk_sign_ups.ts";
import { mergeImported } from "../../../server/waitlist/merge_records.ts";

const AT = "2026-11-20T08:00:00.000Z";

const NOTHING: StoredBulkData = {
  records: new Map(),
  unreadable: new Set(),
  erasureMoments: new Map(),
  slugs: { role: [], building: [] },
};

function bulkSignUp(
  name: string,
  answers: { lang?: "en" | "de"; role?: string; building?: string } = {},
): BulkSignUp {
  const imported = { email: `${name}@example.com`, consentedAt: AT, updatedAt: AT, ...answers };
  return {
    email: imported.email,
    answers,
    consentedAt: AT,
    merge: (record) => mergeImported(record, imported, { at: AT, id: name }),
  };
}

Deno.test("planBulkSignUps() refuses an address whose record cannot be read, and plans no record for the address", () => {
  const kept = { ...NOTHING, unreadable: new Set(["a@example.com"]) };
  const plan = planBulkSignUps([bulkSignUp("a"), bulkSignUp("b")], kept);
  const refused = "The record of the address cannot be read; erase the address first.";
  assert.deepEqual(plan.outcomes, [{ refused }, "new"]);
  assert.deepEqual([...plan.records.keys()], ["b@example.com"]);
});

Deno.test("planBulkSignUps() stores an erased address again only when the consent is later than the erasure", () => {
  const erasureMoments = new Map([["a@example.com", AT]]);
  const fateOf = (consentedAt: string) =>
    planBulkSignUps([{ ...bulkSignUp("a"), consentedAt }], { ...NOTHING, erasureMoments })
      .outcomes[0];
  assert.equal(fateOf("2026-11-20T07:59:59.999Z"), "staysErased");
  assert.equal(fateOf(AT), "staysErased");
  assert.equal(fateOf("2026-11-20T08:00:00.001Z"), "new");
});
