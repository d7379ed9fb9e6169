import assert from "node:assert/strict";
import {
  type ConsoleAnswer,
  type ConsoleService,
  startConsole,
  startFailingConsole,
} from "../../../support/console.ts";
import { readAudit, readNdjson } from "../../../support/operator.ts";
import { storeSignUp } from "../../../support/records.ts";
import { BASE_URL, form } from "../../../support/service.ts";
import { testWith } from "../../../support/test_with.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

const PAGE = "/operator/data/";
const AT = "2026-11-20T08:00:00.000Z";

/** A service with two people; a spreadsheet would take the address of one for a formula. */
async function startWithPeople(): Promise<ConsoleService> {
  const service = await startConsole();
  await storeSignUp(service.kv, { email: "=ada@example.com", lang: "de" }, AT);
  await storeSignUp(service.kv, { email: "grace@example.com" }, AT);
  return service;
}

const test = testWith(startWithPeople);

/** Asserts that an answer is a file. */
function assertFile({ status, response }: ConsoleAnswer, type: string, name: string): void {
  assert.equal(status, 200);
  assert.equal(response.headers.get("content-type"), type);
  const disposition = response.headers.get("content-disposition");
  assert.equal(disposition, `attachment; filename="${name}"`);
}

test("dataPage leads to the page People for a download of a part of the list", async ({ browser }) => {
  const { html } = await browser.open(PAGE);
  assert.match(html, /filter the list on this page: <a href="\/operator\/people\/">People<\/a>/);
});

test("dataPage serves a download as NDJSON that has the same people as 'exportSignups', and writes an audit entry", async (service) => {
  const file = await service.browser.send(PAGE, { action: "export", format: "ndjson" });
  assertFile(file, "application/x-ndjson", "waitlist-2026-11-21.ndjson");
  const people = file.html.trimEnd().split("\n").map((line) => JSON.parse(line));
  const lines = await readNdjson(await service.operate("/signups/export", {}));
  const expected = lines.filter(({ email }) => email);
  assert.equal(people.length, 2);
  assert.deepEqual(people, expected);
  const [{ action, operator } = {}] = await readAudit(service);
  assert.deepEqual([action, operator], ["exportSignups", "operator"]);
});

test("dataPage downloads the selected people as CSV, and escapes cells that a spreadsheet would run as formulas", async (service) => {
  const fields = { action: "export", format: "csv", state: "waiting", lang: "de" };
  const file = await service.browser.send(PAGE, fields);
  assertFile(file, "text/csv; charset=utf-8", "waitlist-2026-11-21-waiting-de.csv");
  const [head, row, end] = file.html.split("\r\n");
  assert.match(head!, /^email,createdAt,consentedAt,.+,proof\.confirmedAt$/);
  assert.match(row!, new RegExp(`^'=ada@example\\.com,${AT},`));
  assert.equal(end, "");
  const [{ details } = {}] = await readAudit(service);
  assert.deepEqual(details, { lang: "de", state: "waiting", continued: false });
  const none = await service.browser.send(PAGE, { ...fields, state: "invited" });
  assert.equal(none.html, `${head}\r\n`);
});

test("dataPage downloads CSV that a German spreadsheet opens, and adds links to people's pages when the operator asks for links", async (service) => {
  const fields = { action: "export", format: "csv", links: "yes" };
  const headers = { "Accept-Language": "de" };
  const { html } = await service.browser.send(PAGE, fields, { headers });
  const [head, ada] = html.split("\r\n");
  assert.match(head!, /^email;createdAt;.+;placeUrl$/);
  assert.match(ada!, /;https:\/\/\S+\/place\/\?t=\S+$|;https:\/\/\S+\/platz\/\?t=\S+$/);
  const [{ details } = {}] = await readAudit(service);
  assert.deepEqual(details, { links: true, continued: false });
});

