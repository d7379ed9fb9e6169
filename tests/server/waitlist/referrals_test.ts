import assert from "node:assert/strict";
import {
  countsAsReferral,
  MAX_REFERRALS_A_DAY,
  newReferralCode,
  referralCodeIn,
} from "../../../server/waitlist/referrals.ts";
import { REFERRAL_CODE } from "../../../shared/referral_code.ts";
import { random } from "../../support/records.ts";

const REFERRER = { email: "ada@example.com", countedToday: 0, hasReferredMailbox: false };

Deno.test("newReferralCode() makes different codes of ten characters, which are letters or digits", () => {
  const codes = new Set(Array.from({ length: 1_000 }, () => newReferralCode(random)));
  assert.equal(codes.size, 1_000);
  for (const code of codes) assert.match(code, REFERRAL_CODE);
});

Deno.test("referralCodeIn() returns the code in the parameter r, and undefined unless the query has exactly one well-formed code", async (t) => {
  const codeIn = (query: string) => referralCodeIn(new URLSearchParams(query));
  assert.equal(codeIn("r=Abc1234567"), "Abc1234567");
  for (const query of ["", "r=", "r=Abc123456", "r=Abc12345678", "r=Abc-234567", "R=Abc1234567"]) {
    await t.step(`the query is ${JSON.stringify(query)}`, () => {
      assert.equal(codeIn(query), undefined);
    });
  }
  assert.equal(codeIn("r=Abc1234567&r=Abc1234567"), undefined);
});

Deno.test("countsAsReferral() is true until 50 referrals of the same person have counted on one day", () => {
  assert.equal(countsAsReferral("bob@example.com", REFERRER), true);
  const last = { ...REFERRER, countedToday: MAX_REFERRALS_A_DAY - 1 };
  assert.equal(countsAsReferral("bob@example.com", last), true);
  const full = { ...REFERRER, countedToday: MAX_REFERRALS_A_DAY };
  assert.equal(countsAsReferral("bob@example.com", full), false);
});

Deno.test("countsAsReferral() is false for an alias, for the referrer's own mailbox and for a mailbox that was referred before", () => {
  assert.equal(countsAsReferral("bob+1@example.com", REFERRER), false);
  assert.equal(
    countsAsReferral("bob@example.com", { ...REFERRER, hasReferredMailbox: true }),
    false,
  );
  const gmail = { ...REFERRER, email: "a.da@gmail.com" };
  assert.equal(countsAsReferral("ada@googlemail.com", gmail), false);
  assert.equal(
    countsAsReferral("ada@example.com", { ...REFERRER, email: "ada+x@example.com" }),
    false,
  );
});
