import assert from "node:assert/strict";
import { isBrakeOver, joinBrakes } from "../../../server/waitlist/brake.ts";
import { liftReports, noteReport } from "../../../server/waitlist/mail_reports.ts";
import { joinList } from "../../../server/waitlist/transitions.ts";

const [early, at, late] = [1, 2, 3].map((day) => `2026-05-0${day}T00:00:00.000Z`) as [
  ...[string, string, string],
];
const complaint = { kind: "complained", permanent: true, at } as const;
const NO_BRAKE = { letters: [] };
const options = { id: "i".repeat(22), asksToConfirm: true, brake: NO_BRAKE };
const { record } = joinList(undefined, { email: "ada@example.com" }, { ...options, at: early });

Deno.test("noteReport() takes a complaint only of a mailbox that got letters", () => {
  assert.equal(noteReport(undefined, complaint, NO_BRAKE), undefined);
  const kept = { letters: [early] };
  assert.deepEqual(noteReport(undefined, complaint, kept)?.brake?.complainedAt, at);
  assert.equal(noteReport(record, complaint, NO_BRAKE)?.record?.complainedAt, at);
});

Deno.test("noteReport() does nothing where an operator has lifted later, and liftReports() where nothing is kept", () => {
  const lifted = { letters: [], liftedAt: at };
  assert.equal(noteReport(record, complaint, lifted), undefined);
  assert.equal(noteReport(record, { ...complaint, kind: "bounced" }, lifted), undefined);
  assert.ok(noteReport(record, { ...complaint, at: late }, lifted));
  assert.equal(liftReports(record, at, NO_BRAKE), undefined);
});

Deno.test("joinBrakes() keeps a complaint until it is lifted, and isBrakeOver() never ends it", () => {
  const complained = { letters: [], complainedAt: at };
  const far = "2036-05-01T00:00:00.000Z";
  assert.equal(isBrakeOver(complained, far), false);
  const lifted = joinBrakes([complained, { letters: [], liftedAt: late }]);
  assert.deepEqual(lifted, { letters: [], liftedAt: late });
  assert.equal(isBrakeOver(lifted, far), true);
  assert.deepEqual(joinBrakes([complained, { letters: [], liftedAt: early }]), {
    ...complained,
    liftedAt: early,
  });
});

Deno.test("joinList() sends nothing to a mailbox that complained, and keeps the complaint over repeats", () => {
  const brake = { letters: [], complainedAt: at };
  const again = joinList(record, { email: "ada@example.com" }, { ...options, at: late, brake });
  assert.deepEqual([again.letter, again.record.complainedAt], [undefined, at]);
});
