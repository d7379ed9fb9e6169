/** Imports of the values and rows of files as other tools write them. `import_columns_test.ts` has their columns. */
import assert from "node:assert/strict";
import { CONSENT, useImportService } from "../../support/import_service.ts";
import { runOperator } from "../../support/service.ts";

const AT = "2024-05-01T09:30:00.000Z";

Deno.test("'signups import' removes invisible characters around the values of CSV and NDJSON files", async () => {
  await using test = await useImportService();
  const unseen = [" ", "\u00a0", "\u200b", "\u202a", "\u202e", "\u2060", "\ufeff"];
  const csv = unseen.flatMap((c, n) => [
    `${c}a${n}@example.com${c},${c}${CONSENT}${c},${c}de${c}`,
    `"${c}b${n}@example.com${c}","${c}${CONSENT}${c}","${c}de${c}"`,
    `${c}"c${n}@example.com"${c},${c}"${CONSENT}"${c},${c}"de"${c}`,
  ]);
  const list = await test.file(
    "list.csv",
    `\ufeff\ufeff"email",\u00a0consentedAt\u200b,lang\n${csv.join("\n")}\n`,
  );
  assert.equal(
    (await test.import([list])).stdout,
    `Imported ${list}: ${csv.length} new, 0 merged, 0 unchanged, 0 refused.\n`,
  );
  const objects = unseen.map((c, n) => {
    const values = { email: `d${n}@example.com`, consentedAt: CONSENT, lang: "de" };
    const around = Object.entries(values).map(([name, value]) => [name, `${c}${value}${c}`]);
    return JSON.stringify(Object.fromEntries(around));
  });
  const ndjson = await test.file("list.ndjson", objects.join("\n"));
  assert.equal((await test.import([ndjson])).code, 0);

  const inside = await test.file(
    "inside.csv",
    `email,consentedAt\nada\u200b@example.com,${CONSENT}`,
  );
  assert.equal(
    (await test.import([inside])).stderr,
    "Line 2: The e-mail address holds U+200B, an invisible character; remove it.\n",
  );
  const records = Object.values(await test.records());
  assert.equal(records.length, csv.length + objects.length);
  for (const record of records) assert.deepEqual([record.lang, record.consentedAt], ["de", AT]);
});

Deno.test("'signups import' skips empty rows and empty columns without a name, and accepts CR, CRLF and LF as line ends", async (t) => {
  await using test = await useImportService();
  const rows = [
    "email;consentedAt;;role;",
    ";;;;",
    `ada@example.com;${CONSENT};;engineer;`,
    `bob@example.com;${CONSENT};;;;;;`,
    '"";" ";\u00a0;;',
    "\u200b;;;;;;;;",
    `eve@example.com;${CONSENT};x;;`,
  ];
  for (const [name, lineEnd] of [["cr.csv", "\r"], ["crlf.csv", "\r\n"], ["lf.csv", "\n"]]) {
    await t.step(`${name}`, async () => {
      const file = await test.file(name!, rows.join(lineEnd));
      const { stdout, stderr } = await test.import([file, "--dry-run"]);
      assert.equal(stdout, `Would import ${file}: 2 new, 0 merged, 0 unchanged, 1 refused.\n`);
      assert.equal(
        stderr,
        "Line 7: Column 3 has a value on this line, but no name in the first line of the file; name the column, or leave it " +
          "out with --ignore-unknown.\n",
      );
    });
  }
  const file = await test.file(
    "cr.ndjson",
    `{"email":"x@example.com","consentedAt":"${CONSENT}"}\r\r{}\r`,
  );
  const { code, stderr } = await test.import([file]);
  assert.deepEqual([code, stderr], [
    1,
    "Line 3: The e-mail address is missing or not valid.\nLine 3: There is no consent time (consentedAt).\n",
  ]);
  const all = await test.import([await test.file("all.csv", rows.join("\r")), "--ignore-unknown"]);
  assert.deepEqual([all.code, all.stderr], [0, ""]);
  assert.deepEqual(Object.keys(await test.records()), [
    ...["ada@example.com", "bob@example.com", "eve@example.com", "x@example.com"],
  ]);
});

Deno.test("'signups import' refuses times without a time zone until --zone is given, and names the line of a time that does not exist", async () => {
  await using test = await useImportService();
  const rows = ["a@example.com,01.05.2024 11:30:00,de-AT", "b@example.com,2024-03-31 02:30,de"];
  const file = await test.file("list.csv", ["email,consentedAt,lang", ...rows].join("\n"));
  assert.match(
    (await test.import([file])).stderr,
    /^Lines 2 and 3: .+, a time without a zone; add --zone /,
  );
  assert.match(
    (await test.import([file, "--zone", "Europe/Berlin"])).stderr,
    /^Line 3: The field consentedAt is '2024-03-31 02:30', a time that does not exist in /,
  );
  const [[, record] = [], ...others] = Object.entries(await test.records());
  assert.deepEqual([record?.lang, record?.consentedAt, others], ["de", AT, []]);
});

