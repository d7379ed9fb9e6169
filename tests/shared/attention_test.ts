import assert from "node:assert/strict";
import { attentionIn, attentionToReport, unusualRefusals } from "../../shared/attention.ts";
import type { Overview } from "../../shared/operator_schemas.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const HOUR = 60 * 60_000;
const ago = (ms: number) => new Date(NOW - ms).toISOString();

const QUIET = {
  total: 1,
  outbox: { due: 0, held: 0, refused: 0, sentToday: 0 },
  lastDone: { backup: ago(HOUR) },
  generatedAt: ago(0),
} as Overview;

/** What needs attention when some members of the overview are others. */
const aboutOf = (members: Partial<Overview>) => attentionIn({ ...QUIET, ...members });

Deno.test("attentionIn() finds no problem in an overview whose figures are below or exactly at the limits", async (t) => {
  const outbox = { ...QUIET.outbox, due: 5, oldestDue: ago(HOUR) };
  const quiet: Partial<Overview>[] = [
    {},
    { outbox },
    { total: 0, lastDone: {} },
    { lastDone: { backup: ago(8 * 24 * HOUR) } },
    { backups: { at: "03:00", keep: 1, last: { at: ago(26 * HOUR), name: "a", bytes: 1 } } },
    { lastDone: { backup: ago(HOUR), difference: ago(2), verify: ago(1) } },
    { lastDone: { backup: ago(HOUR), difference: ago(2), repair: ago(1) } },
  ];
  for (const members of quiet) {
    await t.step(JSON.stringify(members), () => {
      assert.deepEqual(aboutOf(members), []);
    });
  }
});

Deno.test("attentionIn() finds pauses, late letters and events, refusals, wrong counters, and missing or failed backups", () => {
  const pause = { since: ago(HOUR), until: ago(-HOUR), reason: "535 wrong" };
  const oldestDue = ago(HOUR + 1);
  const late = { ...QUIET.outbox, due: 5, oldestDue };
  assert.deepEqual(aboutOf({ outbox: { ...late, pause } }), [{ about: "paused", ...pause }]);
  assert.deepEqual(aboutOf({ outbox: late }), [{ about: "late", since: oldestDue, due: 5 }]);
  const refusals = { about: "events", day: "2026-11-21", refused: 6, tried: 9 } as const;
  assert.deepEqual(aboutOf({ refusals: [refusals] }), [{ about: "refused", refusals }]);
  const reports = { kind: "bounced", since: "2026-11-15", count: 1 } as const;
  assert.deepEqual(aboutOf({ reports: [reports] }), [{ about: "reports", reports }]);
  assert.deepEqual(attentionToReport({ ...QUIET, reports: [reports] }), []);
  const lastDone = { backup: ago(HOUR), difference: ago(1), verify: ago(2) };
  assert.deepEqual(aboutOf({ lastDone }), [{ about: "drift", at: ago(1) }]);
  assert.deepEqual(aboutOf({ lastDone: {} }), [{ about: "noBackup" }]);
  const backup = ago(8 * 24 * HOUR + 1);
  const old = { about: "oldBackup", at: backup, isDaily: false };
  assert.deepEqual(aboutOf({ lastDone: { backup } }), [old]);
  const last = { at: ago(26 * HOUR + 1), name: "a", bytes: 1 };
  const failed = { at: ago(HOUR), reason: "ENOENT" };
  const daily = { at: "03:00", keep: 1, last };
  assert.deepEqual(aboutOf({ backups: daily }), [{ ...old, at: last.at, isDaily: true }]);
  assert.deepEqual(aboutOf({ backups: { ...daily, failed } }), [{
    about: "failedBackup",
    ...failed,
  }]);
});

Deno.test("attentionIn() finds rejected letters and events until none of them is in the list, and an unusual day of letters as long", () => {
  const letters = { about: "letters", day: "2026-11-21", refused: 8, tried: 129 } as const;
  const outbox = { ...QUIET.outbox, refused: 4 };
  assert.deepEqual(aboutOf({ outbox }), [{ about: "rejected", count: 4 }]);
  assert.deepEqual(attentionToReport({ ...QUIET, outbox }), [], "every list has some");
  const refused = { about: "refused", refusals: letters };
  assert.deepEqual(aboutOf({ outbox, refusals: [letters] }), [
    { about: "rejected", count: 4 },
    refused,
  ]);
  assert.deepEqual(attentionToReport({ ...QUIET, outbox, refusals: [letters] }), [refused]);
  assert.deepEqual(aboutOf({ refusals: [letters] }), [], "all were tried again or removed");
});

Deno.test("attentionToReport() leaves out a pause of letters until the pause has lasted for an hour", () => {
  const tell = (since: string) => {
    const pause = { since, until: ago(-1), reason: "421 later" };
    return attentionToReport({ ...QUIET, lastDone: {}, outbox: { ...QUIET.outbox, pause } })
      .map(({ about }) => about);
  };
  assert.deepEqual(tell(ago(HOUR)), ["noBackup"]);
  assert.deepEqual(tell(ago(HOUR + 1)), ["paused", "noBackup"]);
});

Deno.test("unusualRefusals() returns each day on which more than five tries, or more than 5 % of the tries, were refused", async (t) => {
  const day = { about: "letters", day: "2026-11-21" } as const;
  const named = (refused: number, sent: number) => unusualRefusals([{ ...day, sent, refused }]);
  assert.deepEqual(named(6, 1_000), [{ ...day, refused: 6, tried: 1_006 }]);
  assert.equal(named(1, 18).length, 1);
  for (const [refused, sent] of [[5, 95], [1, 19], [0, 0]] as const) {
    await t.step(`${refused} refused, ${sent} sent`, () => {
      assert.deepEqual(named(refused, sent), []);
    });
  }
});
