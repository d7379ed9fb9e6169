import assert from "node:assert/strict";
import { MAX_FILE_BYTES, MAX_ROWS } from "../../../../server/console/data/import_file.ts";
import { writeContent } from "../../../support/brand.ts";
import {
  type ConsoleAnswer,
  type ConsoleService,
  startConsole,
  test,
} from "../../../support/console.ts";
import { readAudit } from "../../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../../support/records.ts";
import { BASE_URL } from "../../../support/service.ts";

const PAGE = "/operator/data/import/";
const CONSENT = "2024-05-01T09:30:00Z";

type Content = string | Uint8Array<ArrayBuffer>;

/** Makes a form with a file, as a browser sends it. */
function formWith(fields: Record<string, string>, content?: Content, name = "list.csv"): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  // A browser sends a file without a name if nobody has chosen one.
  form.set(
    "file",
    new File(content === undefined ? [] : [content], content === undefined ? "" : name),
  );
  return form;
}

/** Sends a form with a file. */
const upload = (
  { browser }: Pick<ConsoleService, "browser">,
  ...sent: Parameters<typeof formWith>
): Promise<ConsoleAnswer> => browser.send(PAGE, {}, { body: formWith(...sent) });

/** Tries a file, without fields or with them. */
const tryFile = (
  service: ConsoleService,
  content: Content,
  { name, ...fields }: Record<string, string> = {},
): Promise<ConsoleAnswer> => upload(service, { step: "try", ...fields }, content, name);

/** The hidden fields of the form that imports a tried file. */
function secondStep(html: string): Record<string, string> {
  const [, form = ""] = /<h2 id="submit">([^]*?)<\/form>/.exec(html) ?? [];
  assert.notEqual(form, "", html);
  const inputs = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** The numbers of a result by their labels. */
function figures(html: string): Record<string, string> {
  const [, list = ""] = /<dl class="figures">([^]*?)<\/dl>/.exec(html) ?? [];
  const pairs = list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g);
  return Object.fromEntries([...pairs].map(([, label, value]) => [label, value]));
}

/** The refused rows of a page by reason: the numbers of the lines, and the reason. */
function refusedRows(html: string): string[] {
  const rows = html.matchAll(
    /<td><span lang="en">(.*?)<\/span><\/td>\s*<td class="number">[\d,]+<\/td>\s*<td>(.*?)<\/td>/g,
  );
  return [...rows.map(([, reason, lines]) => `${lines}: ${reason}`)];
}

/** The note about the state of a tried import: its class and its text. */
function noteIn(html: string): [kind: string | undefined, text: string | undefined] {
  const [, kind, text] = /<p class="(\w+)" role="(?:status|alert)">([^]*?)<\/p>/.exec(html) ?? [];
  return [kind, text];
}

/** The fields for which a page proposes a column, and the columns. */
function chosenColumns(html: string): string[][] {
  const menus = html.matchAll(
    /<select id="column_(\w+)"[^>]*>(?:(?!<\/select>)[^])*?<option value="([^"]+)" selected>/g,
  );
  return [...menus].map(([, field, column]) => [field!, column!]);
}

/** Asserts that a page says why it refuses a file, and that nothing is stored. */
async function assertRefused(
  service: ConsoleService,
  { status, html }: ConsoleAnswer,
  expected: { status: number; reason: RegExp },
): Promise<void> {
  assert.equal(status, expected.status, html);
  assert.match(/role="alert">([^]*?)<\/p>/.exec(html)?.[1] ?? "", expected.reason);
  assert.match(html, /<input id="file" name="file" type="file"/);
  assert.deepEqual(await storedSignUps(service.kv), {});
  assert.deepEqual(await readAudit(service), []);
}

/** A CSV list of new people. */
function listOf(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `person${n}@example.com,${CONSENT}\n`);
  return `email,consentedAt\n${rows.join("")}`;
}

test("importPage shows the maximum size of a file, and names the CLI command that imports larger files", async ({ browser }) => {
  const { status, html } = await browser.open(PAGE);
  assert.equal(status, 200);
  assert.match(html, /<form method="post" action="[^"]+" enctype="multipart\/form-data" data-try>/);
  assert.match(html, /Up to 8 MB and 100,000 rows\./);
  assert.match(html, /<code>waitlist signups import list\.csv<\/code>/);
  assert.match((await browser.open("/operator/data/")).html, /href="\/operator\/data\/import\/"/);
  assert.match((await browser.open("/operator/people/")).html, /href="\/operator\/data\/import\/"/);
  assert.match((await browser.open("/operator/")).html, /href="\/operator\/data\/import\/"/);
});