Deno.test("'signups import' counts days without a time from 00:00 in the zone of --zone, which may be a city", async () => {
  await using test = await useImportService();
  const rows = ["a@example.com,2026-09-01", "b@example.com,01.09.2026"];
  const file = await test.file("list.csv", ["email,consentedAt", ...rows].join("\n"));
  assert.match(
    (await test.import([file])).stderr,
    /^Lines 2 and 3: .+, a day without a time, which counts from 00:00 in a time zone; add --zone /,
  );
  const { code, stderr } = await test.import([file, "--zone", "Berlin"]);
  assert.deepEqual([code, stderr], [
    0,
    "2 rows have a day without a time, which counts from 00:00 in Europe/Berlin.\n",
  ]);
  const stored = Object.values(await test.records()).map(({ consentedAt }) => consentedAt);
  assert.deepEqual(stored, Array(2).fill("2026-08-31T22:00:00.000Z"));
});

Deno.test("'signups import' names a reason for many refused lines once, and --json lists each line", async () => {
  await using test = await useImportService();
  const rows = Array.from(
    { length: 500 },
    (_, n) => `a${n}@example.com,2024-05-01 11:${String(n % 60).padStart(2, "0")}`,
  );
  const file = await test.file("list.csv", ["email,consentedAt", ...rows].join("\n"));
  const { code, stdout, stderr } = await test.import([file]);
  assert.deepEqual([code, stdout], [
    1,
    `Imported ${file}: 0 new, 0 merged, 0 unchanged, 500 refused.\n`,
  ]);
  assert.equal(
    stderr,
    "Lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 490 more: The field consentedAt is '2024-05-01 11:00', " +
      "'2024-05-01 11:01', '2024-05-01 11:02' or 57 other values, a time without a zone; add --zone with " +
      "the zone of the file, such as --zone Europe/Berlin.\n",
  );
  const { refusals } = JSON.parse((await test.import([file, "--json"])).stdout);
  assert.equal(refusals.length, 500);
  assert.match(
    refusals[499].reason,
    /^The field consentedAt is '2024-05-01 11:19', a time without/,
  );
});

Deno.test("'signups import' reads cells that contain line breaks, and the rows after these cells", async () => {
  await using test = await useImportService();
  const file = await test.file(
    "notes.csv",
    "Email,consentedAt,Notes\r\n" +
      `a@example.com,${CONSENT},"first line\r\n\r\nthird, with a comma"\r\n` +
      `b@example.com,${CONSENT},"one ""word""\nand\nmore"\r\n` +
      `c@example.com,${CONSENT},"never closed\r\n` +
      `d@example.com,${CONSENT},fine\r\n` +
      `"e@\nexample.com",${CONSENT},\r\n` +
      `f@example.com,${CONSENT},"a line\r\nlike,a row,of its own\r\nend"\r\n` +
      `g@example.com,${CONSENT},"at the end\r\n"`,
  );
  const { stderr } = await test.import([file, "--map", "Notes="]);
  assert.deepEqual(stderr.trimEnd().split("\n"), [
    "Columns left out: 'Notes'.",
    "Lines 8, 12 and 14: A quotation mark opens on this line and never closes; add the closing quotation mark.",
    "Line 10: The e-mail address holds U+000A, a space; remove it.",
    "Line 13: The e-mail address is missing or not valid.",
    "Line 13: The field consentedAt is 'a row'; it must be a date-time such as 2026-05-01T09:30:00Z.",
  ]);
  const records = Object.keys(await test.records());
  assert.deepEqual(records, ["a", "b", "d", "g"].map((name) => `${name}@example.com`));
});

Deno.test("'signups import -' reads standard input, and requires --format", async () => {
  await using test = await useImportService();
  const csv = `email,consentedAt\na@example.com,${CONSENT}\n`;
  const run = (args: string[], stdin = csv) => {
    return runOperator(test.url, ["signups", "import", ...args], { stdin });
  };
  const { code, stdout } = await run(["-", "--format", "csv"]);
  assert.deepEqual(
    [code, stdout],
    [0, "Imported standard input: 1 new, 0 merged, 0 unchanged, 0 refused.\n"],
  );
  const json = await run(["/dev/stdin", "--format", "ndjson", "--json"], "{}");
  assert.deepEqual([json.code, JSON.parse(json.stdout).refused], [1, 1]);
  assert.match(
    (await run(["-"])).stderr,
    /^waitlist: The format of standard input is not known; add --f/,
  );
  assert.match(
    (await run(["-", "--format", "csv", "--key-stdin"])).stderr,
    /^waitlist: --key-stdin and '-' both read standard input; set WAITLIST_OPERATOR_KEY in place of .+\.\n$/,
  );
  assert.deepEqual(Object.keys(await test.records()), ["a@example.com"]);
});
