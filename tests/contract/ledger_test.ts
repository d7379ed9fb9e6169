import assert from "node:assert/strict";
import { LEDGER } from "./ledger/mod.ts";
import { testNames } from "./ledger/test_names.ts";

/** What the ledger must speak of. */
const SECTIONS = [
  ...["§2.3.1", "§3.2", "§4.4", "§5.1", "§5.2"].map((section) => `RFC 6749 ${section}`),
  ...["§2.1", "§3"].map((section) => `RFC 6750 ${section}`),
  ...["§2", "§3"].map((section) => `RFC 8414 ${section}`),
  ...["§2", "§3"].map((section) => `RFC 9728 ${section}`),
  "RFC 9727 §2",
  "RFC 9264 §4.2",
  "RFC 9068 §2",
  "RFC 8725 §3",
  ...["§15.5.2", "§15.5.6", "§9.3.2", "§8.8.3", "§13.1.2", "§12.5.5"].map((at) => `RFC 9110 ${at}`),
  "RFC 6585 §4",
  "RFC 9745 §2",
  "RateLimit draft",
  "contract",
];

Deno.test("LEDGER names tests that exist, each once, when a clause is tested", async () => {
  const names = await testNames();
  const missing = new Set<string>();
  for (const clause of LEDGER) {
    if (!("tests" in clause)) continue;
    for (const name of clause.tests) {
      const found = names.filter((each) => each === name).length;
      if (found !== 1) missing.add(`${clause.source}: ${found} tests are named '${name}'`);
    }
  }
  assert.deepEqual([...missing], []);
});

Deno.test("LEDGER gives a reason when a clause has no test", () => {
  for (const clause of LEDGER) {
    const ways = ["tests", "deviates", "neverArises"].filter((way) => way in clause);
    assert.equal(ways.length, 1, clause.source);
    if ("deviates" in clause) assert.match(clause.deviates, /^because .{20}/, clause.source);
    if ("neverArises" in clause) assert.match(clause.neverArises, /^because .{20}/, clause.source);
  }
});

Deno.test("LEDGER speaks of every section when it is held against the list", () => {
  for (const section of SECTIONS) {
    // `§3` is also spoken of by `§3.1`, but not by `§30`.
    const sources = LEDGER.map(({ source }) => source)
      .filter((source) => source.startsWith(section) && !/^\d/.test(source.slice(section.length)));
    assert.ok(sources.length > 0, section);
  }
});

Deno.test("LEDGER says nothing twice when it is read as a whole", () => {
  const seen = LEDGER.map(({ source, requirement }) => `${source} ${requirement}`);
  assert.equal(new Set(seen).size, seen.length);
});