test("importPage first checks a file without storing anything, and imports the same file in a second step", async (service) => {
  await storeSignUp(
    service.kv,
    { email: "known@example.com", lang: "en" },
    "2024-01-01T00:00:00.000Z",
  );
  const before = await storedSignUps(service.kv);
  const list = "\ufeffEmail; consentedAt ;lang;Phone\r\n" +
    `ada@example.com;${CONSENT};de;1\r\n` +
    `known@example.com;${CONSENT};de;\r\n` +
    `nobody;${CONSENT};;\r\n` +
    "ragged@example.com\r\n";
  const tried = await tryFile(service, list, { name: "our list.csv" });
  assert.equal(tried.status, 200, tried.html);
  assert.match(tried.html, /our list\.csv was tried\. Nothing is stored yet\./);
  const numbers = { "new": "1", "on the list, and changed": "1" };
  const others = { "on the list, and unchanged": "0", refused: "2" };
  assert.deepEqual(figures(tried.html), { ...numbers, ...others });
  const refused = [
    "4: The e-mail address is missing or not valid.",
    "5: The row has 1 cell, but the header has 4; give the row one cell for each column.",
  ];
  assert.deepEqual(refusedRows(tried.html), refused);
  assert.match(tried.html, /<p>Columns left out: Phone\.<\/p>/);
  assert.match(tried.html, /<button class="primary" type="submit">Import rows \(2\)<\/button>/);
  assert.deepEqual(await storedSignUps(service.kv), before);
  assert.deepEqual(await readAudit(service), []);

  const imported = await upload(service, secondStep(tried.html), list, "renamed.csv");
  assert.equal(imported.status, 200, imported.html);
  assert.match(imported.html, /role="status">The import is done\./);
  assert.deepEqual(figures(imported.html), { ...numbers, ...others });
  assert.deepEqual(refusedRows(imported.html), refused);
  assert.match(imported.html, /<\/html>\n$/);
  const records = await storedSignUps(service.kv);
  assert.deepEqual(Object.keys(records), ["ada@example.com", "known@example.com"]);
  assert.equal(records["ada@example.com"]!.lang, "de");
  const [entry, ...more] = await readAudit(service);
  assert.deepEqual([entry?.action, entry?.operator, more], ["importSignups", "operator", []]);
  assert.deepEqual(entry?.details, { new: 1, merged: 1, unchanged: 0, refused: 1, complete: true });

  const again = await tryFile(service, list);
  assert.match(again.html, /There is nothing to import/);
  assert.doesNotMatch(again.html, /<h2 id="submit">/);
});

test("importPage imports nothing when the file or the settings of the second step differ from those of the first step", async (service) => {
  const fields = secondStep((await tryFile(service, listOf(1), { zone: "UTC" })).html);
  const expected = { status: 409, reason: /^Nothing was imported, because list\.\w+ is not/ };
  for (
    const [sent, content, name] of [
      [fields, listOf(2), "list.csv"],
      [fields, listOf(1), "list.ndjson"],
      [{ ...fields, zone: "Europe/Berlin" }, listOf(1), "list.csv"],
      [{ ...fields, column_email: "consentedAt" }, listOf(1), "list.csv"],
      [{ step: "import" }, listOf(1), "list.csv"],
    ] as const
  ) {
    await assertRefused(service, await upload(service, sent, content, name), expected);
  }
});

test("importPage refuses a file that cannot be imported, and says why", async (service, t) => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...new TextEncoder().encode("email,consentedAt\n")]);
  const cases: [content: Content, reason: RegExp][] = [
    ["", /^The file is empty\. Its first line must name the columns\.$/],
    ["\n\n", /^The file is empty\./],
    [utf16, /is not UTF-8 text\. In a spreadsheet program, save the file as CSV in UTF-8\.$/],
    ["x".repeat(70_000), /is longer than 64 KB/],
    ["bob@example.com,x\n", /^The first line of the file must name the columns/],
    ["email,consentedAt,state,State\n", /^Several columns hold the same field: state, State\./],
  ];
  for (const [content, reason] of cases) {
    await t.step(String(reason), async () => {
      await assertRefused(service, await tryFile(service, content), { status: 400, reason });
    });
  }
  const zone = await tryFile(service, listOf(1), { zone: "Berlin" });
  await assertRefused(service, zone, { status: 400, reason: /^There is no time zone ‘Berlin’\./ });
  const absent = await tryFile(service, listOf(1), { column_email: "Mail" });
  await assertRefused(service, absent, { status: 400, reason: /^The file has no column ‘Mail’\./ });
});

