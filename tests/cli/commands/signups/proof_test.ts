import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder } from "../../../support/process.ts";
import { printed } from "../../support/cli.ts";
import { runOperator, useService } from "../../support/service.ts";

const service = useService();

const run = (args: string[]) => runOperator(service.url, args);

const ADA = "ada@example.com";

/** Puts a person on the list who has confirmed. */
async function importProven(): Promise<void> {
  const at = (minute: number) => `2026-06-01T09:0${minute}:00.000Z`;
  const proof = {
    ...{ requestedAt: at(0), source: "cta", lang: "de", consentText: "c".repeat(43) },
    ...{ putAt: at(0), takenAt: at(1), answer: "250 2.0.0 <OK>", messageId: "<1@w.test>" },
    confirmedAt: at(2),
  };
  const line = { email: ADA, consentedAt: at(0), state: "waiting", proof };
  await using folder = await makeTestFolder();
  const file = join(folder.path, "people.ndjson");
  await Deno.writeTextFile(file, `${JSON.stringify(line)}\n`);
  await printed(run(["signups", "import", file]));
}

Deno.test("'signups proof' prints, in English or German, how a person gave consent and confirmed the address", async () => {
  await importProven();
  const english = await run(["signups", "proof", ADA]);
  assert.equal(english.code, 0, english.stderr);
  assert.match(
    english.stdout,
    /Form +At the end of the page\n.+German\n.+taken by the mail server +1 June 2026 at 09:01:00 UTC\n.+250 2\.0\.0 <OK>\n.+Message-ID of the e-mail +<1@w\.test>\n.+Confirmed +1 June 2026 at 09:02:00 UTC\n/,
  );
  assert.match(
    english.stdout,
    /What happened +1 June 2026 at 09:02:00 UTC: Confirmed the address\n/,
  );
  assert.match(
    english.stderr,
    /^The network address \(IP\) .+ is not kept\. The proof is the e-mail .+ in UTC\.\n$/,
  );
  const german = await run(["signups", "proof", ADA, "--lang", "de"]);
  assert.match(german.stdout, /Bestätigt +1\. Juni 2026 um 09:02:00 UTC\n/);
  assert.match(german.stderr, /^Die Netzwerkadresse \(IP\)/);
  const { proof, history } = JSON.parse((await run(["signups", "proof", ADA, "--json"])).stdout);
  assert.deepEqual([proof.messageId, proof.confirmedAt], [
    "<1@w.test>",
    "2026-06-01T09:02:00.000Z",
  ]);
  assert.deepEqual(history, []);
});

Deno.test("'signups proof --output' writes one HTML file that loads no other file, and only the owner of the HTML file can read it", async () => {
  await importProven();
  await using folder = await makeTestFolder();
  const file = join(folder.path, "ada.html");
  const { code, stdout, stderr } = await run(["signups", "proof", ADA, "--output", file]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, `Wrote the proof to ${file}.\n`);
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  const html = await Deno.readTextFile(file);
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
  assert.match(html, /<dd>250 2\.0\.0 &#60;OK&#62;<\/dd>[\s\S]+The network address \(IP\)/);
  assert.doesNotMatch(html, /src=|href=|<script/);
});

Deno.test("'signups proof' says so when a person has not confirmed, and refuses an unknown language or an unknown address", async () => {
  await printed(run(["join", "bo@example.com", "--consent", "--yes"]));
  const none = await run(["signups", "proof", "bo@example.com"]);
  assert.match(none.stdout, /Confirmed +There is no confirmation: nobody was asked/);
  assert.doesNotMatch(none.stderr, /The proof is the e-mail/);
  assert.match(none.stdout, /Signed up +\d[^]+: First signed up\n/);
  const wrong = await run(["signups", "proof", ADA, "--lang", "fr"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--lang is 'fr'; give en or de/);
  assert.equal((await run(["signups", "proof", "nobody@example.com"])).code, 6);
});

Deno.test("'signups proof' says which moments an imported file gave, in words, in the page and in --json", async () => {
  await using folder = await makeTestFolder();
  const consentedAt = "2024-05-02T08:00:00.000Z";
  const createdAt = "2024-05-01T08:00:00.000Z";
  const list = join(folder.path, "people.ndjson");
  await Deno.writeTextFile(
    list,
    JSON.stringify({ email: "cy@example.com", consentedAt, createdAt }),
  );
  await printed(run(["signups", "import", list]));

  const { stdout, stderr } = await run(["signups", "proof", "cy@example.com"]);
  assert.match(stderr, /^What proves this consent is kept by the tool that the list comes from, /);
  assert.match(stdout, /First signed up, as an imported file says +1 May 2024 at 08:00:00 UTC\n/);
  assert.match(
    stdout,
    /Confirmed +There is no confirmation: the service did not ask [^]+gives the time of the consent: 2 May 2024 at 08:00:00 UTC\./,
  );
  assert.match(stdout, /2 May 2024 at 08:00:00 UTC: Gave consent, as an imported file says\n/);
  assert.match(stdout, /UTC: Imported from a file, by operator\n/);

  const file = join(folder.path, "cy.html");
  await run(["signups", "proof", "cy@example.com", "--lang", "de", "--output", file]);
  const html = await Deno.readTextFile(file);
  assert.match(html, /<dt>Zum ersten Mal angemeldet, laut einer importierten Datei<\/dt>/);
  assert.match(html, /nennt eine importierte Datei: 2\. Mai 2024 um 08:00:00 UTC\.<\/dd>/);

  const { imported } = JSON.parse(
    (await run(["signups", "proof", "cy@example.com", "--json"])).stdout,
  );
  assert.deepEqual([imported.createdAt, imported.consentedAt], [createdAt, consentedAt]);
});
