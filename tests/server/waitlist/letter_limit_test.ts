/** The mailbox of an address, and which letters its letter limit counts. */
import assert from "node:assert/strict";
import {
  allowConfirmation,
  allowLink,
  isLetterLimitObsolete,
  mailboxOf,
  nextDailyLetterAt,
  nextLetterAt,
} from "../../../server/waitlist/letter_limit.ts";
import { after, HOUR, NO_LETTER_LIMIT } from "../../support/transitions.ts";

Deno.test("mailboxOf() removes the part after a plus from an address, and the dots from a Gmail address", async (t) => {
  const table: [email: string, mailbox: string][] = [
    ["ada@example.com", "ada@example.com"],
    ["ada+news@example.com", "ada@example.com"],
    ["ada+a+b@example.com", "ada@example.com"],
    ["ada+@example.com", "ada@example.com"],
    ["a.da@example.com", "a.da@example.com"],
    ["a.d.a+x@gmail.com", "ada@gmail.com"],
    ["ada@googlemail.com", "ada@gmail.com"],
    ["a.da@mail.gmail.com", "a.da@mail.gmail.com"],
    ["+ada@example.com", "+ada@example.com"],
  ];
  for (const [email, mailbox] of table) {
    await t.step(`the mailbox of ${email} is ${mailbox}`, () => {
      assert.equal(mailboxOf(email), mailbox);
    });
  }
});

Deno.test("allowConfirmation() and allowLink() count letters before and after the confirmation separately", () => {
  const asked = allowLink(NO_LETTER_LIMIT, { at: after(0), isConfirmed: false });
  assert.deepEqual(asked, { letters: [after(0)], linkAt: after(0) });
  const again = allowLink(asked!, { at: after(1), isConfirmed: true });
  assert.equal(again, undefined, "one link letter a day");
  const linked = allowLink(NO_LETTER_LIMIT, { at: after(0), isConfirmed: true });
  const joined = allowConfirmation(linked!, after(1));
  assert.deepEqual(joined, { letters: [after(1)], linkAt: after(0) }, "left, and joined again");
});

Deno.test("nextLetterAt() returns the first time at which allowConfirmation() allows another letter", async (t) => {
  const cases: [letters: string[], next: string][] = [
    [[], after(5)],
    [[after(0)], after(24)],
    [[after(-48)], after(5)],
    [[after(-24 * 20), after(-24 * 10), after(0)], after(24 * 10)],
    [[after(-24 * 31), after(-24 * 10), after(0)], after(24)],
  ];
  for (const [letters, next] of cases) {
    await t.step(`the earlier letters are ${JSON.stringify(letters)}`, () => {
      assert.equal(nextLetterAt({ letters }, after(5)), next);
      assert.ok(allowConfirmation({ letters }, next), next);
      const before = new Date(Date.parse(next) - 1).toISOString();
      if (next !== after(5)) {
        assert.equal(allowConfirmation({ letters }, before), undefined, before);
      }
    });
  }
});

Deno.test("nextDailyLetterAt() returns the end of the 24 hours after the last letter, and ignores moments that are further away", () => {
  assert.equal(nextDailyLetterAt([], after(5)), after(5));
  assert.equal(nextDailyLetterAt([after(2), after(0)], after(5)), after(26));
  assert.equal(nextDailyLetterAt([after(-19)], after(5)), after(5));
  assert.equal(nextDailyLetterAt([after(48)], after(5)), after(5), "a clock was ahead");
});

Deno.test("isLetterLimitObsolete() becomes true 30 days after the last letter", () => {
  const letterLimit = { letters: [after(0), after(24)], linkAt: after(1) };
  assert.equal(isLetterLimitObsolete(letterLimit, after(31 * 24 - 1 / HOUR)), false);
  assert.equal(isLetterLimitObsolete(letterLimit, after(31 * 24)), true);
  assert.equal(isLetterLimitObsolete({ letters: [], linkAt: after(48) }, after(31 * 24)), false);
});