test("importPage asks for a file when the form has none", async (service) => {
  const expected = { status: 400, reason: /^There was no file in the form\. Choose a file\.$/ };
  await assertRefused(service, await upload(service, { step: "try" }), expected);
  await assertRefused(service, await service.browser.send(PAGE, { step: "try" }), expected);
});

test("importPage refuses a file that is too large, and names the CLI command for such files", async (service) => {
  const bytes = new Uint8Array(MAX_FILE_BYTES + 1).fill("x".charCodeAt(0));
  const tooLarge = { status: 413, reason: /^The file is too large for this page\./ };
  const refused = await tryFile(service, bytes);
  await assertRefused(service, refused, tooLarge);
  assert.match(refused.html, /For a larger file, use the CLI: <code>waitlist signups import/);
  const accepted = { status: 400, reason: /^The first line of the file is longer than 64 KB/ };
  await assertRefused(service, await tryFile(service, bytes.slice(1)), accepted);
  const rows = `email,consentedAt\n${"a,b\n".repeat(MAX_ROWS + 1)}`;
  const tooMany = { status: 413, reason: /^The file has too many rows for this page\./ };
  await assertRefused(service, await tryFile(service, rows), tooMany);
});

test("importPage stores nothing when the upload breaks off, and imports the file when the operator sends it again", async (service) => {
  const body = await new Response(formWith({ step: "try" }, listOf(3))).bytes();
  const type = new Response(formWith({})).headers.get("content-type")!;
  const chunks = [body.slice(0, -100)].values();
  const cut = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { value, done } = chunks.next();
      if (done) controller.error(new Error("The connection was reset"));
      else controller.enqueue(value);
    },
  });
  const answer = await service.browser.send(PAGE, {}, {
    body: cut,
    headers: { "Content-Type": type },
  });
  const expected = { status: 400, reason: /^The form did not arrive whole\. Send it again\.$/ };
  await assertRefused(service, answer, expected);
  const fields = secondStep((await tryFile(service, listOf(3))).html);
  await upload(service, fields, listOf(3));
  assert.equal(Object.keys(await storedSignUps(service.kv)).length, 3);
});

test("importPage proposes fields for the columns of another tool's file, and imports the columns that the operator chooses", async (service) => {
  const list = "Email Address,OPTIN_TIME,Language,Company\n" +
    "ada@example.com,2024-05-01 11:30:00,de,Acme\n";
  const asked = await tryFile(service, list);
  assert.equal(asked.status, 200);
  const [kind, text] = noteIn(asked.html);
  assert.equal(kind, "neutral");
  assert.match(text ?? "", /^The columns below are proposed by their names\. Check them/);
  assert.doesNotMatch(asked.html, /class="fault"|Please check/);
  assert.deepEqual(chosenColumns(asked.html), [
    ["email", "Email Address"],
    ["consentedAt", "OPTIN_TIME"],
    ["lang", "Language"],
  ]);

  const settings = {
    column_email: "Email Address",
    column_consentedAt: "OPTIN_TIME",
    column_lang: "Language",
    column_note: "",
  };
  const tried = await tryFile(service, list, { ...settings, zone: "Europe/Berlin" });
  assert.doesNotMatch(tried.html, /class="(?:fault|warning)"|Please check/);
  assert.deepEqual(
    sampleIn(tried.html).find(([field]) => field === "Language"),
    ["Language", "Language", "German"],
  );
  assert.match(tried.html, /<p>Columns left out: Company\.<\/p>/);
  await upload(service, secondStep(tried.html), list);
  const { "ada@example.com": ada } = await storedSignUps(service.kv);
  assert.deepEqual([ada?.consentedAt, ada?.lang], ["2024-05-01T09:30:00.000Z", "de"]);
});

