import assert from "node:assert/strict";
import {
  assignCounters,
  campaignIn,
  noteCountedAsOther,
  valuesToCount,
} from "../../../server/waitlist/campaigns.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";

const read = (query: string) => campaignIn(new URLSearchParams(query));

Deno.test("campaignIn() reads utm_source, utm_medium and utm_campaign, and no other parameter", () => {
  assert.deepEqual(read("utm_source=news&utm_medium=e-mail&utm_campaign=may_2026&utm_term=x&r=y"), {
    utmSource: "news",
    utmMedium: "e-mail",
    utmCampaign: "may_2026",
  });
  assert.deepEqual(read("utm_campaign=launch"), { utmCampaign: "launch" });
  assert.deepEqual(read("UTM_SOURCE=news&utmSource=news"), {});
});

Deno.test("campaignIn() turns a value into a slug of at most 40 characters", async (t) => {
  const cases = {
    "News": "news",
    "Google+Ads": "google-ads",
    "a%2Fb%3Fc": "a-b-c",
    "M%C3%84RZ": "m-rz",
    "%F0%9F%9A%80go": "-go",
    "%00%0A": "--",
    "%FF": "-",
    ["x".repeat(41)]: "x".repeat(40),
    ["%F0%9F%9A%80".repeat(50)]: "-".repeat(40),
  };
  for (const [value, slug] of Object.entries(cases)) {
    await t.step(`utm_source=${value} becomes ${slug}`, () => {
      assert.deepEqual(read(`utm_source=${value}`), { utmSource: slug });
    });
  }
});

Deno.test("campaignIn() leaves out a parameter that is empty or given twice", () => {
  assert.deepEqual(read("utm_source=&utm_medium=mail"), { utmMedium: "mail" });
  assert.deepEqual(read("utm_source&utm_medium"), {});
  assert.deepEqual(read("utm_source=a&utm_source=a&utm_medium=mail"), { utmMedium: "mail" });
  assert.deepEqual(read("utm_source=&utm_source=a"), {});
});

const AT = "2026-11-20T08:00:00.000Z";
const RECORD: SignUpRecord = {
  id: "a".repeat(22),
  state: "waiting",
  lang: "en",
  createdAt: AT,
  consentedAt: AT,
  updatedAt: AT,
};
const NEWS = { utmSource: "news", utmCampaign: "launch" };

Deno.test("valuesToCount() returns the campaign of a person when the person confirms, and nothing when the person's record changes after the confirmation", () => {
  const unconfirmed: SignUpRecord = { ...RECORD, ...NEWS, state: "unconfirmed" };
  const waiting: SignUpRecord = { ...RECORD, ...NEWS };
  assert.deepEqual(valuesToCount(undefined, unconfirmed), {});
  assert.deepEqual(valuesToCount(unconfirmed, waiting), NEWS);
  assert.deepEqual(valuesToCount(undefined, waiting), NEWS);
  assert.deepEqual(valuesToCount(waiting, { ...waiting, state: "invited" }), {});
  assert.deepEqual(valuesToCount(undefined, RECORD), {});
});

Deno.test("assignCounters() adds a new campaign value to each field that has room, and returns the names of the fields without room", () => {
  const known = { utmSource: ["news"], utmMedium: [], utmCampaign: ["may"] };
  const placed = assignCounters(
    { utmSource: "news", utmMedium: "mail", utmCampaign: "june" },
    known,
    1,
  );
  assert.deepEqual(placed, {
    values: { utmSource: ["news"], utmMedium: ["mail"], utmCampaign: ["may"] },
    fieldsAsOther: ["utmCampaign"],
  });
  const same = assignCounters({ utmSource: "news", utmCampaign: "other" }, known, 1);
  assert.equal(same.values, known, "a value with the name of all others needs no room");
  assert.deepEqual(same.fieldsAsOther, []);
});

Deno.test("noteCountedAsOther() notes which campaign fields of a record are counted as 'other', and removes the note from an unconfirmed record", () => {
  const noted = noteCountedAsOther({ ...RECORD, ...NEWS }, ["utmSource"]);
  assert.deepEqual(noted.countedAsOther, ["utmSource"]);
  assert.equal(noteCountedAsOther(noted, []), noted);
  assert.deepEqual(
    noteCountedAsOther({ ...noted, state: "unconfirmed" }, []),
    { ...RECORD, ...NEWS, state: "unconfirmed" },
  );
});
