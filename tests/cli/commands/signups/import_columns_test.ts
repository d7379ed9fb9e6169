/** The columns of files that other tools have made: which the import knows, proposes, refuses and leaves out. */
import assert from "node:assert/strict";
import { CONSENT, useImportService } from "../../support/import_service.ts";

const AT = "2024-05-01T09:30:00.000Z";

/** No service is called by what is refused. */
const NOWHERE = "http://localhost:1";

/** First lines of exports, a row, what the dry run proposes, and what is then imported. */
const EXPORTS: [tool: string, header: string, row: string, proposal: RegExp, flags: string[]][] = [
  [
    "Mailchimp",
    '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,' +
    "LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS",
    '"ada@example.com","Ada","Lovelace",2,"2024-05-01 09:29:00","192.0.2.1","2024-05-01 09:30:00","192.0.2.1",,,,,' +
    ',,,"2024-05-02 08:00:00",510,"a1b2c3d4e5",,"\\"beta\\""'.replaceAll("\\", '"'),
    /--map "Email Address=email,OPTIN_TIME=consentedAt" --ignore-unknown, if these columns hold these fields\.\n$/,
    [
      ..."--map|Email Address=email,CONFIRM_TIME=consentedAt,OPTIN_TIME=createdAt".split("|"),
      ..."--ignore-unknown|--zone|UTC".split("|"),
    ],
  ],
  [
    "HubSpot",
    '"Record ID","First Name","Last Name","Email","Phone Number","Contact owner","Lead Status","Create Date"',
    '"51","Ada","Lovelace","ada@example.com","","","","2024-05-01 11:30"',
    /--map "Create Date=createdAt" --ignore-unknown, if the column 'Create Date' holds createdAt; also add --map "NAME=consentedAt" for the column that holds the time of the consent\.\n$/,
    "--map|Create Date=consentedAt|--ignore-unknown|--zone|Europe/Berlin".split("|"),
  ],
  [
    "Google Forms",
    '"Timestamp","Email Address","Your role, if you like"',
    '"2024/05/01 11:30:00 AM GMT+2","ada@example.com","engineer"',
    /--map "Email Address=email,Timestamp=consentedAt" --ignore-unknown, if these columns hold these fields\.\n$/,
    "--map|Email Address=email,Timestamp=consentedAt,Your role, if you like=role".split("|"),
  ],
  [
    "Google Forms in German",
    '"Zeitstempel","E-Mail-Adresse"',
    '"2024/05/01 11:30:00 AM MESZ","ada@example.com"',
    /--map "E-Mail-Adresse=email,Zeitstempel=consentedAt", if these columns hold these fields\.\n$/,
    "--map|E-Mail-Adresse=email|--map|Zeitstempel=consentedAt".split("|"),
  ],
  [
    "Airtable",
    "\ufeffName,Email,Notes,Opt-in date,Created time",
    "Ada,ada@example.com,,2024-05-01 9:30am,2024-05-01 9:30am",
    /--map "Opt-in date=consentedAt,Created time=createdAt" --ignore-unknown, if these columns hold these fields\.\n$/,
    [
      ..."--map|Opt-in date=consentedAt,Created time=createdAt,Name=,Notes=".split("|"),
      ..."--zone|UTC".split("|"),
    ],
  ],
  [
    "Ghost",
    "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels",
    "66,ada@example.com,Ada,Complains a lot,true,,,2024-05-01T09:30:00.000Z,,",
    /The columns 'id', 'name', 'note', .+ are not known; remove them, leave them out with --ignore-unknown, /,
    "--map|created_at=consentedAt|--ignore-unknown".split("|"),
  ],
  [
    "a spreadsheet with campaigns",
    "Email;Signed up at;Role;UTM Source;Campaign",
    "ada@example.com;2024-05-01 09:30;engineer;Partner Site;Spring",
    /--map "Signed up at=consentedAt,Campaign=utmCampaign", if these columns hold these fields\.\n$/,
    "--map|signed_up_at=consentedAt,CAMPAIGN=utmCampaign|--zone|UTC".split("|"),
  ],
  [
    "Numbers",
    "E-Mail;Einwilligung am;;",
    "ada@example.com;01.05.2024 11:30:00;;\r\n;;;\r\n;;;",
    /--map "Einwilligung am=consentedAt", if the column 'Einwilligung am' holds consentedAt\.\n$/,
    "--map|Einwilligung am=consentedAt|--zone|Europe/Berlin".split("|"),
  ],
];

