import assert from "node:assert/strict";
import { isPlacedByWrongClock, type OutboxItem } from "../../../server/waitlist/outbox_item.ts";
import { mustStillBeSent } from "../../../server/waitlist/message_causes.ts";
import { after, NOON, record } from "../../support/transitions.ts";

const MINUTE = 60_000;

const LETTER: OutboxItem = {
  email: "ada@example.com",
  recordId: "1",
  message: { letter: "link" },
  queue: "letters",
  putAt: NOON,
  dueAt: NOON,
  tries: 0,
};

Deno.test("isPlacedByWrongClock() allows an untried item to be dated 1 minute ahead of the clock, and a tried item 3 minutes", () => {
  const isWrongAt = (placedAt: number, tries: number) =>
    isPlacedByWrongClock({ ...LETTER, placedAt, tries }, NOON);
  assert.equal(isWrongAt(NOON + MINUTE, 0), false);
  assert.equal(isWrongAt(NOON + MINUTE + 1, 0), true);
  assert.equal(isWrongAt(NOON + 3 * MINUTE, 1), false);
  assert.equal(isWrongAt(NOON + 3 * MINUTE + 1, 1), true);
  assert.equal(
    isPlacedByWrongClock({ ...LETTER, putAt: NOON + MINUTE + 1 }, NOON),
    true,
    "putAt counts alone",
  );
});

Deno.test("mustStillBeSent() is false for the letter of an earlier record of the address", () => {
  const current = record("waiting", { linkAt: after(0) });
  assert.equal(mustStillBeSent(LETTER, current), true);
  assert.equal(mustStillBeSent(LETTER, { ...current, id: "2" }), false);
});
