import assert from "node:assert/strict";
import { DAY } from "../../../../shared/durations.ts";
import {
  signIn,
  startConsole,
  startWithDamagedLetterLimit,
  test,
} from "../../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { readAudit } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { signUp, WITH_MAIL } from "../../../support/service.ts";

const PEOPLE = "/operator/people/", CHOSEN = "/operator/people/chosen/";

/** What the boxes in front of some people send. */
const boxes = (...numbers: number[]) =>
  Object.fromEntries(numbers.map((n) => [`chosen_${n}`, nth(n)]));

test("chosenPeoplePage sets or removes the mark 'undeliverable' of the people whose boxes are ticked on peoplePage", async ({ browser, kv }) => {
  await storeWaiting(kv, 4);
  const { html } = await browser.open(`${PEOPLE}?order=oldest`);
  assert.equal(html.split('<input type="checkbox" name="chosen_').length - 1, 4);
  assert.match(html, /<button name="act" value="undeliverable">Mark as undeliverable …</);
  const sent = { list: "order=oldest", ...boxes(1, 3), chosen_9: "nobody@example.com" };
  const asked = await browser.send(CHOSEN, { ...sent, act: "undeliverable" });
  assert.equal(asked.status, 200);
  assert.match(asked.html, /<h1>Mark as undeliverable: 3 people\?/);
  for (const url of urlsOf(asked.html)) assert.doesNotMatch(url, /@|%40/);
  assert.match(asked.html, /href="\/operator\/people\/\?order=oldest">Back</);
  const marked = await browser.send(
    CHOSEN,
    fieldsOf(asked.html, "Mark as undeliverable: 3 people"),
  );
  assert.match(
    textOf(marked.html),
    /2 people are marked as undeliverable\. .*Not done for Address Why nobody@ example\.com Nothing was changed, as the address is not on the list, or /,
  );
  assert.match(marked.html, /href="\/operator\/people\/\?order=oldest">Back to the list</);
  const isMarked = async () =>
    Object.values(await storedSignUps(kv)).map(({ undeliverableAt }) => Boolean(undeliverableAt));
  assert.deepEqual((await isMarked()).toSorted(), [false, false, true, true]);
  const lifted = await browser.send(CHOSEN, { ...boxes(1, 3), act: "deliverable" });
  assert.match(textOf(lifted.html), /E‑mails go to 2 people again\./);
  assert.deepEqual(await isMarked(), [false, false, false, false]);
});

test("peoplePage offers only acts that fit somebody on the page", async ({ browser, kv }) => {
  await storeWaiting(kv, 2);
  const actsIn = (html: string) =>
    [...html.matchAll(/<button name="act" value="(\w+)">/g)].map(([, act]) => act);
  const offeredActs = async () => {
    const { html } = await browser.open(PEOPLE);
    return actsIn(/<form[^>]* class="rows"[^]*?<\/form>/.exec(html)![0]);
  };
  assert.deepEqual(await offeredActs(), ["invite", "undeliverable", "export", "erase"]);
  const undeliverable = { act: "undeliverable", confirmed: "yes" };
  await browser.send(CHOSEN, { ...boxes(0), ...undeliverable });
  assert.deepEqual(
    await offeredActs(),
    ["invite", "undeliverable", "deliverable", "export", "erase"],
  );
  // The style sheet hides the note while nobody is chosen.
  const note =
    /<p class="soft if-chosen">“Let e‑mails go there again” changes nothing for people who get e‑mails\./;
  assert.match((await browser.open(PEOPLE)).html, note);
  await browser.send(CHOSEN, { ...boxes(1), ...undeliverable });
  assert.deepEqual(await offeredActs(), ["deliverable", "export", "erase"]);
  assert.doesNotMatch((await browser.open(PEOPLE)).html, note);
});

Deno.test("chosenPeoplePage reports that it has changed the mark 'undeliverable' of 0 people when the person's stored letter limit cannot be read", async (t) => {
  // The person signed up with a subaddress, so that the mailbox has a stored letter limit.
  const email = "ada+1@example.com";
  await using service = await startWithDamagedLetterLimit(email);
  for (const act of ["undeliverable", "deliverable"]) {
    await t.step(act, async () => {
      const sent = { chosen_0: email, act, confirmed: "yes" };
      const { html } = await service.browser.send(CHOSEN, sent);
      assert.match(
        textOf(html),
        / 0 people( again)?\b.*or its data cannot be read\. Check the counters/,
      );
      assert.doesNotMatch(html, /This address is not on the list/);
    });
  }
});

