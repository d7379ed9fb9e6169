/** Imports of files, good and bad. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { assertRefused } from "../../support/cli.ts";
import { CONSENT, list, useImportService } from "../../support/import_service.ts";
import { runOperator } from "../../support/service.ts";
import { cutAnswer, forward, serveLocally } from "../../support/proxy.ts";

Deno.test("'signups import' reads CSV, names the line of each refused row, and changes nothing in a second run", async () => {
  await using test = await useImportService();
  const file = await test.file(
    "list.CSV",
    "\ufeffEmail; consentedAt ;createdAt;Lang;role\r\n" +
      `ada@example.com;${CONSENT};2024-04-01T00:00:00Z;de;engineer\r\n` +
      `"ADA@Example.com";"${CONSENT}";;;\r\n` +
      "\r\n" +
      `aDa@EXAMPLE.COM;2024-06-01T09:30:00Z;;;"planner"\r\n` +
      `ragged@example.com;${CONSENT}\r\n` +
      `"open@example.com;${CONSENT};;;\r\n` +
      `bob@example.com;${CONSENT};;;\r\n` +
      `nobody;${CONSENT};;;\r\n` +
      `late@example.com;2999-01-01T00:00:00Z;;;\r\n` +
      `free@example.com;${CONSENT};;;Head of everything\r\n` +
      `cut@example.com;${CONSENT};;`,
  );
  const refused = [
    [6, "The row has 2 cells, but the header has 5; give the row one cell for each column."],
    [7, "A quotation mark opens on this line and never closes; add the closing quotation mark."],
    [9, "The e-mail address is missing or not valid."],
    [10, "The field consentedAt is '2999-01-01T00:00:00Z', which is in the future."],
    [
      11,
      "The field role is 'Head of everything'; it must be one of the offered answers, or a short name of 1 to " +
      "40 characters a-z, 0-9, _ and -.",
    ],
    [12, "The row has 4 cells, but the header has 5; give the row one cell for each column."],
  ];

  const rehearsed = await test.import([file, "--dry-run"]);
  assert.equal(rehearsed.code, 1, rehearsed.stderr);
  assert.match(rehearsed.stdout, /^Would import .+: 2 new, 1 merged, 1 unchanged, 6 refused\.\n$/);
  const first = await test.import([file]);
  assert.equal(first.code, 1);
  assert.equal(first.stdout, `Imported ${file}: 2 new, 1 merged, 1 unchanged, 6 refused.\n`);
  const audit = await runOperator(test.url, ["audit", "--json"]);
  const [entry] = JSON.parse(audit.stdout).entries;
  assert.deepEqual(entry.details, {
    new: 2,
    merged: 1,
    unchanged: 1,
    refused: 6,
    complete: true,
  }, "the rows that the command itself could not read count as well");
  const told = first.stderr.trimEnd().split("\n").sort();
  const advice = ' To leave out this column for all rows, give --map "role=".';
  assert.deepEqual(
    told,
    refused.map(([line, reason]) => `Line ${line}: ${reason}${line === 11 ? advice : ""}`).sort(),
  );

  const second = await test.import([file, "--json"]);
  assert.equal(second.code, 1);
  const { refusals, ...counts } = JSON.parse(second.stdout);
  assert.deepEqual(counts, {
    file,
    dryRun: false,
    new: 0,
    merged: 2,
    unchanged: 1 + 1,
    refused: 6,
  }, "ada is an engineer again before she is a planner");
  assert.equal(refusals.length, 6);

  const records = await test.records();
  assert.deepEqual(Object.keys(records), ["ada@example.com", "bob@example.com"]);
  const { updatedAt: _updatedAt, imported: _imported, ...ada } = records["ada@example.com"]!;
  assert.deepEqual(ada, {
    createdAt: "2024-04-01T00:00:00.000Z",
    consentedAt: "2024-06-01T09:30:00.000Z",
    lang: "de",
    role: "planner",
    state: "waiting",
  });
});

Deno.test("'signups import' counts in the audit log the unread rows behind the last row that was sent, unless nothing was imported", async () => {
  await using test = await useImportService();
  // A run of rows has at most 10,000 refused rows, so the last two rows are behind all that are sent.
  const ragged = "ragged@example.com\n".repeat(10_002);
  const auditedRefusals = async () => {
    const { stdout } = await runOperator(test.url, ["audit", "--json"]);
    const entries: { action: string; details: { refused: number } }[] = JSON.parse(stdout).entries;
    return entries.filter(({ action }) => action === "importSignups")
      .map(({ details }) => details.refused);
  };
  const nobody = await test.file("nobody.csv", `email,consentedAt\n${ragged}`);
  assert.match((await test.import([nobody])).stdout, / 0 new, .+ 10,002 refused\.\n$/);
  assert.deepEqual(await auditedRefusals(), []);
  const file = await test.file(
    "list.csv",
    `email,consentedAt\nada@example.com,${CONSENT}\n${ragged}`,
  );
  assert.match((await test.import([file, "--dry-run"])).stdout, / 1 new, .+ 10,002 refused\.\n$/);
  assert.match((await test.import([file])).stdout, / 1 new, .+ 10,002 refused\.\n$/);
  assert.deepEqual((await auditedRefusals()).toSorted((a, b) => a - b), [2, 10_000]);
});

Deno.test("'signups import' reads NDJSON, and refuses a line that is longer than 64 KB, is not UTF-8 or is incomplete", async () => {
  await using test = await useImportService();
  const encoder = new TextEncoder();
  const file = await test.file(
    "list.ndjson",
    new Uint8Array([
      ...encoder.encode(`{"email":"a@example.com","consentedAt":"${CONSENT}","source":null}\r\n\n`),
      ...encoder.encode(`{"email":"${"x".repeat(66_000)}"}\n`),
      ...encoder.encode('{"email":"'),
      0xe9,
      ...encoder.encode(`@example.com","consentedAt":"${CONSENT}"}\n`),
      ...encoder.encode(`{"email":"b@example.com","consentedAt":"${CONSENT}","phone":"1"}\n`),
      ...encoder.encode(`{"email":"c@example.com","consentedAt":"${CONSENT}"}\n`),
      ...encoder.encode('{"email":"cut@example.com","conse'),
    ]),
  );
  const { code, stdout, stderr } = await test.import([file]);
  assert.equal(code, 1, stderr);
  assert.equal(stdout, `Imported ${file}: 2 new, 0 merged, 0 unchanged, 4 refused.\n`);
  assert.deepEqual(stderr.trimEnd().split("\n").sort(), [
    "Line 3: The line is longer than 64 KB; shorten the line.",
    "Line 4: The line is not UTF-8 text; save the file as UTF-8.",
    "Line 5: The field 'phone' is not known; the known ones are email, consentedAt, createdAt, " +
    "updatedAt, source, lang, role, building, utmSource, utmMedium, utmCampaign, note, state, proof, invitedAt, invitationCode, wave, " +
    "expiresAt, acceptedAt, reference, undeliverableAt, complainedAt, referralCode, referrals, referredBy, referralCounts, placeUrl, invitationUrl.",
    "Line 7: The line is not valid JSON.",
  ]);
  assert.deepEqual(Object.keys(await test.records()), ["a@example.com", "c@example.com"]);
});

Deno.test("'signups import' sends nothing and names the fault when the file or its first line cannot be used", async (t) => {
  await using test = await useImportService();
  const utf16 = new Uint8Array([
    0xff,
    0xfe,
    ...[..."email,consentedAt\n"].flatMap((c) => [c.charCodeAt(0), 0]),
  ]);
  const cases: [name: string, content: string | Uint8Array, message: RegExp][] = [
    ["empty.csv", "", /The file is empty; its first line must name the columns/],
    ["blank.csv", "\n\n", /The file is empty/],
    [
      "unknown.csv",
      "email,consentedAt,phone\n",
      /The column 'phone' is not known; remove it, leave it out with --ignore-unknown, or say with --map which of these fields it holds: email/,
    ],
    [
      "headless.csv",
      "bob@example.com,2026-05-01T09:30:00Z\nada@example.com,2026-05-01T09:30:00Z\n",
      /^waitlist: The first line must name the columns; .+ such as email,consentedAt above the rows; [^@]+\n$/,
    ],
    [
      "without.csv",
      "email,createdAt\n",
      /There is no column consentedAt; put this name into the first line/,
    ],
    [
      "twice.csv",
      "email,consentedAt,EMAIL\n",
      /Several columns hold email: 'email' and 'EMAIL'; keep only one of these columns/,
    ],
    [
      "utf16.csv",
      utf16,
      /^waitlist: The first line of the file is not UTF-8 text; save the file as UTF-8\.\n$/,
    ],
    [
      "long.csv",
      "x".repeat(70_000),
      /^waitlist: The first line of the file, which must name the columns, is longer than 64 KB; check that the file is CSV\.\n$/,
    ],
    [
      "list.txt",
      "",
      /The name '.+list\.txt' does not end in \.csv or \.ndjson; add --format csv or/,
    ],
  ];
  for (const [name, content, message] of cases) {
    await t.step(name, async () => {
      const file = await test.file(name, content);
      await assertRefused((args) => test.import(args), [[[file], message]]);
    });
  }
  const file = await test.file("x.csv", "");
  await assertRefused((args) => test.import(args), [
    [
      [join("no folder", "list.csv")],
      /^waitlist: Cannot read '.+': there is no such file or folder; check the path\.\n$/,
    ],
    [[file, "--format", "xlsx"], /^waitlist: --format is 'xlsx'; give csv or ndjson\.\n$/],
  ]);
  assert.deepEqual(await test.records(), {});
});

Deno.test("'signups import' sends rows again and imports every row once when the connection is cut", async () => {
  await using test = await useImportService();
  const file = await test.file("list.csv", list(5_001));
  let calls = 0;
  // The second chunk is stored, and its answer lost.
  await using proxy = serveLocally(async (request) => {
    const response = await forward(request, test);
    if (++calls !== 2) return response;
    await response.body?.cancel();
    return cutAnswer(response.headers);
  });
  const { code, stdout, stderr } = await test.import([file], proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^waitlist: [^;]+; the program calls the service again in 1 s\.\n$/);
  assert.equal(stdout, `Imported ${file}: 5,000 new, 0 merged, 1 unchanged, 0 refused.\n`);
  assert.equal(Object.keys(await test.records()).length, 5_001);
});

Deno.test("'signups import' counts all rows that it could not read in the audit log when whole runs have no other rows", async () => {
  await using test = await useImportService();
  const unreadable = "ragged@example.com\n".repeat(10_001);
  const file = await test.file(
    "list.csv",
    `email,consentedAt\n${unreadable}ada@example.com,${CONSENT}\n`,
  );
  const { stdout } = await test.import([file]);
  assert.equal(stdout, `Imported ${file}: 1 new, 0 merged, 0 unchanged, 10,001 refused.\n`);
  const audit = await runOperator(test.url, ["audit", "--json"]);
  const [entry] = JSON.parse(audit.stdout).entries;
  assert.equal(entry.details.refused, 10_001);
});

Deno.test("'signups import' with --refused writes the refused rows to a file, which can be corrected and imported", async () => {
  await using test = await useImportService();
  const file = await test.file(
    "list.csv",
    `email;consentedAt;lang\nada@example.com;${CONSENT};de\n` +
      `nobody;${CONSENT};\nragged@example.com;${CONSENT}\n`,
  );
  const refused = join(dirname(file), "refused.csv");
  const first = await test.import([file, "--refused", refused]);
  assert.equal(first.code, 1, first.stderr);
  assert.equal(
    first.stdout,
    `Imported ${file}: 1 new, 0 merged, 0 unchanged, 2 refused.\nWrote the refused rows to ${refused}.\n`,
  );
  const csv = await Deno.readTextFile(refused);
  assert.equal(
    csv,
    "\ufeffemail;consentedAt;lang;refused line;refused because\r\n" +
      `nobody;${CONSENT};;3;The e-mail address is missing or not valid.\r\n` +
      `ragged@example.com;${CONSENT};;4;"The row has 2 cells, but the header has 3; give the row one cell for each column."\r\n`,
  );
  assert.equal((await Deno.stat(refused)).mode! & 0o777, 0o600);

  const there = await test.import([file, "--refused", refused, "--dry-run"]);
  assert.equal(there.code, 2);
  assert.match(there.stderr, /refused\.csv' exists already; add --yes to replace it/);

  const corrected = await test.file("corrected.csv", csv.replace("nobody", "bob@example.com"));
  const none = join(dirname(file), "none.csv");
  const second = await test.import([corrected, "--refused", none, "--json"]);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(JSON.parse(second.stdout).refusedFile, undefined);
  await assert.rejects(Deno.stat(none));
  assert.deepEqual(
    Object.keys(await test.records()),
    ["ada@example.com", "bob@example.com", "ragged@example.com"],
  );
});

Deno.test("'signups import' refuses --refused for NDJSON and for standard input, and sends nothing", async () => {
  await using test = await useImportService();
  const ndjson = await test.file("list.ndjson", `{"email":"nobody","consentedAt":"${CONSENT}"}\n`);
  for (
    const [args, reason] of [
      [[ndjson], /this file is NDJSON; leave --refused out/],
      [["-", "--format", "csv"], /it needs a file in place of a pipe or standard input/],
    ] as const
  ) {
    const { code, stderr } = await test.import([...args, "--refused", "refused.csv"]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, reason);
  }
  assert.deepEqual(await test.records(), {});
});
