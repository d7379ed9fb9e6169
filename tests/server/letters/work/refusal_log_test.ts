import assert from "node:assert/strict";
import { createRefusalLog } from "../../../../server/letters/work/refusal_log.ts";
import type { Message } from "../../../../server/waitlist/outbox_item.ts";
import { recordLog } from "../../../support/log.ts";
import { START } from "../../../support/service.ts";

const HOUR = 60 * 60_000;
const CONFIRMATION: Message = { letter: "confirmation" };
const LEFT: Message = {
  event: "signup.left",
  person: { email: "ada@example.com", reason: "person" },
};

/** A log of refusals with a clock, and its lines as level, event and fields. */
function startRefusalLog() {
  const clock = { now: 0 };
  const { log, lines } = recordLog();
  const refusals = createRefusalLog({ log, monotonic: () => clock.now });
  const note = (message: Message, reason: string) => {
    const about = { email: "ada@example.com", recordId: "r", message };
    refusals.note({ ...about, queue: "refused", putAt: START, dueAt: START, tries: 1 }, reason);
  };
  const takeLines = () =>
    lines.splice(0).map(({ time: _, level, event, ...fields }) => [level, event, fields]);
  return { ...refusals, note, clock, takeLines };
}

Deno.test("createRefusalLog() logs a refusal with a new code at once, and the number of repeated refusals after an hour", () => {
  const { note, writeDue, clock, takeLines } = startRefusalLog();
  for (let times = 0; times < 8; times++) note(CONFIRMATION, "550 5.7.1 Relaying denied for ada");
  note(CONFIRMATION, "550-5.1.1 No such user");
  note(LEFT, "HTTP 401 Who is ada?");
  writeDue();
  assert.deepEqual(takeLines(), [
    ["warn", "a letter was refused", { kind: "confirmation", code: "550 5.7.1" }],
    ["warn", "a letter was refused", { kind: "confirmation", code: "550-5.1.1" }],
    ["warn", "an event was refused", { kind: "signup.left", code: "HTTP 401" }],
  ]);
  clock.now += HOUR - 1;
  writeDue();
  assert.deepEqual(takeLines(), []);
  clock.now += 1;
  writeDue();
  const refused = { "confirmation 550 5.7.1": 7 };
  assert.deepEqual(takeLines(), [[
    "warn",
    "further letters or events were refused in the last hour; 'refused' gives their number for each kind",
    { refused },
  ]]);
});

Deno.test("createRefusalLog() treats a refusal as new after an hour without refusals of the same kind and code", () => {
  const { note, writeDue, clock, takeLines } = startRefusalLog();
  for (let hour = 0; hour < 3; hour++) {
    if (hour !== 1) note(CONFIRMATION, "550 5.7.1");
    clock.now += HOUR;
    writeDue();
  }
  assert.equal(takeLines().length, 2);
});

Deno.test("createRefusalLog() logs only the code of an answer that refused a letter, or 'no code' when the answer has no code", () => {
  const { note, close, takeLines } = startRefusalLog();
  const texts = [
    "",
    "ada@example.com",
    "5500 ada",
    "HTTP 4011",
    "550 5.1.1234",
    "Connection reset",
  ];
  for (const text of texts) note(CONFIRMATION, text);
  close();
  assert.deepEqual(takeLines(), [
    ["warn", "a letter was refused", { kind: "confirmation", code: "no code" }],
    ["warn", "a letter was refused", { kind: "confirmation", code: "550" }],
    [
      "warn",
      "further letters or events were refused in the last hour; 'refused' gives their number for each kind",
      {
        refused: { "confirmation no code": 4 },
      },
    ],
  ]);
});

Deno.test("createRefusalLog() writes at most 51 lines when a server sends 200 different codes", () => {
  const { note, close, takeLines } = startRefusalLog();
  for (let code = 0; code < 200; code++) note(CONFIRMATION, `550 5.0.${code}`);
  close();
  const lines = takeLines();
  assert.equal(lines.length, 51);
  assert.deepEqual(lines.at(-1), [
    "warn",
    "further letters or events were refused in the last hour; 'refused' gives their number for each kind",
    {
      refused: { others: 150 },
    },
  ]);
});
