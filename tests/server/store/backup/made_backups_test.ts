import assert from "node:assert/strict";
import { isBackupDue } from "../../../../server/store/backup/made_backups.ts";

const HOUR = 60 * 60_000, DAY = 24 * HOUR;

Deno.test("isBackupDue() returns true each day from BACKUP_AT until a backup is made, and again an hour after a failed backup", async (t) => {
  const timeOfDay = 3 * 60;
  const midnight = Date.parse("2026-11-23T00:00:00.000Z");
  const iso = (moment: number) => new Date(moment).toISOString();
  const lastAt = (moment: number) => ({ last: { at: iso(moment), name: "", bytes: 0 } });
  const placeName = "/var/backups/waitlist";
  const failedAt = (moment: number, failedPlace = placeName) => ({
    failed: { at: iso(moment), reason: "" },
    failedPlace,
  });
  const three = midnight + 3 * HOUR;
  const processStartedAt = midnight - 7 * DAY;
  const table: [state: Parameters<typeof isBackupDue>[0], now: number, due: boolean][] = [
    [{}, midnight, true],
    [lastAt(three - DAY), three - 1, false],
    [lastAt(three - DAY), three, true],
    [lastAt(three), three + DAY - 1, false],
    // The last backup was made at a start, at another time of the day before.
    [lastAt(midnight - 2 * HOUR), three - 1, false],
    [lastAt(midnight - 2 * HOUR), three, true],
    [{ ...lastAt(three - DAY), ...failedAt(three) }, three + HOUR - 1, false],
    [{ ...lastAt(three - DAY), ...failedAt(three) }, three + HOUR, true],
    [{ ...lastAt(three - DAY), ...failedAt(three - 1) }, three, true],
    // A clock that was ahead made the last backup.
    [lastAt(three + 9 * DAY), three, true],
    [failedAt(three + 9 * DAY), three, true],
    [failedAt(processStartedAt), processStartedAt + HOUR - 1, false],
    // The failure was before the process began, or at another place.
    [failedAt(processStartedAt - 1), processStartedAt, true],
    [failedAt(processStartedAt, "/var/other"), processStartedAt, true],
  ];
  for (const [state, now, due] of table) {
    await t.step(`is ${due} at ${iso(now)} after ${JSON.stringify(state)}`, () => {
      assert.equal(
        isBackupDue(state, { timeOfDay, now, processStartedAt, placeName }),
        due,
      );
    });
  }
});