test("importPage hints beside a field that several columns could hold, until the operator has chosen a column", async (service) => {
  const list =
    `E-Mail,Email,OPTIN_TIME,CONFIRM_TIME\nold@example.com,new@example.com,${CONSENT},${CONSENT}\n`;
  const asked = await tryFile(service, list);
  assert.equal(noteIn(asked.html)[0], "neutral");
  assert.deepEqual(chosenColumns(asked.html), [
    ["email", "Email"],
    ["consentedAt", "OPTIN_TIME"],
  ]);
  for (
    const [field, columns] of [["email", "E-Mail, Email"], [
      "consentedAt",
      "OPTIN_TIME, CONFIRM_TIME",
    ]]
  ) {
    assert.match(asked.html, new RegExp(`<select [^>]+ aria-describedby="column_${field}-hint">`));
    const hint =
      `id="column_${field}-hint">Please check: several columns could hold this (${columns}).`;
    assert.ok(asked.html.includes(hint), asked.html);
  }
  const settings = { column_email: "Email", column_consentedAt: "CONFIRM_TIME" };
  const tried = await tryFile(service, list, settings);
  assert.doesNotMatch(tried.html, /Please check|class="(?:fault|warning)"/);
  assert.match(tried.html, /<p>Columns left out: E-Mail, OPTIN_TIME\.<\/p>/);
});

test("importPage asks for the column of a required field that no column is proposed for, and refuses a form without this column", async (service) => {
  const list = `email,createdAt\nada@example.com,${CONSENT}\n`;
  const asked = await tryFile(service, list);
  const text =
    "No column is chosen for the time of the consent, which every row needs. Choose the column below.";
  assert.equal(asked.status, 200);
  assert.deepEqual(noteIn(asked.html), ["warning", text]);
  const sent = await tryFile(service, list, { column_email: "email", column_consentedAt: "" });
  await assertRefused(service, sent, { status: 400, reason: new RegExp(`^${text}$`) });
  const { html } = await tryFile(service, `consentedAt\n${CONSENT}\n`);
  assert.match(
    noteIn(html)[1] ?? "",
    /^No column is chosen for the address, which every row needs\./,
  );
});

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
    "Some times in the column ‘OPTIN_TIME’ have no time zone. Their rows cannot be imported until you enter the " +
      "zone. Rows: 100; first lines: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 …",
  );
  assert.match(section, /<input id="zone" name="zone" value="" [^>]*list="zones"/);
  assert.match(section, /<option value="Europe\/Berlin">/);
  assert.match(section, /<details><summary>Change the columns<\/summary>/);
  assert.deepEqual(refusedRows(html), ["202: The e-mail address is missing or not valid."]);
  assert.match(html, /<caption>Refused rows by reason \(1\)<\/caption>/);
  assert.equal(
    html.match(/name="column_email"/g)?.length,
    2,
    "the menu, and the hidden field of the import",
  );
  assert.equal(figures(html)["refused"], "101");
  assert.match(html, /<button type="submit">Import rows \(100\)<\/button>/);

  const tried = await tryFile(service, list, { ...settings, zone: "Europe/Berlin" });
  assert.doesNotMatch(tried.html, /id="zones-|aria-labelledby="zones"/);
  assert.match(tried.html, /<button class="primary" type="submit">Import rows \(200\)<\/button>/);
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
    /<p>Columns left out: Job title\. ‘Job title’ could hold ‘Role’: to import it, change the columns below and try/,
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

test("importPage keeps the chosen columns when it refuses the form", async (service) => {
  const list = "Mail 1,Opted in on\nada@example.com,2024-05-01 11:30:00\n";
  const chosen = { column_email: "Mail 1", column_consentedAt: "Opted in on" };
  const assertKept = ({ html }: ConsoleAnswer) => {
    for (const name of Object.values(chosen)) {
      assert.ok(html.includes(`<option value="${name}" selected>`), html);
    }
  };
  const zone = await tryFile(service, list, { ...chosen, zone: "Berlin" });
  await assertRefused(service, zone, { status: 400, reason: /^There is no time zone ‘Berlin’\./ });
  assertKept(zone);

  const both = { ...chosen, column_createdAt: "Opted in on" };
  const twice = await tryFile(service, list, both);
  const reason =
    /^You have chosen the column ‘Opted in on’ twice, and a column can be chosen once\./;
  await assertRefused(service, twice, { status: 400, reason });
  assertKept(twice);

  const fields = secondStep((await tryFile(service, list, { ...chosen, zone: "UTC" })).html);
  const other = await upload(service, fields, listOf(1));
  await assertRefused(service, other, { status: 409, reason: /^Nothing was imported, because/ });
  assertKept(other);
});

/** The rows of the table with the first rows of the file: the field, and its value in each row. */
function sampleIn(html: string): string[][] {
  const [, rows = ""] = /<caption>The first rows[^]*?<tbody>([^]*?)<\/tbody>/.exec(html) ?? [];
  return rows.split("</tr>").slice(0, -1).map((row) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell!.replace(/<[^>]+>/g, "")
    )
  );
}