for (const [tool, header, row, proposal, flags] of EXPORTS) {
  Deno.test(`'signups import' proposes --map for an export of ${tool}, and imports the export with this --map`, async () => {
    await using test = await useImportService();
    const file = await test.file("export.csv", `${header}\r\n${row}\r\n`);
    const proposed = await test.import([file, "--dry-run"]);
    assert.deepEqual([proposed.code, proposed.stdout], [2, ""]);
    assert.match(proposed.stderr, proposal);
    const { code, stdout, stderr } = await test.import([file, ...flags]);
    assert.deepEqual(
      [code, stdout],
      [0, `Imported ${file}: 1 new, 0 merged, 0 unchanged, 0 refused.\n`],
      stderr,
    );
    const [[email, record] = []] = Object.entries(await test.records());
    assert.deepEqual([email, record?.consentedAt], ["ada@example.com", AT]);
    assert.equal(record?.note, undefined);
    if (tool === "Google Forms") assert.equal(record?.role, "engineer");
    if (tool === "a spreadsheet with campaigns") {
      assert.deepEqual([record?.utmSource, record?.utmCampaign], ["partner-site", "spring"]);
    }
  });
}

Deno.test("'signups import' imports the column 'note' of another tool only when --map names the column", async () => {
  await using test = await useImportService();
  const ghost = await test.file(
    "ghost.csv",
    `email,created_at,note\nada@example.com,${CONSENT},Met at the fair\n` +
      `bob@example.com,${CONSENT},${"x".repeat(501)}\n`,
  );
  const unknown = await test.import([ghost, "--map", "created_at=consentedAt"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /The column 'note' is not known; .+--ignore-unknown/);
  const mapped = await test.import([ghost, "--map", "created_at=consentedAt,note=note"]);
  assert.deepEqual([mapped.code, mapped.stderr], [
    1,
    `Line 3: The field note is '${
      "x".repeat(40)
    }…'; it must be a text of at most 500 characters.\n`,
  ]);
  const notOwn = await test.file(
    "mapped.csv",
    `email,consentedAt,note\neve@example.com,${CONSENT},A note of the staff\n`,
  );
  const left = await test.import([notOwn, "--map", "consentedAt=consentedAt", "--ignore-unknown"]);
  assert.deepEqual([left.code, left.stderr], [0, "Columns left out: 'note'.\n"]);
  const own = await test.file(
    "own.csv",
    `email,consentedAt,note\nfay@example.com,${CONSENT},Likes the pilot\n`,
  );
  assert.equal((await test.import([own])).code, 0);
  const notes = Object.entries(await test.records()).map(([email, { note }]) => [email, note]);
  assert.deepEqual(notes, [
    ["ada@example.com", "Met at the fair"],
    ["eve@example.com", undefined],
    ["fay@example.com", "Likes the pilot"],
  ]);
});

Deno.test("'signups import' names the columns that it leaves out, and proposes --map for columns whose names resemble a known field", async () => {
  await using test = await useImportService();
  const file = await test.file(
    "list.csv",
    `email,consentedAt,Phone,Created\na@example.com,${CONSENT},1,\n`,
  );
  const { code, stderr } = await test.import([file, "--dry-run", "--ignore-unknown"]);
  assert.equal(code, 0);
  assert.equal(
    stderr,
    "Columns left out: 'Phone' and 'Created'; add --map \"Created=createdAt\" --ignore-unknown, if the column 'Created' holds createdAt.\n",
  );
  const left = await test.import([file, "--map", "created=,PHONE="]);
  assert.deepEqual([left.code, left.stderr], [0, "Columns left out: 'Phone' and 'Created'.\n"]);
  const ndjson = await test.file(
    "list.ndjson",
    `{"Email Address":"b@example.com","consentedAt":"${CONSENT}","phone":"1","__proto__":{}}\n` +
      `{"Email Address":"c@example.com","email":"c@example.com","consentedAt":"${CONSENT}"}\n`,
  );
  const mapped = await test.import([ndjson, "--map", "Email Address=email", "--ignore-unknown"]);
  assert.deepEqual([mapped.code, mapped.stderr], [
    1,
    "Line 2: Two members of this JSON object hold the field email; remove one of these members.\n",
  ]);
  assert.deepEqual(Object.keys(await test.records()), ["a@example.com", "b@example.com"]);
});

Deno.test("'signups import' refuses a file with two columns for one field, until --map leaves one of these columns out", async () => {
  await using test = await useImportService();
  const file = await test.file(
    "list.csv",
    `E-Mail,Email,consentedAt\nold@example.com,new@example.com,${CONSENT}\n`,
  );
  assert.match(
    (await test.import([file])).stderr,
    /Several columns hold email: 'E-Mail' and 'Email'; .+ leave out a column with --map "NAME="/,
  );
  assert.equal(
    (await test.import([file, "--map", "E-Mail="])).stderr,
    "Columns left out: 'E-Mail'.\n",
  );
  assert.deepEqual(Object.keys(await test.records()), ["new@example.com"]);
});

Deno.test("'signups import' ignores case and punctuation in the names of NDJSON members", async () => {
  await using test = await useImportService();
  const lines = [
    { "E-Mail": "a@example.com", consented_at: CONSENT, updated_at: CONSENT, UTM_Source: "news" },
    { email: "b@example.com", "E-Mail": "other@example.com", consentedAt: CONSENT },
    { email: "c@example.com", consentedAt: CONSENT, Note: "A note of the staff" },
  ];
  const ndjson = await test.file(
    "list.ndjson",
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );
  const { code, stderr } = await test.import([ndjson]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Line 2: The field 'E-Mail' is not known; .+\nLine 3: The field 'Note' is not known; .+\n$/,
  );
  const [[email, record] = [], ...others] = Object.entries(await test.records());
  assert.deepEqual([email, others], ["a@example.com", []]);
  assert.deepEqual([record?.consentedAt, record?.updatedAt, record?.utmSource], [AT, AT, "news"]);
});

Deno.test("'signups import' refuses a CSV header with unknown or repeated fields, and refuses a --map that does not fit the header", async (t) => {
  await using test = await useImportService();
  const good = `a@example.com,${CONSENT}\n`;
  const cases: [header: string, flags: string[], message: RegExp][] = [
    ["email,consentedAt,\x1b[31mred\x07", [], /The column '\[31mred' is not known;/],
    ["email,consentedAt,x@example.com", [], /The column \(not shown\) is not known;/],
    [
      "email,consentedAt",
      ["--map", "Mail=email"],
      /--map names the column 'Mail', which the file does not/,
    ],
    [
      "email,mail,consentedAt",
      ["--map", "mail=email"],
      /Several columns hold email: 'email' and 'mail'; keep only one of these columns/,
    ],
    [
      "email,consentedAt",
      ["--map", "Mail=address"],
      /^waitlist: --map has 'Mail=address', but there is no field 'address'; the fields are email, /,
    ],
    [
      "email,consentedAt",
      ["--map", ""],
      /--map has '', which is not a pair of a column and a field; give pairs/,
    ],
    [
      "email,consentedAt",
      ["--map", "=email"],
      /--map has '=email', which is not a pair of a column and a field; give pairs/,
    ],
    [
      "email,consentedAt",
      ["--map", "a=email, a =lang"],
      /--map names the column 'a' twice; remove one of the two pairs/,
    ],
    [
      "email,consentedAt,A",
      ["--map", "a=role,A=lang"],
      /--map names the column 'a', which the file does not have/,
    ],
    [
      "email,consentedAt",
      ["--zone", "Berln"],
      /--zone is 'Berln'; give the IANA name of a zone, such as Europe\/Berlin\./,
    ],
    ["email,consentedAt", ["--zone", "+02:00"], /--zone is '\+02:00'; give the IANA/],
    [
      `b@example.com,${CONSENT}`,
      ["--ignore-unknown"],
      /The first line must name the columns; [^@]+$/,
    ],
    [
      `b@example.com,${CONSENT}`,
      ["--map", "mail=email"],
      /The first line must name the columns; [^@]+$/,
    ],
  ];
  for (const [header, flags, message] of cases) {
    await t.step(JSON.stringify(header), async () => {
      const file = await test.file("list.csv", `${header}\n${good}`);
      const { code, stdout, stderr } = await test.import([file, ...flags], NOWHERE);
      assert.match(stderr, message);
      // deno-lint-ignore no-control-regex -- a control character could change what a terminal shows.
      assert.doesNotMatch(stderr, /[\x00-\x09\x0b-\x1f]/);
      assert.deepEqual([code, stdout, stderr.split("\n").length], [2, "", 2]);
    });
  }
  assert.deepEqual(await test.records(), {});
});
