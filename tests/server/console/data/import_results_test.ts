/** The result of a tried import; `import_page_test.ts` has the import itself. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { writeContent } from "../../../support/brand.ts";
import { startConsole, test } from "../../../support/console.ts";
import {
  chosenColumns,
  CONSENT,
  figures,
  refusedRows,
  sampleIn,
  secondStep,
  tryFile,
  upload,
} from "../../../support/import_page.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { storedSignUps } from "../../../support/records.ts";

test("importPage says once which rows have times without a zone, and asks for the zone there", async (service) => {
  const rows = Array.from(
    { length: 200 },
    (_, n) => `person${n}@example.com,${n % 2 === 0 ? "2024-05-01 11:30" : CONSENT}\n`,
  );
  const list = `email,OPTIN_TIME\n${rows.join("")}nobody,${CONSENT}\n`;
  const settings = { column_email: "email", column_consentedAt: "OPTIN_TIME" };
  const { html } = await tryFile(service, list, settings);
  const [, section = ""] = /<section aria-labelledby="zones">([^]*?)<\/section>/.exec(html) ?? [];
  const [, note] = /<p class="warning">([^]*?)<\/p>/.exec(section) ?? [];
  assert.equal(
    note,
    "The column ‘OPTIN_TIME’ has times without a time zone, or days without a time. Their rows cannot be imported until " +
      "you enter the zone. A day then counts from 00:00 in this zone. Rows: 100; first lines: 2, 4, 6, 8, 10, 12, 14, " +
      "16, 18, 20 …",
  );
  assert.match(section, /<input id="zone" name="zone" value="" [^>]*list="zone-known"/);
  assert.match(section, /<option value="Europe\/Berlin">/);
  assert.match(section, /<details><summary>Change the columns<\/summary>/);
  assert.deepEqual(refusedRows(html), ["202: The e-mail address is missing or not valid."]);
  assert.match(html, /<caption>Refused rows by reason \(1\)<\/caption>/);
  assert.equal(
    html.match(/name="column_email"/g)?.length,
    2,
    "the menu, and the hidden field of the import",
  );
  assert.equal(figures(html)["need a time zone"], "100");
  assert.equal(figures(html)["refused"], "1");
  assert.match(html, /<button type="submit">Import rows \(100\)<\/button>/);

  const tried = await tryFile(service, list, { ...settings, zone: "Europe/Berlin" });
  assert.doesNotMatch(tried.html, /aria-labelledby="zones"/);
  assert.match(tried.html, /<button class="primary" type="submit">Import rows \(200\)<\/button>/);
});

test("importPage counts days without a time from 00:00 in the zone of the file, which may be given by its city", async (service) => {
  const list = "email,consentedAt\nada@example.com,2026-09-01\nbob@example.com,01.09.2026\n" +
    `eve@example.com,${CONSENT}\n`;
  const { html } = await tryFile(service, list);
  assert.deepEqual(refusedRows(html), []);
  assert.match(
    html,
    /The column ‘consentedAt’ has times without a time zone, or days without a time\./,
  );
  const tried = await tryFile(service, list, { zone: "berlin" });
  assert.match(
    tried.html,
    /<p class="notice">Days without a time count from 00:00 in Europe\/Berlin\. Rows: 2<\/p>/,
  );
  await upload(service, secondStep(tried.html), list);
  const stored = Object.values(await storedSignUps(service.kv)).map((person) => person.consentedAt);
  const day = "2026-08-31T22:00:00.000Z";
  assert.deepEqual(stored, [day, day, "2024-05-01T09:30:00.000Z"]);
});

test("importPage lists all faults of a row, and counts the row once", async (service) => {
  const list = `email,consentedAt,lang\nbroken@,5/6/2026,de\nbroken@,2099-01-01T00:00:00Z,fr\n`;
  const { html } = await tryFile(service, list);
  assert.deepEqual(refusedRows(html).map((row) => row.replace(/&#39;.*/, "…")), [
    "2, 3: The e-mail address is missing or not valid.",
    "2: The field ‘Time of the consent’ is …",
    "3: The field ‘Language’ is …",
    "3: The field ‘Time of the consent’ is …",
  ]);
  assert.match(html, /<caption>Refused rows by reason \(2\)<\/caption>/);
  assert.match(html, /A row with several faults is in this table once for each of them\./);
  assert.equal(figures(html)["refused"], "2");
  assert.match(
    refusedFileIn(html),
    /;?2,"The e-mail address is missing or not valid\. The field ‘Time of the consent’ is '5\/6\/2026', a date whose/,
  );
});

