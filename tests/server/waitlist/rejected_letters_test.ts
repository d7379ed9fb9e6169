import assert from "node:assert/strict";
import { rejectedLettersOf } from "../../../server/waitlist/rejected_letters.ts";

const AT = "2026-11-21T12:00:00.000Z";
const REJECTED = { putAt: AT, refusedAt: AT };

Deno.test("rejectedLettersOf() leaves out letters that were taken, and letters that the person does not need in the present state", () => {
  const all = { confirmation: REJECTED, invitation: REJECTED, link: REJECTED };
  const cases = [
    ["unconfirmed", all, ["confirmation", "link"]],
    ["waiting", all, ["link"]],
    ["invited", all, ["invitation", "link"]],
    ["accepted", all, ["link"]],
    ["unconfirmed", { confirmation: { putAt: AT, takenAt: AT } }, []],
    ["invited", undefined, []],
  ] as const;
  for (const [state, lastLetters, kinds] of cases) {
    const record = { state, ...lastLetters && { lastLetters } };
    assert.deepEqual(rejectedLettersOf(record), kinds, state);
  }
});
