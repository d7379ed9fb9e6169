import assert from "node:assert/strict";
import { addConsentText } from "../../../../server/store/people/consent_texts.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { consentTextId } from "../../../../server/waitlist/consent_text.ts";
import { writeContent } from "../../../support/brand.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import {
  ADA,
  openPerson,
  personPath,
  signIn,
  startConsole,
  startWithAda,
  startWithDamagedLetterLimit,
  test,
} from "../../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { report, SECRET, sign } from "../../../support/mail_hooks.ts";
import { readAudit } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { changeRecord, storedSignUps, storeSignUp } from "../../../support/records.ts";
import { json, signUp, START, WITH_MAIL } from "../../../support/service.ts";

const AT = new Date(START).toISOString();

Deno.test("personPage and peoplePage show roles and use cases by their names in brand.yaml", async () => {
  const role = "answers: { role: { lead: { en: Team lead, de: Teamleitung } } }";
  await using own = await writeContent({ "brand.yaml": role });
  await using service = await startConsole({ CONTENT_PATH: own.path });
  const { browser, kv } = service;
  await storeBulk(kv, [bulkSignUp("ada", { role: "lead" }), bulkSignUp("bo", { role: "boss" })]);
  const german = { headers: { "Accept-Language": "de" } };
  const { html } = await openPerson(browser, ADA.email, german);
  assert.match(html, /<dt>Rolle<\/dt><dd>Teamleitung<\/dd>/);
  assert.match(html, /<option value="boss">boss<\/option>\n<option value="lead" selected>Teamleit/);
  const list = await browser.open("/operator/people/?role=boss");
  assert.match(list.html, /<option value="lead">Team lead<.+<td>boss<\/td>/s);
  assert.match((await browser.open("/operator/")).html, /<th scope="row">Team lead<\/th>/);
});

test(
  "The console shows a person's answer 'constructor' or '__proto__' like any other answer",
  async ({ kv, browser }, t) => {
    await storeBulk(kv, [
      bulkSignUp("ada", { role: "constructor", building: "__proto__" }),
      bulkSignUp("bo", { role: "valueof", building: "constructor" }),
    ]);
    const { html } = await openPerson(browser, ADA.email);
    assert.match(html, /<dd>constructor<\/dd>/);
    assert.match(html, /<dd>__proto__<\/dd>/);
    for (const path of ["/operator/", "/operator/people/?role=constructor", "/operator/invite/"]) {
      await t.step(path, async () => {
        const page = await browser.open(path);
        assert.equal(page.status, 200);
        assert.doesNotMatch(page.html, /native code|\[object/);
      });
    }
    assert.match((await browser.open("/operator/")).html, /<th scope="row">constructor<\/th>/);
  },
);

Deno.test("personPage selects a person's answer in the form when the answer is 'constructor'", async () => {
  const role = "answers: { role: { lead: { en: Team lead, de: Teamleitung } } }";
  await using own = await writeContent({ "brand.yaml": role });
  await using service = await startConsole({ CONTENT_PATH: own.path });
  await storeBulk(service.kv, [bulkSignUp("ada", { role: "constructor" })]);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(html, /<option value="constructor" selected>constructor</);
});

test("personPage shows all data of a person, with the wording of the consent", async (service) => {
  const wording = { lang: "de" as const, text: "Ja, schreiben Sie mir." };
  await addConsentText(service.kv, wording);
  const said = { answer: "250 2.0.0 <OK>", messageId: "<1@waitlist.test>" };
  const asked = { requestedAt: AT, source: "hero" as const, lang: "en" as const };
  const letter = { putAt: AT, takenAt: "2026-11-21T12:00:05.000Z", ...said };
  const proof = { ...asked, ...letter, consentText: consentTextId(wording), confirmedAt: AT };
  const ada = bulkSignUp("ada", {
    proof,
    lang: "de",
    source: "cta",
    role: "engineer",
    building: "agents",
    state: "invited",
    invitedAt: AT,
    invitationCode: "code-of-ada",
    wave: "first",
    undeliverableAt: AT,
  });
  await storeBulk(service.kv, [ada]);
  const { status, html } = await openPerson(service.browser, ADA.email);
  assert.equal(status, 200);
  const shown = textOf(html);
  for (
    const each of [
      "ada@ example.com Invited",
      "Invited",
      "German",
      "End of the home page",
      "engineer",
      "agents",
      "code-of-ada",
      "first",
      "Undeliverable since 21 Nov 2026, 12:00",
      "Confirmed the address The person",
      "Invited in the wave first",
      "Form Top of the home page",
      "E‑mail: confirmation – accepted by the mail server 20 Nov",
      "The network address (IP) that a sign-up comes from is not kept.",
      proof.consentText,
    ]
  ) assert.ok(shown.includes(each), `${each} in ${shown}`);
  assert.ok(html.includes(`<blockquote lang="de">${wording.text}</blockquote>`));
  assert.match(html, /<title>Person · /, "the history of a browser has no address");
  for (const url of urlsOf(html)) assert.doesNotMatch(url, /@|%40|[?&]t=/i);
  const content = html.slice(html.indexOf("<main"));
  assert.match(content, /<h1>ada@<wbr>example\.com <span[^]+<\/h1>\s+<p><a[^>]+>Back to the list</);
});

Deno.test("personPage has the button that sends the confirmation again when time passes while the page is made", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { clock, browser, kv } = service;
  await storeBulk(kv, [bulkSignUp("ada", { state: "unconfirmed" })]);
  const path = await personPath(browser, ADA.email);
  let moment = clock.now;
  Object.defineProperty(clock, "now", { get: () => moment++ });
  const { html } = await browser.open(path);
  assert.match(html, />Send the confirmation again</);
  assert.doesNotMatch(textOf(html), /cannot be sent again/);
});