test("dataPage answers 400 and shows the message of exportSignups when a filter has an unknown value", async ({ browser }) => {
  const { status, html } = await browser.send(PAGE, { action: "export", state: "gone" });
  assert.equal(status, 400);
  assert.match(html, /role="alert">Field &#39;state&#39; is &#39;gone&#39;; give /);
});

test(
  "dataPage downloads nothing when the form has no action or an unknown action",
  async ({ browser }, t) => {
    for (const fields of [{}, { action: "exports" }]) {
      await t.step(JSON.stringify(fields), async () => {
        const { status, html } = await browser.send(PAGE, { ...fields, format: "csv" });
        assert.equal(status, 400);
        assert.match(
          html,
          /role="alert">Field &#39;action&#39; is missing or unknown; give export, /,
        );
      });
    }
  },
);

test("dataPage downloads a complete backup, and afterwards shows the time of the backup", async (service) => {
  assert.match((await service.browser.open(PAGE)).html, /<dt>Last backup<\/dt><dd>Never<\/dd>/);
  const file = await service.browser.send(PAGE, { action: "backup" });
  assertFile(file, "application/x-ndjson", "waitlist-backup-2026-11-21.ndjson");
  const lines = file.html.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines[0].kind, "header");
  assert.equal(lines.at(-1).kind, "end");
  assert.equal(lines.filter(({ kind }) => kind === "sign_up").length, 2);
  assert.equal((await readAudit(service))[0]?.action, "backUp");
  assert.match((await service.browser.open(PAGE)).html, /<dt>Last backup<\/dt><dd><time/);
});

test("dataPage verifies the counters, and asks for confirmation before it repairs the counters", async (service) => {
  const sound = await service.browser.send(PAGE, { action: "verify" });
  assert.match(sound.html, /class="notice" role="status">The counters are right\./);
  assert.match(sound.html, /<dt>Records counted<\/dt><dd>2<\/dd>/);
  assert.doesNotMatch(sound.html, /value="repair"/);

  await service.kv.commit(new Commit().add(["statistics", "byLang", "de"], 2));
  const wrong = await service.browser.send(PAGE, { action: "verify" });
  assert.match(wrong.html, /class="warning" role="status">The counters are wrong\./);
  const row =
    /<th scope="row">Language: de<\/th>\n<td class="number">3<\/td>\n<td class="number">1</;
  assert.match(wrong.html, row);
  assert.match(wrong.html, /value="repair"/);

  const asked = await service.browser.send(PAGE, { action: "repair" });
  assert.match(asked.html, /<h1>Repair the counters\?<\/h1>/);
  assert.match(asked.html, /name="confirmed" value="yes"/);
  const still = await service.browser.send(PAGE, { action: "verify" });
  assert.match(still.html, row, "only asking repairs nothing");

  const repaired = await service.browser.send(PAGE, { action: "repair", confirmed: "yes" });
  assert.match(repaired.html, /class="notice" role="status">Corrected counters: 1\./);
  assert.match(repaired.html, row);
  const again = await service.browser.send(PAGE, { action: "verify" });
  assert.match(again.html, /The counters are right\./);
  assert.deepEqual((await readAudit(service)).map(({ action }) => action), ["repairCounters"]);
});

test("dataPage offers to repair the counters only after a check that found a difference", async ({ browser, kv }) => {
  const open = async () => (await browser.open(PAGE)).html;
  assert.doesNotMatch(await open(), /value="repair"/);
  await kv.commit(new Commit().add(["statistics", "byLang", "de"], 2));
  assert.doesNotMatch(await open(), /value="repair"/);
  await browser.send(PAGE, { action: "verify" });
  const html = await open();
  assert.match(html, /<p class="warning">Numbers of people can be wrong\. A check at 21 Nov 2026/);
  assert.match(html, /name="action" value="repair">\n<button type="submit">Repair …</);
  await browser.send(PAGE, { action: "repair", confirmed: "yes" });
  assert.doesNotMatch(await open(), /value="repair"/);
});

Deno.test("dataPage breaks off a download when the export fails, so that an incomplete file does not look complete", async () => {
  await using service = await startFailingConsole();
  await storeSignUp(service.kv, { email: "ada@example.com" }, AT);
  const response = await service.request(PAGE, {
    ...form({ action: "export" }),
    headers: { Origin: BASE_URL, Cookie: service.browser.cookie },
  });
  const reader = response.body!.getReader();
  await reader.read();
  service.fails.reads = true;
  await assert.rejects(reader.read(), /KV is away/);
});

test("dataPage names unreadable records and wrong counters in German when the browser asks for German", async ({ browser, kv }) => {
  await kv.commit(new Commit().add(["statistics", "byState", "waiting"], 1));
  await kv.commit(new Commit().set(["sign_up", "eve@example.com"], { lang: 5 }));
  const headers = { "Accept-Language": "de" };
  const { html } = await browser.open(PAGE, { headers });
  assert.match(html, /<h2 id="backup">Sicherung<\/h2>/);
  const checked = await browser.send(PAGE, { action: "verify" }, { headers });
  assert.match(checked.html, /<td>sign_up eve@example\.com<\/td>/);
  assert.match(checked.html, /<th scope="row">Status: Wartend<\/th>/);
});
