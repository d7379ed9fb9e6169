import assert from "node:assert/strict";
import {
  type Arrival,
  type Kept,
  MAX_SLUGS,
  planArrivals,
} from "../../../server/waitlist/arrivals.ts";
import { mergeImported } from "../../../server/waitlist/imported.ts";

const AT = "2026-11-20T08:00:00.000Z";

const NOTHING: Kept = {
  records: new Map(),
  erased: new Map(),
  slugs: { role: [], building: [] },
};

function arrival(
  name: string,
  answers: { lang?: "en" | "de"; role?: string; building?: string } = {},
): Arrival {
  const imported = { email: `${name}@example.com`, consentedAt: AT, updatedAt: AT, ...answers };
  return { email: imported.email, answers, merge: (record) => mergeImported(record, imported, AT) };
}

Deno.test("MAX_SLUGS is 64", () => assert.equal(MAX_SLUGS, 64));

Deno.test("planArrivals() takes arrivals in their order and counts each address once", () => {
  const arrivals = [
    arrival("a", { role: "engineer" }),
    arrival("b"),
    arrival("a", { lang: "de" }),
    arrival("a"),
  ];
  const plan = planArrivals(arrivals, NOTHING);
  assert.deepEqual(plan.fates, ["new", "new", "merged", "unchanged"]);
  assert.deepEqual([...plan.records.keys()], ["a@example.com", "b@example.com"]);
  assert.equal(plan.records.get("a@example.com")?.lang, "de");
  assert.deepEqual(plan.slugs, { role: ["engineer"], building: [] });
  assert.deepEqual(Array.from(plan.counters, ({ counter, by }) => [counter.join("/"), by]), [
    ["total", 2],
    ["added/2026-11-20", 2],
    ["byLang/de", 1],
    ["byRole/engineer", 1],
    ["byLang/en", 1],
  ]);

  const again = planArrivals(arrivals, { ...NOTHING, records: plan.records, slugs: plan.slugs });
  assert.deepEqual(again.fates, Array(4).fill("unchanged"));
  assert.equal(again.records.size, 0);
  assert.equal(again.slugs, plan.slugs);
});

Deno.test("planArrivals() passes over an erased address", () => {
  const erased = new Map([["a@example.com", "2026-11-19T08:00:00.000Z"]]);
  const plan = planArrivals([arrival("a", { role: "engineer" }), arrival("b")], {
    ...NOTHING,
    erased,
  });
  assert.deepEqual(plan.fates, ["erased", "new"]);
  assert.deepEqual([...plan.records.keys()], ["b@example.com"]);
  assert.deepEqual(plan.slugs.role, []);
});

Deno.test("planArrivals() takes an erased address when its owner has consented since", () => {
  const erased = new Map([["a@example.com", AT]]);
  const fateOf = (consentedAt: string) =>
    planArrivals([{ ...arrival("a"), consentedAt }], { ...NOTHING, erased }).fates[0];
  assert.equal(fateOf("2026-11-20T07:59:59.999Z"), "erased");
  assert.equal(fateOf(AT), "erased");
  assert.equal(fateOf("2026-11-20T08:00:00.001Z"), "new");
});

Deno.test("planArrivals() refuses a 65th slug, and takes known ones still", () => {
  const role = Array.from({ length: 63 }, (_, n) => `role${n}`);
  const plan = planArrivals([
    arrival("a", { role: "role64", building: "office" }),
    arrival("b", { role: "role65" }),
    arrival("c", { role: "role64" }),
    arrival("d", { role: "role65", building: "campus" }),
    arrival("e", { building: "campus" }),
  ], { ...NOTHING, slugs: { role, building: [] } });
  const refused = {
    refused:
      "The field role is 'role65', and there is no room for it: there are 64 different ones at the most.",
  };
  assert.deepEqual(plan.fates, ["new", refused, "new", refused, "new"]);
  assert.deepEqual(plan.slugs, { role: [...role, "role64"], building: ["office", "campus"] });
});
