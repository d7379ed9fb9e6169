import assert from "node:assert/strict";
import fc from "fast-check";
import { areCountedAlike, type Counter, countersOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";

const RECORD: SignUpRecord = {
  id: "an-id-of-22-characters",
  state: "waiting",
  createdAt: "2026-02-28T23:59:59.999Z",
  consentedAt: "2026-03-01T00:00:00.000Z",
  updatedAt: "2026-03-01T00:00:00.000Z",
  lang: "de",
};

Deno.test("countersOf() returns a counter for each answer in the record", () => {
  const always: Counter[] = [
    ["total"],
    ["added", "2026-02-28"],
    ["byLang", "de"],
    ["byState", "waiting"],
  ];
  assert.deepEqual(
    new Set(countersOf(RECORD)),
    new Set([...always, ["withAnswers", "2026-02-28/de/"]]),
  );
  assert.deepEqual(
    new Set(countersOf({ ...RECORD, source: "cta", role: "engineer", building: "office" })),
    new Set([
      ...always,
      ["withAnswers", "2026-02-28/de/cta"],
      ["bySource", "cta"],
      ["byRole", "engineer"],
      ["byBuilding", "office"],
    ]),
  );
});

Deno.test("countersOf() counts the campaign of a confirmed person by name, or as 'other' when the record has countedAsOther", () => {
  const campaignIn = (record: Partial<SignUpRecord>) =>
    countersOf({ ...RECORD, utmSource: "news", utmCampaign: "may", ...record })
      .filter(([kind]) => kind.startsWith("utm"));
  assert.deepEqual(campaignIn({}), [["utmSource", "news"], ["utmCampaign", "may"]]);
  assert.deepEqual(
    campaignIn({ countedAsOther: ["utmCampaign"] }),
    [["utmSource", "news"], ["utmCampaign", "other"]],
  );
  assert.deepEqual(campaignIn({ state: "unconfirmed" }), []);
});

Deno.test("countersOf() returns a counter that holds the week of the sign-up and the steps that the person has reached", async (t) => {
  const AT = RECORD.updatedAt;
  const proof = { requestedAt: AT, consentText: "1", confirmedAt: AT };
  const cases: [Partial<SignUpRecord>, steps: string | undefined][] = [
    [{}, undefined],
    [{ state: "unconfirmed", confirmations: { count: 1, lastAt: AT } }, undefined],
    [{ state: "unconfirmed", confirmations: { count: 1, lastAt: AT, takenAt: AT } }, "taken"],
    [{ lastLetters: { confirmation: { takenAt: AT, putAt: AT } } }, "taken"],
    [{ proof }, "taken,confirmed"],
    [{ state: "invited", invitedAt: AT }, "invited"],
    [{ state: "accepted", proof }, "taken,confirmed,invited,accepted"],
  ];
  for (const [fields, steps] of cases) {
    await t.step(JSON.stringify(fields), () => {
      const [counter] = countersOf({ ...RECORD, ...fields }).filter(([kind]) => kind === "wentOn");
      // The Monday before the last day of February.
      assert.equal(counter?.[1], steps && `2026-02-23/${steps}`);
    });
  }
});

Deno.test("countersOf() returns a counter of all referrals and a counter of the day's referrals when a person counts as a referral", () => {
  const referralsIn = (record: SignUpRecord) =>
    countersOf(record).filter(([kind]) => kind === "withReferral");
  assert.deepEqual(referralsIn({ ...RECORD, referrerId: "another", referralCounts: true }), [
    ["withReferral", "all"],
    ["withReferral", "2026-02-28"],
  ]);
  assert.deepEqual(referralsIn({ ...RECORD, referrerId: "another", referralCounts: false }), []);
  assert.deepEqual(referralsIn({ ...RECORD, referrerId: "another" }), []);
});

/** Records that differ in what is counted; a fault has damaged some. */
const records = fc.record({
  createdAt: fc.constantFrom(
    "2026-11-21T23:59:59.000Z",
    "2026-11-21T00:00:00.000Z",
    "2026-11-22",
    5,
  ),
  state: fc.constantFrom("waiting", "unconfirmed", "invited", "accepted", undefined),
  lang: fc.constantFrom("en", "de"),
  source: fc.constantFrom(undefined, "hero"),
  role: fc.constantFrom(undefined, "engineer"),
  building: fc.constantFrom(undefined, "office"),
  proof: fc.constantFrom(undefined, {}),
  confirmations: fc.constantFrom(undefined, {}, { takenAt: "2026-11-22" }),
  lastLetters: fc.constantFrom(undefined, { confirmation: { takenAt: "2026-11-22" } }),
  referralCounts: fc.constantFrom(undefined, false, true),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<SignUpRecord>;

Deno.test("areCountedAlike() is true only for two records that have the same counters", () => {
  let alike = 0;
  fc.assert(
    fc.property(records, records, fc.boolean(), (one, another, isCopy) => {
      const other = isCopy ? { ...one, lang: another.lang, createdAt: another.createdAt } : another;
      if (!areCountedAlike(one, other)) return;
      alike++;
      assert.deepEqual(countersOf(one), countersOf(other));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(alike > 10, `${alike} pairs were alike`);
});