Deno.test("personPage sends another confirmation letter unless the letter limit is reached, and lists the letter in the history", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const page = await openPerson(service.browser, ADA.email);
  assert.doesNotMatch(page.html, />Send the confirmation again</);
  assert.match(
    textOf(page.html),
    /still waits to be sent\. Another one can be sent from 22 Nov 2026, 12:00 \./,
  );
  const path = await personPath(service.browser, ADA.email);
  const early = await service.browser.send(path, { act: "remind" });
  assert.equal(early.status, 409);
  assert.match(
    early.html,
    /role="alert">No e‑mail is sent: one was sent to the mailbox within 24 h/,
  );
  service.clock.now += 25 * 3_600_000;
  // The session has ended by then.
  const browser = await signIn(service);
  const fields = fieldsOf((await browser.open(path)).html, "Send the confirmation again");
  assert.deepEqual(fields, { act: "remind" });
  const { status, html } = await browser.submit(path, fields);
  assert.equal(status, 200);
  assert.match(html, /role="status">The e‑mail was added to [^<]+<a href="\/operator\/outbox\/">/);
  assert.match(textOf(html), /22 Nov 2026, 13:00 Asked again to confirm operator/);
  assert.match(textOf(html), /Requests to confirm this address 2 /);
});

Deno.test("personPage advises to look in the spam folder, beside when the confirmation can be sent again, once the confirmation of an unconfirmed person was accepted", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const { kv, browser, clock } = service;
  const before = await openPerson(browser, ADA.email);
  assert.doesNotMatch(before.html, /spam folder/, "while the e-mail waits");
  await createOutboxStore(kv).complete(await onlyItem(kv, ADA.email), clock.now, {});
  const { html } = await openPerson(browser, ADA.email);
  assert.match(
    html,
    /<p class="hint">The mail server has accepted the e‑mail that asks this person to confirm\. [^<]+ in the spam folder\. The confirmation cannot be sent again yet: [^<]+ from <time/,
  );
  const german = { headers: { "Accept-Language": "de" } };
  assert.match((await openPerson(browser, ADA.email, german)).html, /im Spam-Ordner nachzusehen/);
  clock.now += 24 * 60 * 60_000;
  const later = await openPerson(await signIn(service), ADA.email);
  assert.match(later.html, />Send the confirmation again<[^]+<p class="hint">The mail server has/);
  assert.doesNotMatch(later.html, /cannot be sent again/);
  await service.operate("/signups/undeliverable", { emails: [ADA.email] });
  const marked = await openPerson(await signIn(service), ADA.email);
  assert.doesNotMatch(marked.html, /spam folder/);
});

