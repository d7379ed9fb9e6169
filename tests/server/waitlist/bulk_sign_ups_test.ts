import assert from "node:assert/strict";
import type { BulkSignUp, StoredState } from "../../../server/waitlist/bulk_sign_ups.ts";
import { planBulkSignUps } from "../../../server/waitlist/bulk_sign_ups.ts";
import { mergeImported } from "../../../server/waitlist/record.ts";

const AT = "2026-11-20T08:00:00.000Z";

const NOTHING: StoredState = {
  records: new Map(),
  unreadable: new Set(),
  erased: new Map(),
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
    merge: (record) => mergeImported(record, imported, { at: AT, id: name }),
  };
}

Deno.test("planBulkSignUps() takes bulk sign-ups in their order, those of an address together", () => {
  const bulkSignUps = [
    bulkSignUp("a", { role: "engineer" }),
    bulkSignUp("b"),
    bulkSignUp("a", { lang: "de" }),
    bulkSignUp("a"),
  ];
  const plan = planBulkSignUps(bulkSignUps, NOTHING);
  assert.deepEqual(plan.outcomes, ["new", "new", "merged", "unchanged"]);
  assert.deepEqual([...plan.records.keys()], ["a@example.com", "b@example.com"]);
  assert.equal(plan.records.get("a@example.com")?.lang, "de");
  assert.deepEqual(plan.slugs, { role: ["engineer"], building: [] });
});

Deno.test("planBulkSignUps() refuses an address whose record cannot be read, and does not merge it", () => {
  const kept = { ...NOTHING, unreadable: new Set(["a@example.com"]) };
  const plan = planBulkSignUps([bulkSignUp("a"), bulkSignUp("b")], kept);
  const refused = "The record of the address cannot be read; erase the address first.";
  assert.deepEqual(plan.outcomes, [{ refused }, "new"]);
  assert.deepEqual([...plan.records.keys()], ["b@example.com"]);
});

Deno.test("planBulkSignUps() takes an erased address when its owner has consented since", () => {
  const erased = new Map([["a@example.com", AT]]);
  const fateOf = (consentedAt: string) =>
    planBulkSignUps([{ ...bulkSignUp("a"), consentedAt }], { ...NOTHING, erased }).outcomes[0];
  assert.equal(fateOf("2026-11-20T07:59:59.999Z"), "erased");
  assert.equal(fateOf(AT), "erased");
  assert.equal(fateOf("2026-11-20T08:00:00.001Z"), "new");
});

Deno.test("planBulkSignUps() refuses a 65th slug, and takes known ones still", () => {
  const role = Array.from({ length: 63 }, (_, n) => `role${n}`);
  const plan = planBulkSignUps([
    bulkSignUp("a", { role: "role64", building: "office" }),
    bulkSignUp("b", { role: "role65" }),
    bulkSignUp("c", { role: "role64" }),
    bulkSignUp("d", { role: "role65", building: "campus" }),
    bulkSignUp("e", { building: "campus" }),
  ], { ...NOTHING, slugs: { role, building: [] } });
  const refused = {
    refused:
      "The field role is 'role65', and there is no room for it: there are 64 different ones at the most.",
  };
  assert.deepEqual(plan.outcomes, ["new", refused, "new", refused, "new"]);
  assert.deepEqual(plan.slugs, { role: [...role, "role64"], building: ["office", "campus"] });
});
