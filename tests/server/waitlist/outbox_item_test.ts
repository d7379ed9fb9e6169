import assert from "node:assert/strict";
import { isSkewed, type OutboxItem } from "../../../server/waitlist/outbox_item.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-11-21T12:00:00.000Z");

Deno.test("isSkewed() allows an untried item to be dated 1 minute ahead of the clock, and a tried item 3 minutes", () => {
  const item: OutboxItem = {
    email: "ada@example.com",
    recordId: "1",
    message: { letter: "link" },
    queue: "letters",
    putAt: NOW - MINUTE,
    dueAt: NOW,
    tries: 0,
  };
  const isSkewedAt = (placedAt: number, tries: number) =>
    isSkewed({ ...item, placedAt, tries }, NOW);
  assert.equal(isSkewedAt(NOW + MINUTE, 0), false);
  assert.equal(isSkewedAt(NOW + MINUTE + 1, 0), true);
  assert.equal(isSkewedAt(NOW + 3 * MINUTE, 1), false);
  assert.equal(isSkewedAt(NOW + 3 * MINUTE + 1, 1), true);
  assert.equal(isSkewed({ ...item, putAt: NOW + MINUTE + 1 }, NOW), true, "putAt counts alone");
});