test("chosenPeoplePage marks nobody as undeliverable and shows the form again when the reason contains an e-mail address", async ({ browser, kv }) => {
  await storeWaiting(kv, 2);
  const sent = { ...boxes(0, 1), act: "undeliverable", confirmed: "yes", reason: "ada@b.example" };
  const refused = await browser.send(CHOSEN, sent);
  assert.equal(refused.status, 400);
  assert.match(refused.html, /role="alert">For the history of the person, up to 200 characters/);
  assert.match(refused.html, /name="reason" value="ada@b\.example"/);
  const fields = fieldsOf(refused.html, "Mark as undeliverable: 2 people");
  const marked = await browser.send(CHOSEN, { ...fields, reason: "full" });
  assert.match(textOf(marked.html), /2 people are marked as undeliverable\./);
});

test("chosenPeoplePage erases the chosen people after a confirmation, and writes an audit entry for each person", async (service) => {
  const { browser, kv } = service;
  await storeWaiting(kv, 3);
  const asked = await browser.send(CHOSEN, { ...boxes(0, 2), act: "erase" });
  assert.equal(Object.keys(await storedSignUps(kv)).length, 3, "nothing has gone yet");
  const { html } = await browser.send(CHOSEN, fieldsOf(asked.html, "Erase: 2 people"));
  assert.match(textOf(html), /2 people are erased\./);
  assert.deepEqual(Object.keys(await storedSignUps(kv)), [nth(1)]);
  const entries = await readAudit(service);
  assert.deepEqual(entries.map(({ action }) => action), ["eraseSignup", "eraseSignup"]);
  assert.equal(new Set(entries.map(({ address }) => address)).size, 2);
});

test(
  "chosenPeoplePage downloads the chosen people as CSV, and shows an error message when nobody is chosen",
  async (service, t) => {
    const { browser, kv } = service;
    await storeWaiting(kv, 3);
    const { response, html } = await browser.send(CHOSEN, { ...boxes(0, 2), act: "export" });
    assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
    const disposition = 'attachment; filename="people-2026-11-21-120020-000.csv"';
    assert.equal(response.headers.get("content-disposition"), disposition);
    const emails = html.trim().split("\r\n").slice(1).map((line) => line.split(",")[0]);
    assert.deepEqual(emails, [nth(0), nth(2)]);
    assert.equal((await readAudit(service)).length, 2);
    for (const act of ["remind", "undeliverable", "erase", "export"]) {
      await t.step(act, async () => {
        const none = await browser.send(CHOSEN, { act });
        assert.match(none.html, /role="alert">Nobody is chosen\./);
      });
    }
    assert.equal((await browser.open(CHOSEN)).location, PEOPLE);
  },
);

test("chosenPeoplePage downloads no file and names the missing person when a chosen person has left the list", async ({ browser, kv }) => {
  await storeWaiting(kv, 1);
  const fields = { ...boxes(0), chosen_1: "nobody@example.com", act: "export" };
  const { response, html } = await browser.send(CHOSEN, fields);
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(textOf(html), /No file was made\. .*nobody@ example\.com This address is not/);
});

Deno.test("chosenPeoplePage names the act and links to the person's page when one person is chosen", async (t) => {
  await using service = await startConsole({ ...WITH_MAIL });
  const { clock } = service;
  const email = "visitor0@example.com";
  assert.equal(await signUp(service, email), 200);
  const sentences = [
    [
      "remind",
      "Confirmation sent again to 1 person.",
      "1 Person wird erneut um Bestätigung gebeten.",
    ],
    [
      "undeliverable",
      "1 person is marked as undeliverable.",
      "1 Person ist als unzustellbar gekennzeichnet.",
    ],
    ["deliverable", "E‑mails go to 1 person again.", "1 Person bekommt wieder E‑Mails."],
  ] as const;
  for (const [act, ...expected] of sentences) {
    for (const [index, lang] of ["en", "de"].entries()) {
      await t.step(`${act} ${lang}`, async () => {
        // A mailbox gets one reminder within 24 hours. The session of the operator has ended by then.
        clock.now += DAY + 1;
        const browser = await signIn(service);
        const fields = { chosen_0: email, act, confirmed: "yes", list: "order=oldest" };
        const headers = { "Accept-Language": lang };
        const { html } = await browser.send(CHOSEN, fields, { headers });
        assert.ok(html.includes(`role="status">${expected[index]}<`), html);
        const [href] = html.match(/(?<=<p><a href=")[^"]+(?=">visitor0@<wbr>example\.com<)/) ??
          assert.fail(html);
        assert.doesNotMatch(href, /@|%40/);
        const page = await browser.open(href);
        assert.match(page.html, /<h1[^>]*>visitor0@/);
        assert.match(page.html, /href="\/operator\/people\/\?order=oldest">Back to the list</);
      });
    }
  }
  const browser = await signIn(service);
  const erased = await browser.send(CHOSEN, { chosen_0: email, act: "erase", confirmed: "yes" });
  assert.match(erased.html, /role="status">1 person is erased\.</);
  assert.doesNotMatch(erased.html, /visitor0@/);
});