test("importPage shows how the first rows of the file would be stored", async (service) => {
  const list = "email,consentedAt,lang,role,note\n" +
    `zoe@example.com,2024-05-01T11:30:00+02:00,de-AT,engineer,\n` +
    `nobody,${CONSENT},,,\n` +
    `Ada@Example.com,2024-05-02T09:30:00Z,,,Met at the <fair>\n` +
    `bob@example.com,${CONSENT},,,\neve@example.com,${CONSENT},,,\n`;
  const { html } = await tryFile(service, list);
  assert.deepEqual(sampleIn(html), [
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
    /^5, 6: The field ‘Role’ is &#39;Leitung&#39; or &#39;Team-Leader&#39;; it/,
  );
  assert.deepEqual(otherReasons, []);
  await upload(service, secondStep(tried.html), list);
  const stored = Object.values(await storedSignUps(service.kv)).map(({ role }) => role);
  assert.deepEqual(stored, ["software-engineer", "software-engineer", "lead", "boss"]);
});

test("importPage lets operators choose between columns whose names differ only by punctuation", async (service) => {
  const list = `E-Mail,Email,consentedAt\nold@example.com,new@example.com,${CONSENT}\n`;
  const chosen = { column_email: "Email", column_consentedAt: "consentedAt" };
  const tried = await tryFile(service, list, chosen);
  assert.match(tried.html, /<p>Columns left out: E-Mail\.<\/p>/);
  assert.match(tried.html, /<option value="Email" selected>/);
  await upload(service, secondStep(tried.html), list);
  assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["new@example.com"]);
});

test("importPage imports NDJSON, and refuses a line that is not UTF-8", async (service) => {
  const encoder = new TextEncoder();
  const list = new Uint8Array([
    ...encoder.encode(`{"email":"ada@example.com","consentedAt":"${CONSENT}"}\n{"email":"`),
    0xe9,
    ...encoder.encode(`"}\n{"email":"eve@example.com","phone":"1"}\n`),
  ]);
  const tried = await tryFile(service, list, { name: "list.ndjson" });
  const [second, third] = refusedRows(tried.html);
  assert.equal(second, "2: The line is not UTF-8 text; save the file as UTF-8.");
  assert.match(third ?? "", /^3: The field &#39;phone&#39; is not known/);
  await upload(service, secondStep(tried.html), list, "list.ndjson");
  assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["ada@example.com"]);
});

test("importPage names a reason for many refused rows once, and shows the progress of an import", async (service) => {
  const list = listOf(2_500) + `nobody,${CONSENT}\n`.repeat(25);
  const tried = await tryFile(service, list);
  assert.match(tried.html, /<caption>Refused rows by reason \(25\)<\/caption>/);
  assert.deepEqual(refusedRows(tried.html), [
    "2502, 2503, 2504, 2505, 2506, 2507, 2508, 2509, 2510, 2511 …: The e-mail address is missing or not valid.",
  ]);
  const { html } = await upload(service, secondStep(tried.html), list);
  const steps = html.split('<div class="step">').slice(1);
  assert.match(
    steps[0]!,
    /<progress max="2525" value="0"[^]*Rows: 0 of 2,525[^]*import the same file/,
  );
  assert.match(
    steps.at(-1)!,
    /class="warning" role="status">The import is done\. Rows that were refused: 25\./,
  );
  assert.equal(figures(html)["new"], "2,500");
});

test("importPage imports each row once when the first answer is cut and the same file is imported again", async (service) => {
  const list = listOf(2_500);
  const fields = secondStep((await tryFile(service, list)).html);
  const response = await service.request(PAGE, {
    method: "POST",
    body: formWith(fields, list),
    headers: { Origin: BASE_URL, Cookie: service.browser.cookie },
  });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  const { html } = await upload(service, fields, list);
  const { new: added, "on the list, and unchanged": unchanged } = figures(html);
  const number = (text = "") => Number(text.replace(",", ""));
  assert.equal(number(added) + number(unchanged), 2_500);
  assert.equal(Object.keys(await storedSignUps(service.kv)).length, 2_500);
});

Deno.test("importPage shows German texts when the browser asks for German", async () => {
  await using service = await startConsole();
  const headers = { "Accept-Language": "de" };
  const { html } = await service.browser.open(PAGE, { headers });
  assert.match(html, /<h1>Datei importieren<\/h1>/);
  assert.match(html, /Bis 8 MB und 100\.000 Zeilen\./);
});
