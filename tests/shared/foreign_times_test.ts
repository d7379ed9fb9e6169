import assert from "node:assert/strict";
import { parseForeignTime } from "../../shared/foreign_times.ts";

const BERLIN = "Europe/Berlin";

Deno.test("parseForeignTime() reads times with a zone in the forms that other tools write", async (t) => {
  const forms: [text: string, time: string][] = [
    ["2026-05-01T09:30:00Z", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01t09:30:00z", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T09:30:00.1234567Z", "2026-05-01T09:30:00.123Z"],
    ["2026-05-01T11:30:00+02:00", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 11:30:00+02:00", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 11:30+02:00", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T11:30:00+0200", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T11:30:00+02", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T09:30:00+0000", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 09:30:00+00", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 09:30:00.250 +00", "2026-05-01T09:30:00.250Z"],
    ["2026-05-01 04:00:00 -0530", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 09:30:00 UTC", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 09:30 UTC", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 09:30 GMT", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01 9:30am UTC", "2026-05-01T09:30:00.000Z"],
    ["2026/05/01 11:30:00 AM GMT+2", "2026-05-01T09:30:00.000Z"],
    ["2026/05/01 12:30:00 AM GMT", "2026-05-01T00:30:00.000Z"],
    ["2026/05/01 12:30:00 PM GMT-3:30", "2026-05-01T16:00:00.000Z"],
    ["2026/05/01 11:30:00 AM MESZ", "2026-05-01T09:30:00.000Z"],
    ["13/4/2026 09:30 UTC", "2026-04-13T09:30:00.000Z"],
    ["04/13/2026 9:30 am UTC", "2026-04-13T09:30:00.000Z"],
    ["1.5.2026 9:30 Z", "2026-05-01T09:30:00.000Z"],
    ["01.05.2026, 09:30:15 UTC", "2026-05-01T09:30:15.000Z"],
    ["2026-01-01 00:30:00+01:00", "2025-12-31T23:30:00.000Z"],
  ];
  for (const [text, time] of forms) {
    await t.step(text, () => {
      assert.deepEqual(parseForeignTime(text), { time });
      assert.deepEqual(parseForeignTime(text, BERLIN), { time }, `${text} names its own zone`);
    });
  }
});

Deno.test("parseForeignTime() uses the zone argument for a time that names no zone", async (t) => {
  const forms: [text: string, zone: string, time: string][] = [
    ["2026-05-01 09:30:00", BERLIN, "2026-05-01T07:30:00.000Z"],
    ["2026-12-01T09:30", BERLIN, "2026-12-01T08:30:00.000Z"],
    ["01.12.2026 09:30", BERLIN, "2026-12-01T08:30:00.000Z"],
    ["2026/05/01 9:30:00 PM", "America/New_York", "2026-05-02T01:30:00.000Z"],
    ["2026-05-01 09:30", "UTC", "2026-05-01T09:30:00.000Z"],
    // The clocks show this time twice; the first one is in summer time.
    ["2026-10-25 02:30", BERLIN, "2026-10-25T00:30:00.000Z"],
  ];
  for (const [text, zone, time] of forms) {
    await t.step(text, () => {
      assert.deepEqual(parseForeignTime(text, zone), { time });
      assert.deepEqual(parseForeignTime(text), { fault: "no_zone" });
    });
  }
  assert.deepEqual(parseForeignTime("2026-03-29 02:30", BERLIN), { fault: "left_out" });
});

Deno.test("parseForeignTime() reads a day without a time as the beginning of the day in the zone", async (t) => {
  const days: [text: string, zone: string, time: string][] = [
    ["2026-09-01", BERLIN, "2026-08-31T22:00:00.000Z"],
    ["2026/9/1", "UTC", "2026-09-01T00:00:00.000Z"],
    ["01.09.2026", BERLIN, "2026-08-31T22:00:00.000Z"],
    ["1.12.2026", BERLIN, "2026-11-30T23:00:00.000Z"],
    // On this day, clocks were put forward from 00:00 to 01:00.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
  ];
  for (const [text, zone, time] of days) {
    await t.step(`${text} ${zone}`, () => {
      assert.deepEqual(parseForeignTime(text, zone), { time, isDay: true });
      assert.deepEqual(parseForeignTime(text), { fault: "no_time_of_day" });
    });
  }
  assert.deepEqual(parseForeignTime("2011-12-30", "Pacific/Apia"), { fault: "left_out" });
});

Deno.test("parseForeignTime() returns the same times as Temporal in five zones, on days of clock changes", () => {
  const zones = [BERLIN, "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"];
  const days = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01"];
  for (const zone of zones) {
    for (const day of days) {
      for (let minutes = 0; minutes < 24 * 60; minutes += 15) {
        const local = Temporal.PlainDateTime.from(day).add({ minutes });
        const zoned = local.toZonedDateTime(zone, { disambiguation: "earlier" });
        const expected = zoned.toPlainDateTime().equals(local)
          ? { time: new Date(zoned.epochMilliseconds).toISOString() }
          : { fault: "left_out" };
        assert.deepEqual(parseForeignTime(`${local}`, zone), expected, `${local} ${zone}`);
      }
    }
  }
});

Deno.test("parseForeignTime() says why it cannot read a text as a time", async (t) => {
  const faults: [text: string, fault: string][] = [
    ["2026-02-30", "not_on_calendar"],
    ["2026-02-30T09:30:00Z", "not_on_calendar"],
    ["30.02.2026 09:30 UTC", "not_on_calendar"],
    ["2026-13-01 09:30 UTC", "not_on_calendar"],
    ["2026-05-01 24:00 UTC", "not_on_calendar"],
    ["2026-05-01 09:60 UTC", "not_on_calendar"],
    ["2026-05-01 09:30:60 UTC", "not_on_calendar"],
    ["2026-05-01 13:30 pm UTC", "not_on_calendar"],
    ["2026-05-01 0:30 am UTC", "not_on_calendar"],
    ["0000-01-01 00:30 +01:00", "not_on_calendar"],
    ["31/4/2026 09:30 UTC", "not_on_calendar"],
    ["13/13/2026 09:30 UTC", "not_on_calendar"],
    ["5/6/2026 9:30am", "ambiguous_day"],
    ["05/06/2026", "ambiguous_day"],
    ["2026-05-01 09:30 IST", "no_time"],
    ["2026-05-01 09:30+25:00", "no_time"],
    ["2026-05-01 09:30+02:60", "no_time"],
    ["2026-05/01 09:30Z", "no_time"],
    ["yesterday", "no_time"],
    ["1777627800", "no_time"],
    ["", "no_time"],
  ];
  for (const [text, fault] of faults) {
    await t.step(text, () => {
      assert.deepEqual(parseForeignTime(text, BERLIN), { fault });
    });
  }
});

Deno.test("parseForeignTime() accepts each existing day from 2023 to 2028, and refuses days such as 30 February", () => {
  for (let year = 2023; year <= 2028; year++) {
    for (let month = 1; month <= 12; month++) {
      const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
      for (let day = 1; day <= 32; day++) {
        const date = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
        const expected = day <= days
          ? { time: `${date}T09:30:00.000Z` }
          : { fault: "not_on_calendar" };
        assert.deepEqual(parseForeignTime(`${date} 09:30 UTC`), expected, date);
      }
    }
  }
});
