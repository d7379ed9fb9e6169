import assert from "node:assert/strict";
import { MAX_FILE_BYTES, MAX_ROWS } from "../../../../server/console/data/import_file.ts";
import { startConsole, test } from "../../../support/console.ts";
import {
  assertRefused,
  CONSENT,
  figures,
  type FileContent,
  formWith,
  listOf,
  PAGE,
  refusedRows,
  secondStep,
  tryFile,
  upload,
} from "../../../support/import_page.ts";
import { readAudit } from "../../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../../support/records.ts";
import { BASE_URL } from "../../../support/service.ts";

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
  assert.deepEqual(entry?.details, { new: 1, merged: 1, unchanged: 0, refused: 2, complete: true });

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
  const cases: [content: FileContent, reason: RegExp][] = [
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
  const zone = await tryFile(service, listOf(1), { zone: "Berln" });
  await assertRefused(service, zone, {
    status: 400,
    reason: /^There is no time zone ‘Berln’\. Did you mean this one: Europe\/Berlin\?$/,
  });
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
