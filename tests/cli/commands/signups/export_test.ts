import assert from "node:assert/strict";
import { join } from "node:path";
import { assertRefused, printed } from "../../support/cli.ts";
import { useList, withoutPlaceUrls } from "../../support/list.ts";
import { cutAnswers } from "../../support/proxy.ts";
import { usePeople } from "../../support/people_service.ts";

const LENGTH = 2_000;
const service = useList(LENGTH);

Deno.test("'signups export --format ndjson' writes all records of the list", async () => {
  const stdout = await printed(service.run(["--format", "ndjson"]));
  assert.ok(stdout === service.ndjson);
});

Deno.test("'signups export' writes all people or the selected people as CSV, and escapes cells that a spreadsheet would run as formulas", async () => {
  const all = await printed(service.run([]));
  const lines = all.split("\r\n");
  assert.equal(lines.length, LENGTH + 2);
  assert.match(lines[0]!, /^email,createdAt,consentedAt,.+,proof\.confirmedAt$/);
  assert.match(lines[1]!, /^'=1\+1@example\.com,2026-05-01T10:00:00\.000Z,/);
  const some = await service.run(["--lang", "de", "--since", "2026-05-07T12:00:00+02:00"]);
  const expected = service.ndjson.trimEnd().split("\n").map((line) => JSON.parse(line))
    .filter(({ lang, createdAt }) => lang === "de" && createdAt >= "2026-05-07T10:00:00.000Z");
  assert.equal(some.stdout.split("\r\n").length, expected.length + 2);
});

Deno.test("'signups export' writes the links to people's pages when --links is given", async () => {
  const people = await printed(service.run(["--format", "ndjson", "--links"]));
  assert.ok(withoutPlaceUrls(people) === service.ndjson && people !== service.ndjson);
  const [head, first] = (await printed(service.run(["--links"]))).split("\r\n");
  assert.match(head!, /,proof\.confirmedAt,placeUrl$/);
  assert.match(first!, /,http:\/\/[^,]+\/platz\/\?t=[\w.-]+$/);
});

Deno.test("'signups export' writes to a partial file, and gives this file the name from --output only when the file is complete", async () => {
  const file = join(service.folder, "whole.ndjson");
  const stdout = await printed(service.run(["--output", file]));
  assert.equal(stdout, `Exported 2,000 sign-ups to ${file}.\n`);
  assert.ok(await Deno.readTextFile(file) === service.ndjson);
  const unasked = await service.run(["--output", file]);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.stderr,
    `waitlist: '${file}' exists already; add --yes to replace it.\n`,
  );
  const again = await service.run(["--output", file, "--yes", "--json"]);
  assert.deepEqual(JSON.parse(again.stdout), {
    file,
    format: "ndjson",
    count: LENGTH,
    resumed: 0,
    erasedMeanwhile: 0,
    unreadable: [],
  });
  assert.deepEqual(await service.leftovers("whole.ndjson"), []);
});

Deno.test("'signups export' exits with code 2 and names the flag when a flag is wrong", async () => {
  await assertRefused(service.run, [
    [["--format", "xlsx"], /--format is 'xlsx'; give csv or ndjson/],
    [["--lang", "fr"], /--lang is 'fr'; give 'en' or 'de'/],
    [["--role", "Architect"], /--role is 'Architect'; give a slug of 1 to 40 characters/],
    [["--search", "ab"], /--search is 'ab'; give a part of an address, of 3 to 254 characters/],
    [["--referrals", "0"], /--referrals is '0'; give a whole number from 1 on/],
    [
      ["--json"],
      /--json prints .+; add --output FILE to .+, or give --format ndjson .+ to print .+ one JSON object on each line\."}\n$/,
    ],
    [
      ["--json", "--format", "ndjson"],
      /--json prints a summary and not the list; add --output /,
    ],
    [
      ["--output", join(service.folder, "none", "list.csv")],
      /^waitlist: Cannot write '.+list\.csv\.part': there is no such file or folder; /,
      1,
    ],
  ]);
});

Deno.test("'signups export' connects again and continues where the connection was cut", async () => {
  await using proxy = cutAnswers(service, { bytes: 100_000, times: 3 });
  const { code, stdout, stderr } = await service.run(["--format", "ndjson"], proxy.url);
  assert.equal(code, 0, stderr);
  assert.ok(stdout === service.ndjson);
  assert.match(stderr, /^(waitlist: [^;]+; the export continues\.\n){3}$/);
  assert.deepEqual(proxy.afters.map(Boolean), [false, true, true, true]);
});

Deno.test("'signups export' starts again from the first person when the partial file belongs to another export", async (t) => {
  const file = join(service.folder, "other.ndjson");
  const position = { startedAt: new Date().toISOString(), after: "visitor5@example.com", count: 9 };
  const description = { baseUrl: service.url, format: "ndjson" };
  for (
    const state of [
      JSON.stringify({ description: { ...description, lang: "de" }, position, bytes: 4 }),
      JSON.stringify({
        description,
        position: { ...position, startedAt: "2026-01-01T00:00:00.000Z" },
        bytes: 4,
      }),
      JSON.stringify({ description, position, bytes: 5 }),
      "{",
    ]
  ) {
    await t.step(state, async () => {
      await Deno.writeTextFile(`${file}.part`, "old\n");
      await Deno.writeTextFile(`${file}.part.json`, state);
      await printed(service.run(["--output", file, "--yes"]));
      assert.ok(await Deno.readTextFile(file) === service.ndjson);
    });
  }
});

Deno.test("'signups export' writes the same people as 'signups list' when both have the same flags", async (t) => {
  await using test = await usePeople();
  const selections = [
    ["--search", "BO@"],
    ["--mark", "undeliverable"],
    ["--state", "waiting", "--before", "2026-05-02"],
    ["--wave", "first"],
    ["--lang", "de", "--role", "architect"],
  ];
  for (const flags of selections) {
    await t.step(flags.join(" "), async () => {
      const listed = await printed(test.run(["list", "--quiet", ...flags]));
      const exported = await printed(test.run(["export", "--format", "ndjson", ...flags]));
      const emails = exported.split("\n").filter(Boolean).map((line) => JSON.parse(line).email);
      assert.deepEqual(emails.sort(), listed.split("\n").filter(Boolean).sort());
    });
  }
});

Deno.test("'signups import' accepts a file that 'signups export --state' has written", async () => {
  await using test = await usePeople();
  const file = await test.file("invited.csv", "");
  await printed(test.run(["export", "--state", "invited", "--output", file, "--yes"]));
  const [, row, ...others] = (await Deno.readTextFile(file)).trimEnd().split("\r\n");
  assert.match(row!, /^bo@example\.com,.+,invited,/);
  assert.deepEqual(others, []);
  const imported = await test.import([file]);
  assert.match(imported.stdout, /: 0 new, 0 merged, 1 unchanged, 0 refused\.\n$/);
});
