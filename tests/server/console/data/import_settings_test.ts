/** The columns that the page proposes and that operators choose; `import_page_test.ts` has the other forms. */
import assert from "node:assert/strict";
import { type ConsoleAnswer, test } from "../../../support/console.ts";
import {
  assertRefused,
  chosenColumns,
  CONSENT,
  figures,
  listOf,
  noteIn,
  sampleIn,
  secondStep,
  tryFile,
  upload,
} from "../../../support/import_page.ts";
import { storedSignUps } from "../../../support/records.ts";

test("importPage chooses the columns of another tool's file by their names, and imports the columns that the operator sees", async (service) => {
  const list = "E-MAIL,Signup date,Sprache,Company,Job title\n" +
    `ada@example.com,${CONSENT},de,Acme,Head of everything\n`;
  const tried = await tryFile(service, list);
  assert.equal(tried.status, 200, tried.html);
  assert.deepEqual(noteIn(tried.html)[0], "neutral");
  assert.match(
    tried.html,
    /<p class="notice">The columns are chosen by their names: ‘Address’ from ‘E-MAIL’; ‘Time of the consent’ from ‘Signup date’; ‘Language’ from ‘Sprache’\. If one is wrong, choose another one below, and try again\.<\/p>/,
  );
  assert.deepEqual(figures(tried.html)["new"], "1");
  assert.match(
    tried.html,
    /<p>Columns left out: Company, Job title\. ‘Job title’ could hold ‘Role’: to import it/,
    "free text of other tools would be refused as a role",
  );
  assert.deepEqual(chosenColumns(tried.html), [
    ["email", "E-MAIL"],
    ["consentedAt", "Signup date"],
    ["lang", "Sprache"],
  ]);
  const imported = await upload(service, secondStep(tried.html), list);
  assert.equal(imported.status, 200, imported.html);
  const { "ada@example.com": ada } = await storedSignUps(service.kv);
  assert.deepEqual([ada?.consentedAt, ada?.lang], ["2024-05-01T09:30:00.000Z", "de"]);
});

test("importPage chooses a column by its name when the file has all required fields, and chooses nothing in an own export", async (service) => {
  const { html } = await tryFile(
    service,
    `email,consentedAt,Language\nada@example.com,${CONSENT},de\n`,
  );
  assert.match(html, /‘Language’ from ‘Language’/);
  const { html: ofExport } = await tryFile(
    service,
    `email,createdAt,consentedAt,lang,note,state\nada@example.com,${CONSENT},${CONSENT},de,Met,waiting\n`,
  );
  assert.doesNotMatch(ofExport, /The columns are chosen by their names/);
  assert.match(ofExport, /<td>Met<\/td>/);
});

test("importPage imports the columns that the operator chooses in place of those that the page has chosen", async (service) => {
  const list = "Email Address,OPTIN_TIME,Language,Company\n" +
    "ada@example.com,2024-05-01 11:30:00,de,Acme\n";
  const settings = {
    column_email: "Email Address",
    column_consentedAt: "OPTIN_TIME",
    column_lang: "Language",
    column_note: "",
  };
  const tried = await tryFile(service, list, { ...settings, zone: "Europe/Berlin" });
  assert.doesNotMatch(tried.html, /class="(?:fault|warning|notice)"|Please check/);
  assert.deepEqual(
    sampleIn(tried.html).find(([field]) => field === "Language"),
    ["Language", "Language", "German"],
  );
  assert.match(tried.html, /<p>Columns left out: Company\.<\/p>/);
  await upload(service, secondStep(tried.html), list);
  const { "ada@example.com": ada } = await storedSignUps(service.kv);
  assert.deepEqual([ada?.consentedAt, ada?.lang], ["2024-05-01T09:30:00.000Z", "de"]);
});

test("importPage warns of a field that several columns could hold, until the operator has chosen a column", async (service) => {
  const list =
    `E-Mail,Email,OPTIN_TIME,CONFIRM_TIME\nold@example.com,new@example.com,${CONSENT},${CONSENT}\n`;
  const guessed = await tryFile(service, list);
  const [, warning] = /<p class="warning">([^<]*)<\/p>/.exec(guessed.html) ?? [];
  assert.match(
    warning ?? "",
    /‘Address’ from ‘Email’; .+ Please check ‘Address’: several columns could hold it \(E-Mail, Email\)\. Please check ‘Time of the consent’: several columns could hold it \(OPTIN_TIME, CONFIRM_TIME\)\.$/,
  );
  for (
    const [field, columns] of [["email", "E-Mail, Email"], [
      "consentedAt",
      "OPTIN_TIME, CONFIRM_TIME",
    ]]
  ) {
    assert.match(
      guessed.html,
      new RegExp(`<select [^>]+ aria-describedby="column_${field}-hint">`),
    );
    const hint =
      `id="column_${field}-hint">Please check: several columns could hold this (${columns}).`;
    assert.ok(guessed.html.includes(hint), guessed.html);
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

test("importPage keeps the chosen columns when it refuses the form", async (service) => {
  const list = "Mail 1,Opted in on\nada@example.com,2024-05-01 11:30:00\n";
  const chosen = { column_email: "Mail 1", column_consentedAt: "Opted in on" };
  const assertKept = ({ html }: ConsoleAnswer) => {
    for (const name of Object.values(chosen)) {
      assert.ok(html.includes(`<option value="${name}" selected>`), html);
    }
  };
  const zone = await tryFile(service, list, { ...chosen, zone: "Berln" });
  await assertRefused(service, zone, {
    status: 400,
    reason: /^There is no time zone ‘Berln’\. Did you mean this one: Europe\/Berlin\?$/,
  });
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

test("importPage lets operators choose between columns whose names differ only by punctuation", async (service) => {
  const list = `E-Mail,Email,consentedAt\nold@example.com,new@example.com,${CONSENT}\n`;
  const chosen = { column_email: "Email", column_consentedAt: "consentedAt" };
  const tried = await tryFile(service, list, chosen);
  assert.match(tried.html, /<p>Columns left out: E-Mail\.<\/p>/);
  assert.match(tried.html, /<option value="Email" selected>/);
  await upload(service, secondStep(tried.html), list);
  assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["new@example.com"]);
});