test("importPage shows the result of a try first, then one button to import, and then the folded settings", async (service) => {
  const list = `email,consentedAt,Job title\nada@example.com,${CONSENT},engineer\n`;
  const { html } = await tryFile(service, list);
  const parts = [
    '<dl class="figures">',
    "<caption>The first rows",
    'id="submit"',
    "<details><summary",
  ];
  const positions = parts.map((part) => html.indexOf(part));
  assert.ok(!positions.includes(-1), html);
  assert.deepEqual(positions, positions.toSorted((a, b) => a - b));
  assert.equal(html.match(/<button class="primary"/g)?.length, 1);
  assert.match(
    html,
    /<p>Columns left out: Job title\. ‘Job title’ could hold ‘Role’: to import it, choose it under ‘Change the columns’ and try/,
  );
  assert.deepEqual(chosenColumns(html), [["email", "email"], ["consentedAt", "consentedAt"]]);
  const [, menus = ""] =
    /<details><summary[^>]*>Change the columns, the time zone or the file<\/summary>([^]*?)<\/details>/
      .exec(html) ?? [];
  assert.match(menus, /<select id="column_email"/);
  assert.match(menus, /<button type="submit">Try again<\/button>/);
  const nothing = await tryFile(service, `email,consentedAt\nnobody,${CONSENT}\n`);
  assert.match(nothing.html, /<details open><summary/);
  assert.match(nothing.html, /<button class="primary" type="submit">Try again<\/button>/);
});

test("importPage shows how the first rows of the file would be stored", async (service) => {
  const list = "email,consentedAt,lang,role,note\n" +
    `zoe@example.com,2024-05-01T11:30:00+02:00,de-AT,engineer,\n` +
    `nobody,${CONSENT},,,\n` +
    `Ada@Example.com,2024-05-02T09:30:00Z,,,Met at the <fair>\n` +
    `bob@example.com,${CONSENT},,,\neve@example.com,${CONSENT},,,\n`;
  const { html } = await tryFile(service, list);
  assert.deepEqual(sampleIn(html), [
    ["Result", "", "new", "new", "new"],
    ["Address", "email", "zoe@example.com", "ada@example.com", "bob@example.com"],
    [
      ...["Time of the consent", "consentedAt"],
      ...["1 May 2024, 09:30", "2 May 2024, 09:30", "1 May 2024, 09:30"],
    ],
    ["First sign-up", "", "1 May 2024, 09:30", "2 May 2024, 09:30", "1 May 2024, 09:30"],
    ["Language", "lang", "German", "English", "English"],
    ["Role", "role", "engineer", "", ""],
    ["State", "", "Waiting", "Waiting", "Waiting"],
    ["Note, which the person can read", "note", "", "Met at the &lt;fair&gt;", ""],
  ]);
  assert.match(html, /<th scope="col">Line 2<\/th>\s*<th scope="col">Line 4<\/th>/);
  assert.ok(!JSON.stringify(service.log).includes("@"), "the log has no address");
  const { html: refused } = await tryFile(service, `email,consentedAt\nnobody,${CONSENT}\n`);
  assert.deepEqual(sampleIn(refused), []);
});