Deno.test("personPage asks for confirmation before it marks the address as undeliverable", async () => {
  await using service = await startWithAda();
  const page = await openPerson(service.browser, ADA.email);
  const path = await personPath(service.browser, ADA.email);
  const asked = await service.browser.send(path, fieldsOf(page.html, "Mark as undeliverable …"));
  assert.match(asked.html, /<h1>Mark as undeliverable\?<\/h1>[^]+No e‑mail goes to this address/);
  assert.equal((await storedSignUps(service.kv))[ADA.email]?.undeliverableAt, undefined);
  const fields = fieldsOf(asked.html, "Mark as undeliverable");
  const { status, html } = await service.browser.submit(path, fields);
  assert.equal(status, 200);
  assert.equal((await storedSignUps(service.kv))[ADA.email]?.undeliverableAt, AT);
  assert.match(html, /role="status">The address is marked: no e‑mail goes to it/);
  assert.match(textOf(html), /Marked as undeliverable operator/);
  assert.doesNotMatch(html, />Mark as undeliverable …<|>Invite …</);
});

Deno.test("personPage downloads the data and the history of a person, and writes an audit entry", async () => {
  await using service = await startWithAda();
  const path = await personPath(service.browser, ADA.email);
  const { status, response, html } = await service.browser.send(path, { act: "export" });
  assert.equal(status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  const disposition = 'attachment; filename="person-2026-11-21-120020-000.json"';
  assert.equal(response.headers.get("content-disposition"), disposition);
  const shown = await (await service.operate("/signups/show", ADA)).json();
  const { placeUrl: one, history, ...exported } = JSON.parse(html);
  const { placeUrl: other, history: [entry, ...none], ...expected } = shown;
  assert.deepEqual(exported, expected);
  assert.equal(one.split("?")[0], other.split("?")[0]);
  assert.deepEqual(history, [
    { at: AT, what: "Exported a person’s data", who: "operator" },
    { at: AT, what: "First signed up", who: "The person" },
  ]);
  assert.deepEqual([entry.action, entry.details, none], ["showSignup", { export: true }, []]);
  assert.deepEqual(await readAudit(service), [entry]);
  const activity = await service.browser.open("/operator/activity/");
  assert.match(textOf(activity.html), /Exported a person’s data one person operator as a file/);
});

Deno.test("personPage names the data that an erasure removes and asks for confirmation before it erases the person", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const page = await openPerson(service.browser, ADA.email);
  const path = await personPath(service.browser, ADA.email);
  const asked = await service.browser.send(path, fieldsOf(page.html, "Erase …"));
  assert.equal(asked.status, 200);
  assert.match(asked.html, /<h1>Erase\?<\/h1>[^]+ada@example\.com[^]+<li>the proof of consent</);
  assert.ok((await storedSignUps(service.kv))[ADA.email], "nothing has gone yet");
  assert.ok(asked.html.includes(`<a class="button" href="${path}">Back</a>`));
  const done = await service.browser.send(path, fieldsOf(asked.html, "Erase"));
  assert.equal(done.status, 303);
  assert.match(done.location, /^\/operator\/people\/\?q=[\w-]+$/);
  assert.equal((await storedSignUps(service.kv))[ADA.email], undefined);
  const list = await service.browser.open(done.location);
  assert.match(list.html, /role="status">ada@example\.com is erased\./);
  const [{ action, operator } = {}] = await readAudit(service);
  assert.deepEqual({ action, operator }, { action: "eraseSignup", operator: "operator" });
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

Deno.test("personPage names the provider that reported a person's address, and lets the operator allow letters to the address again", async () => {
  const MAIL_HOOK = "postmark:password-of-postmark";
  await using service = await startWithAda({ ...WITH_MAIL, MAIL_HOOK });
  const headers = { Authorization: `Basic ${btoa("hook:password-of-postmark")}` };
  const about = { MessageID: "1", Email: ADA.email, BouncedAt: AT };
  for (
    const report of [
      { RecordType: "Bounce", Type: "HardBounce" },
      { RecordType: "SpamComplaint", Type: "SpamComplaint", Description: "Reported as spam" },
    ]
  ) {
    const body = JSON.stringify({ ...about, ...report });
    await service.request("/hooks/mail/postmark", { method: "POST", headers, body });
  }
  const page = await openPerson(service.browser, ADA.email);
  assert.match(page.html, /<h1>[^]+<span class="badge bad">[^<]+<\/span><\/h1>/);
  assert.match(textOf(page.html), /An e‑mail was reported as spam Reported as spam postmark/);
  assert.match(textOf(page.html), /An e‑mail came back as undeliverable postmark \d/);
  assert.doesNotMatch(page.html, />Mark as undeliverable …<|>Send the confirmation again</);
  const fields = fieldsOf(page.html, "Let e‑mails go there again");
  const { html } = await service.browser.submit(
    await personPath(service.browser, ADA.email),
    fields,
  );
  assert.match(html, /role="status">E‑mails go to this address again\./);
  assert.match(textOf(html), /Let e‑mails go there again operator/);
});

Deno.test("personPage says 'mail provider' for a report to the hook 'generic', which has no name of a provider", async () => {
  await using service = await startWithAda({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  const bounce = report("mail.bounced", { reason: "550 5.1.1" });
  const { status } = await service.request("/hooks/mail/generic", sign(bounce));
  assert.equal(status, 200);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /An e‑mail came back as undeliverable 550 5\.1\.1 mail provider \d/);
});

test("personPage shows and changes the note on a person, and says that the person can read the note", async (service) => {
  await storeBulk(service.kv, [bulkSignUp("ada")]);
  const page = await openPerson(service.browser, ADA.email);
  assert.match(page.html, /There is no note\.<[^]+The person can read this note/);
  const path = await personPath(service.browser, ADA.email);
  const note = "Met at the fair.\r\n<b>Pays by invoice</b>";
  const done = await service.browser.submit(path, { act: "note", note });
  assert.match(done.html, /role="status">The note is changed\./);
  const text = "Met at the fair\\.\n&lt;b&gt;Pays by invoice&lt;/b&gt;";
  assert.match(done.html, new RegExp(`<p class="note-text">${text}</p>`));
  assert.match(done.html, new RegExp(`<textarea[^>]+>\n${text}</textarea>`));
  assert.match(textOf(done.html), /Changed the note on a person operator/);

  const refused = await service.browser.send(path, { act: "note", note: "a\u0007" });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /role="alert">Nothing was changed\. A note has at most 500/);
  const removed = await service.browser.submit(path, { act: "note", note: "" });
  assert.match(removed.html, /There is no note\./);
});

test("proofPage shows the proof of consent on a page without buttons and forms", async (service) => {
  const wording = { lang: "de" as const, text: "Ja, schreiben Sie mir." };
  await addConsentText(service.kv, wording);
  const proof = {
    requestedAt: AT,
    lang: "de" as const,
    consentText: consentTextId(wording),
    takenAt: AT,
    answer: "250 2.0.0 Ok",
    messageId: "<1@waitlist.test>",
    confirmedAt: AT,
  };
  const { takenAt: _, ...proofWithoutLetter } = proof;
  await storeBulk(service.kv, [
    bulkSignUp("ada", { proof }),
    bulkSignUp("bo"),
    bulkSignUp("eve", { proof: proofWithoutLetter }),
  ]);
  const person = await openPerson(service.browser, ADA.email);
  const path = `${await personPath(service.browser, ADA.email)}/proof`;
  assert.ok(person.html.includes(`<a href="${path}">The proof as a page to print</a>`));
  const { status, html } = await service.browser.open(path);
  assert.equal(status, 200);
  assert.match(
    html,
    /<h1>Proof of consent<[^]+ada@example\.com[^]+<blockquote lang="de">Ja, schreiben/,
  );
  for (
    const each of [
      "The mail server’s answer 250 2.0.0 Ok",
      "Message-ID of the e‑mail &lt;1@waitlist.test&gt;",
      "The network address (IP) that a sign-up comes from is not kept. The proof is the e‑mail that the mail server has accepted for the mailbox and",
      "Confirmed the address The person",
      "Responsible for the list Example Company, https://",
      "Consent to this wording, and confirmation 21 November 2026 at 12:00:20 UTC",
      `Id of the wording ${proof.consentText} The service computes it from the language and the wording`,
    ]
  ) assert.ok(textOf(html).includes(each), `${each} in ${textOf(html)}`);
  assert.equal(
    html.split("&lt;1@waitlist.test&gt;").length,
    2,
    "the proof alone has the Message-ID",
  );
  const times = [...html.slice(html.indexOf("<main")).matchAll(/<time [^>]+>([^<]*)<\/time>/g)];
  assert.ok(times.length > 6);
  for (const [, time] of times) assert.match(time!, /:\d\d:\d\d UTC$/);
  assert.doesNotMatch(html, /What proves this consent/);
  assert.doesNotMatch(html.slice(html.indexOf("<main")), /<button|<form/);
  const eve = await openPerson(service.browser, "eve@example.com");
  assert.doesNotMatch(eve.html, /The proof is the e‑mail that the mail server/);
  const none = await service.browser.open(
    `${await personPath(service.browser, "bo@example.com")}/proof`,
  );
  const reason =
    "There is none: the service did not ask the person to confirm this address. An imported file gives the time of the consent: ";
  assert.match(textOf(none.html), new RegExp(`${reason}.*2026`));
  const lastImport =
    /The history has only the last import that changed this person\. If several files/;
  assert.match(none.html, lastImport);
  assert.match(none.html, /What proves this consent is kept by the tool that the list comes from/);
  assert.match(textOf(none.html), /First signed up, as an imported file says/);
  assert.match(textOf(none.html), /Imported from a file/);
  assert.doesNotMatch(textOf(none.html), /The person /);
  const letter = { putAt: AT, takenAt: AT };
  await storeSignUp(service.kv, { email: "cy@example.com" }, AT);
  await changeRecord(service.kv, "cy@example.com", (record) => ({
    record: { ...record, state: "unconfirmed", lastLetters: { confirmation: letter } },
  }));
  await storeBulk(service.kv, [bulkSignUp("cy")]);
  const imported = await service.browser.open(
    `${await personPath(service.browser, "cy@example.com")}/proof`,
  );
  assert.match(imported.html, /the person was asked to confirm and did not\. An import put/);
  await service.request("/api/v1/waitlist", json({ email: "di@example.com", consent: true }));
  const notAsked = await service.browser.open(
    `${await personPath(service.browser, "di@example.com")}/proof`,
  );
  assert.doesNotMatch(notAsked.html, lastImport);
  assert.match(
    textOf(notAsked.html),
    /Latest consent 21 November 2026/,
    "the time may be that of a file of an import by an earlier version",
  );
  assert.match(notAsked.html, /There is none: the person was not asked to confirm, because/);
});

Deno.test("personPage names the latest sign-up in place of a consent when the person has not confirmed yet", async () => {
  await using service = await startConsole(WITH_MAIL);
  await signUp(service, "ada@example.com");
  const { html } = await openPerson(service.browser, "ada@example.com");
  assert.match(textOf(html), / Latest sign-up 21 Nov 2026, 12:00 /);
  assert.doesNotMatch(html, /Latest consent/);
});

Deno.test("proofPage names the company by its postal address in brand.yaml", async () => {
  const address = "address: |\n  Analytical Engines Ltd\n  12 Marylebone Road, London\n";
  await using own = await writeContent({ "brand.yaml": address });
  await using service = await startConsole({ CONTENT_PATH: own.path });
  await storeBulk(service.kv, [bulkSignUp("ada")]);
  const path = `${await personPath(service.browser, ADA.email)}/proof`;
  const { html } = await service.browser.open(path);
  assert.match(
    textOf(html),
    /Responsible for the list Analytical Engines Ltd, 12 Marylebone Road, London, https:/,
  );
});

Deno.test("proofPage says why there is no wording of the consent of a person who has not confirmed", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const path = await personPath(service.browser, ADA.email);
  const { html } = await service.browser.open(`${path}/proof`);
  assert.match(
    textOf(html),
    /There is none yet: .+ keeps the wording of the consent with the conf/,
  );
});

Deno.test("personPage shows the form again with the typed reason when the reason contains an e-mail address", async () => {
  await using service = await startWithAda();
  const { browser } = service;
  const path = await personPath(browser, ADA.email);
  const sent = { act: "undeliverable", confirmed: "yes", reason: "ada@b.example" };
  const refused = await browser.send(path, sent);
  assert.equal(refused.status, 400);
  assert.match(refused.html, /role="alert">For the history of the person, up to 200 characters/);
  const fields = fieldsOf(refused.html, "Mark as undeliverable");
  assert.match(refused.html, /name="reason" value="ada@b\.example"/);
  const marked = await browser.submit(path, { ...fields, reason: "full" });
  assert.match(textOf(marked.html), /The address is marked/);
});

Deno.test("personPage answers 409 to a change of the mark 'undeliverable' when the stored letter limit cannot be read", async (t) => {
  // The person signed up with a subaddress, so that the mailbox has a stored letter limit.
  const email = "ada+1@example.com";
  await using service = await startWithDamagedLetterLimit(email);
  const { browser } = service;
  const path = await personPath(browser, email);
  for (const act of ["undeliverable", "deliverable"]) {
    await t.step(act, async () => {
      const { status, html } = await browser.send(path, { act, confirmed: "yes" });
      assert.equal(status, 409);
      assert.match(html, /role="alert">Nothing was changed, as .+ or its data cannot be read\./);
      assert.doesNotMatch(html, /This address is not on the list/);
    });
  }
});
