/** Which acts the list of people offers for everybody who fits its filters. */
import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { type ConsoleService, startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { join, refuseDue } from "../../../support/outbox.ts";
import { changeRecord, OUTBOX } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const PEOPLE = "/operator/people/";
const HITS = "/operator/people/hits/";

/** Starts a console with three people, each of whom has a confirmation in the outbox. */
async function startWithThree(): Promise<ConsoleService> {
  const service = await startConsole(WITH_MAIL);
  const emails = ["ada", "bo", "cy"].map((name) => `${name}@example.com`);
  await join(service.kv, emails, { ...OUTBOX, sendsEvents: false });
  return service;
}

/** The buttons below the list that act on everybody who fits the filters. */
function buttonsForAll(html: string): string[] {
  const [, form = ""] =
    /<p class="actions">With all who fit these choices:([^]*?)<\/p>/.exec(html) ??
      [];
  return [...form.matchAll(/<button[^>]*>([^<]+)</g)].map(([, label = ""]) => label);
}

Deno.test("peoplePage offers, for all people with a rejected e-mail, first the new try and last the erasure", async () => {
  await using service = await startWithThree();
  const { browser } = service;
  await refuseDue(service.kv, "letters", { limit: 1 });
  const { html } = await browser.open(`${PEOPLE}?refusedLetter=yes`);
  assert.deepEqual(buttonsForAll(html), [
    "Try all rejected e‑mails and events again …",
    "Erase: 1 person …",
  ], "another confirmation helps none of them");
  assert.match(html, /<button formaction="\/operator\/outbox\/" name="action" value="all">/);
  assert.doesNotMatch(html, /no filter for/);
  const asked = await browser.send("/operator/outbox/", { action: "all" });
  assert.match(asked.html, /<h1>Try everything again that was rejected\?/);
  const some = await browser.open(`${PEOPLE}?refusedLetter=yes&lang=en`);
  assert.deepEqual(
    buttonsForAll(some.html),
    ["Erase: 1 person …"],
    "a new try of everything would try the e-mails to others, too",
  );
});

Deno.test("peoplePage offers for each filter only what can be done with the people", async (t) => {
  await using service = await startWithThree();
  const { kv, browser } = service;
  await storeBulk(kv, [
    bulkSignUp("dan", { state: "waiting" }),
    bulkSignUp("eve", { state: "invited", invitationCode: "c", lang: "de" }),
    bulkSignUp("fay", { state: "waiting" }),
  ]);
  await changeRecord(kv, "fay@example.com", (record) => ({
    record: { ...record, undeliverableAt: new Date(START).toISOString() },
  }));
  const invite = "Invite: those who are waiting …";
  const remind = "Send the confirmation again: those who are unconfirmed …";
  const table = [
    ["", [invite, remind]],
    ["lang=en", [invite, remind, "Erase: 5 people …"]],
    ["lang=de", ["Erase: 1 person …"]],
    ["state=unconfirmed", [
      "Send the confirmation again: 3 people …",
      "Erase: 3 people …",
    ]],
    ["state=invited", ["Erase: 1 person …"]],
    ["mark=undeliverable", ["Erase: 1 person …"]],
    ["reached=invited", ["Erase: 1 person …"]],
  ] as const;
  for (const [query, labels] of table) {
    await t.step(query || "no filter", async () => {
      assert.deepEqual(buttonsForAll((await browser.open(`${PEOPLE}?${query}`)).html), labels);
    });
  }
});

Deno.test("peoplePage does not offer to send the confirmation again when nobody on the list is unconfirmed", async () => {
  await using service = await startConsole(WITH_MAIL);
  const more = Array.from({ length: 51 }, (_, n) => bulkSignUp(`dan${n}`, { state: "waiting" }));
  await storeBulk(service.kv, more);
  const { html } = await service.browser.open(PEOPLE);
  assert.match(html, />Next page</, "the people of one page do not tell");
  assert.deepEqual(buttonsForAll(html), ["Invite: those who are waiting …"]);
});

Deno.test("selectionPage counts and reminds only unconfirmed people when the list has people in other states as well", async () => {
  await using service = await startWithThree();
  const { kv, browser } = service;
  await storeBulk(kv, [bulkSignUp("dan", { state: "waiting" })]);
  const { html } = await browser.open(`${PEOPLE}?lang=en`);
  const fields = fieldsOf(html, "Send the confirmation again: those who are unconfirmed …");
  const asked = await browser.submit(HITS, { ...fields, act: "remind" });
  assert.match(asked.html, /<h1>Send the confirmation again: 3 people\?/);
  assert.match(textOf(asked.html), /State Unconfirmed Language English/);
  const job = await browser.submit(
    HITS,
    fieldsOf(asked.html, "Send the confirmation again: 3 people"),
  );
  assert.match(textOf(job.html), /State Unconfirmed/);
});