test("importPage shows for people on the list what would be stored, and leads to these people", async (service) => {
  const at = "2026-11-20T12:00:00.000Z";
  await storeWaiting(
    service.kv,
    2,
    (n) =>
      n === 0
        ? { state: "accepted", invitedAt: at, acceptedAt: at, lang: "de", role: "lead" }
        : { lang: "en" },
  );
  const { createdAt, consentedAt } = (await storedSignUps(service.kv))[nth(1)]!;
  const list = "email,consentedAt,createdAt,role\n" +
    `${nth(0)},${CONSENT},,engineer\n` +
    `${nth(1)},${consentedAt},${createdAt},\n` +
    `new@example.com,${CONSENT},,\n`;
  const { html } = await tryFile(service, list);
  const rows = new Map(sampleIn(html).map(([field, _column, ...values]) => [field, values]));
  assert.deepEqual(rows.get("Result"), [
    "on the list, and changed",
    "on the list, and unchanged",
    "new",
  ]);
  assert.deepEqual(rows.get("State"), ["Accepted", "Waiting", "Waiting"]);
  assert.deepEqual(rows.get("Language"), ["German", "English", "English"]);
  assert.deepEqual(rows.get("Role"), ["engineer", "", ""]);
  assert.equal(html.match(/<td><a href="\/operator\/people\/[^"]+">/g)?.length, 2);
});

Deno.test("importPage accepts the names that brand.yaml gives to roles, and stores the slugs of these roles", async () => {
  const answers = "answers:\n  role:\n    software-engineer: { en: Engineer, de: Entwicklung }\n" +
    "    lead: { en: Team lead, de: Leitung }\n    head: { en: Head, de: Leitung }\n";
  await using own = await writeContent({ "brand.yaml": answers });
  await using service = await startConsole({ CONTENT_PATH: own.path });
  const roles = ["Software Engineer", "Entwicklung", "TEAM LEAD", "Leitung", "Team-Leader", "boss"];
  const rows = roles.map((role, n) => `person${n}@example.com,${CONSENT},${role}\n`).join("");
  const list = `email,consentedAt,role\n${rows}`;
  const tried = await tryFile(service, list);
  assert.deepEqual(
    sampleIn(tried.html).find(([field]) => field === "Role"),
    ["Role", "role", "Engineer", "Engineer", "Team lead"],
  );
  const [refused = "", ...otherReasons] = refusedRows(tried.html);
  assert.match(
    refused,
    /^5, 6: The field ‘Role’ is &#39;Leitung&#39; or &#39;Team-Leader&#39;; it must be one of the offered answers, or a short/,
  );
  assert.match(
    tried.html,
    /<p>To import everybody without ‘Role’, choose ‘None’ for it under ‘Change the columns’ and try again\.<\/p>/,
  );
  assert.deepEqual(otherReasons, []);
  await upload(service, secondStep(tried.html), list);
  const stored = Object.values(await storedSignUps(service.kv)).map(({ role }) => role);
  assert.deepEqual(stored, ["software-engineer", "software-engineer", "lead", "boss"]);
});

test("importPage says what an import changes for people on the list, and names the field of a missing consent", async (service) => {
  const merges =
    "For people who are on the list, the language, the answers and the note in the file";
  const first = `email,consentedAt,role\nada@example.com,${CONSENT},engineer\n`;
  const { html: ofNewPeople } = await tryFile(service, first);
  assert.ok(!ofNewPeople.includes(merges));
  assert.doesNotMatch(ofNewPeople, /To import everybody without/);
  await upload(service, secondStep(ofNewPeople), first);
  const second = `email,consentedAt,role\nada@example.com,${CONSENT},planner\nbob@example.com,,\n`;
  const { html } = await tryFile(service, second);
  assert.equal(figures(html)["on the list, and changed"], "1");
  assert.ok(html.includes(merges));
  assert.deepEqual(refusedRows(html), ["3: There is no consent time (‘Time of the consent’)."]);
});

/** The file of the refused rows in a page. */
function refusedFileIn(html: string): string {
  const [, base64 = assert.fail(html)] =
    /<a class="button" download="refused\.csv" href="data:text\/csv;charset=utf-8;base64,([^"]+)">/
      .exec(html) ?? [];
  return new TextDecoder().decode(Buffer.from(base64, "base64"));
}

test("importPage offers the refused rows as a file, which can be corrected and imported", async (service) => {
  const list = `email;consentedAt;Notes\nada@example.com;${CONSENT};fine\n` +
    `nobody;${CONSENT};"two\nlines"\n=bob;${CONSENT};x;y\n`;
  const tried = await tryFile(service, list);
  const csv = refusedFileIn(tried.html);
  assert.equal(
    csv,
    `email;consentedAt;Notes;refused line;refused because\r\n` +
      `nobody;${CONSENT};"two\nlines";3;The e-mail address is missing or not valid.\r\n` +
      `'=bob;${CONSENT};x;5;"The row has 4 cells, but the header has 3; give the row one cell for each column."\r\n`,
  );
  const imported = await upload(service, secondStep(tried.html), list);
  assert.equal(refusedFileIn(imported.html), csv);
  const corrected = csv.replace("nobody", "eve@example.com");
  const again = await tryFile(service, corrected);
  assert.equal(figures(again.html)["new"], "1");
  assert.match(
    refusedFileIn(again.html),
    /^email;consentedAt;Notes;refused line;refused because\r\n'=bob;/,
  );
  await upload(service, secondStep(again.html), corrected);
  assert.ok("eve@example.com" in await storedSignUps(service.kv));
  assert.doesNotMatch(
    (await tryFile(service, `email,consentedAt\nzoe@example.com,${CONSENT}\n`)).html,
    /refused\.csv/,
  );
});

test("importPage leaves rows out of the file of refused rows when the file would be too large", async (service) => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `nobody${n},${CONSENT}\n`).join("");
  const { html } = await tryFile(service, `email,consentedAt\n${rows}`);
  const csv = refusedFileIn(html);
  assert.ok(csv.length > 190_000 && csv.length <= 200_000, String(csv.length));
  assert.match(
    html,
    /only the first [\d,]+ of the 3,000 refused rows, [^<]+ <code>waitlist signups import list\.csv --refused refused\.csv</,
  );
});
