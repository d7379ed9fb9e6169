import assert from "node:assert/strict";
import { Recount } from "../../../server/waitlist/recount.ts";
import type { CounterValue } from "../../../server/waitlist/counters.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { type Counter, countersOf } from "../../../shared/counters.ts";

const AT = "2026-11-20T08:00:00.000Z";

function record(answers: Partial<SignUpRecord> = {}): SignUpRecord {
  const times = { createdAt: AT, consentedAt: AT, updatedAt: AT };
  return { id: "1", state: "waiting", lang: "en", ...times, ...answers };
}

const RIGHT = { exact: true, agrees: true, differences: [] };

/** The counters that records add up to, moved by faults. */
function storedFor(records: SignUpRecord[], faults: [Counter, number][] = []): CounterValue[] {
  const counters = new Map<string, CounterValue>();
  const moves = [...records.flatMap(countersOf).map((counter) => [counter, 1] as const), ...faults];
  for (const [counter, by] of moves) {
    const { count } = counters.get(counter.join("/")) ?? { count: 0 };
    counters.set(counter.join("/"), { counter, count: count + by });
  }
  return [...counters.values()];
}

Deno.test("Recount.compare() finds no difference when the counters equal the sum of the records", () => {
  const records = [record(), record({ lang: "de", role: "engineer", source: "cta" })];
  const recount = new Recount();
  for (const each of records) recount.add(each, "unchanged");
  const counters = [...storedFor(records), { counter: ["byRole", "gone"] as Counter, count: 0 }];
  assert.deepEqual(recount.compare(counters, 0), { ...RIGHT, records: 2, changed: 0 });
});

Deno.test("Recount.compare() accepts differences only when a record that changed during the recount explains them", async (t) => {
  const changed = record({ lang: "de" });
  const cases: [
    what: string,
    before: SignUpRecord | undefined,
    faults: [Counter, number][],
    agrees: boolean,
  ][] = [
    ["the record had another answer", record(), [], true],
    ["the record was new", undefined, [], true],
    ["a counter of the record is too high by one", record(), [[["byLang", "en"], 1]], false],
    ["a counter of the record is too low by one", record(), [[["byLang", "de"], -1]], false],
    ["a counter that never counted the record is too low by one", record(), [[
      ["bySource", "cta"],
      -1,
    ]], false],
  ];
  for (const [what, before, faults, agrees] of cases) {
    await t.step(what, () => {
      const recount = new Recount();
      recount.add(record({ source: "hero" }), "unchanged");
      recount.add(changed, "changed");
      const stored = storedFor([record({ source: "hero" }), ...before ? [before] : []], faults);
      const { records: _, differences: _told, ...report } = recount.compare(stored, 0);
      assert.deepEqual(report, { agrees, exact: false, changed: 1 });
    });
  }
});

Deno.test("Recount.compare() accepts a difference only if erasures during the recount explain the difference", () => {
  const recount = new Recount();
  recount.add(record(), "unchanged");
  const stored = storedFor([record(), record()]);
  const { exact, agrees, changed } = recount.compare(stored, 1);
  assert.deepEqual({ exact, agrees, changed }, { exact: false, agrees: true, changed: 1 });
  assert.equal(recount.compare(storedFor([record(), record(), record()]), 1).agrees, false);
});
