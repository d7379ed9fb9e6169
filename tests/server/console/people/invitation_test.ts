import assert from "node:assert/strict";
import type { ServiceVariables } from "../../../../server/config/mod.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import type { WaveRequest } from "../../../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import {
  ADA,
  type ConsoleService,
  openPerson,
  personPath,
  signIn,
  startConsole,
} from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { codeOf, LINK } from "../../../support/invitations.ts";
import { post, report, SECRET, sign } from "../../../support/mail_hooks.ts";
import { call, importLine, importPeople, OPERATOR_KEY } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { changeRecord } from "../../../support/records.ts";
import { form, START, WITH_MAIL } from "../../../support/service.ts";

const AT = new Date(START).toISOString();
const DAY = 24 * 60 * 60_000;

/** Starts a console with mail, and invites Ada in the wave "first". */
async function startInvited(
  wave: Partial<WaveRequest> = {},
  variables: ServiceVariables = {},
): Promise<ConsoleService> {
  const service = await startConsole({ ...WITH_MAIL, ...variables });
  await storeBulk(service.kv, [bulkSignUp("ada")]);
  const request = { wave: "first", emails: [ADA.email], link: LINK, ...wave };
  await service.operate("/waves", request);
  return service;
}

type Outcome = NonNullable<NonNullable<SignUpRecord["lastLetters"]>["invitation"]>;

/** Stores what became of the e-mail of Ada's invitation. */
const storeOutcome = ({ kv }: ConsoleService, outcome: Omit<Outcome, "putAt">) =>
  changeRecord(kv, ADA.email, (record) => ({
    record: { ...record, lastLetters: { invitation: { putAt: AT, ...outcome } } },
  }));

/** Changes the e-mail of Ada's invitation in the outbox after a failed try. */
async function changeItem({ kv }: ConsoleService, change: Partial<OutboxItem>): Promise<void> {
  const entry = await onlyItem(kv, ADA.email);
  await createOutboxStore(kv).postpone(entry, { ...entry.item, tries: 8, ...change });
}

Deno.test("personPage links to the wave of the person, and shows the link of the invitation whose e-mail was accepted", async () => {
  await using service = await startInvited({ expires: "2027-01-01T00:00:00.000Z" });
  const entry = await onlyItem(service.kv, ADA.email);
  await createOutboxStore(service.kv).complete(entry, START, { mailAnswer: { answer: "250 OK" } });
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(html, /<a href="\/operator\/invite\/wave\/\?id=first"><code>first<\/code><\/a>/);
  const code = await codeOf(service.kv, ADA.email);
  const text = textOf(html);
  assert.match(text, /E‑mail accepted by the mail server, 21 Nov 2026, 12:00 250 OK /);
  assert.match(text, /Invitation valid until the end of 31 Dec 2026 /);
  assert.match(text, /If the person does not find it, ask them to look in the spam folder\./);
  assert.ok(text.includes(`You can send the link yourself: ${LINK.replace("{code}", code)} `));
  assert.match(html, /<article data-copy="Copy" data-copied="Copied">\n<pre [^>]+>https:/);
  assert.match(html, /<script [^>]+\/copy\.js/);
});

Deno.test("personPage shows the reason of a mark as undeliverable beside the mark, and does not advise to look in the spam folder", async () => {
  await using service = await startInvited();
  const entry = await onlyItem(service.kv, ADA.email);
  await createOutboxStore(service.kv).complete(entry, START, {});
  const mark = (reason: string) =>
    service.operate("/signups/undeliverable", { emails: [ADA.email], reason });
  await mark("wrong person");
  await service.operate("/signups/deliverable", { emails: [ADA.email] });
  service.clock.now += DAY / 24;
  await mark("asked by phone");
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(html),
    /No e‑mail goes to this address, which [^.]+ since 21 Nov 2026, 13:00\. asked by phone /,
  );
  assert.doesNotMatch(html, /spam folder/);
});

Deno.test("personPage names the operator of the wave and of the import in the history, and /place/data names no operator", async () => {
  await using service = await startConsole(WITH_MAIL);
  await importPeople(service, [importLine("ada"), importLine("bo")]);
  service.clock.now += DAY / 24;
  await service.operate("/waves", { wave: "first", next: 2, link: LINK });
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(html),
    /Invited in the wave first operator .+ Imported from a file operator /,
  );
  const { placeUrl } = await call(service, "/signups/show", { email: ADA.email });
  const t = new URL(placeUrl).searchParams.get("t") ?? "";
  const own = await (await service.request("/place/data", form({ t }))).text();
  assert.match(own, /"imported"/);
  assert.doesNotMatch(own, /operator/);
});

Deno.test("personPage sends the rejected e-mail of an invitation again", async () => {
  await using service = await startInvited();
  const { browser } = service;
  await changeItem(service, { queue: "refused", reason: "550 no such mailbox" });
  const { html } = await openPerson(browser, ADA.email);
  assert.match(
    textOf(html),
    /rejected the e‑mail with the invitation: 550 no such mailbox Rejected at 21 Nov 2026, 12:00\. Mend what the answer names, [^.]+ try the e‑mail again\. Try again now Correct the address … /,
  );
  assert.match(textOf(html), /E‑mail rejected for good, 21 Nov 2026, 12:00 Invitation code/);
  assert.doesNotMatch(html, /cannot be sent again yet/);
  const fields = fieldsOf(html, "Try again now");
  const path = await personPath(browser, ADA.email);
  service.clock.now += 1_000;
  const retried = await browser.submit(path, fields);
  assert.match(retried.html, /role="status">The e‑mail is tried again now\./);
  assert.match(textOf(retried.html), /E‑mail waiting, to be tried now Invitation code /);
  assert.match(textOf(retried.html), /E‑mail with the invitation tried again operator/);
  assert.match(
    textOf(retried.html),
    /rejected for good 550 no such mailbox/,
    "in the history",
  );
  for (const each of [fields, { ...fields, id: "another" }]) {
    const again = await browser.send(path, each);
    assert.equal(again.status, 409);
    assert.match(again.html, /role="alert">The e‑mail was left as it is, because/);
  }
});

Deno.test("personPage does not show the outcome of an earlier e-mail when the one that was sent again failed for now", async () => {
  await using service = await startInvited();
  const store = createOutboxStore(service.kv);
  await store.complete(await onlyItem(service.kv, ADA.email), START);
  service.clock.now += DAY + 60_000;
  const browser = await signIn(service);
  const { html } = await openPerson(browser, ADA.email);
  const path = await personPath(browser, ADA.email);
  const resent = await browser.submit(path, fieldsOf(html, "Send the invitation again"));
  assert.match(resent.html, /role="status">The invitation was added to the e‑mails that go out/);
  const dueAt = service.clock.now + 60_000;
  await changeItem(service, { tries: 1, reason: "451 try later", dueAt });
  const failed = await browser.open(`${path}?done=resent`);
  assert.match(
    textOf(failed.html),
    /with the invitation yet: 451 try later The next try comes by itself in /,
  );
  assert.match(textOf(failed.html), /E‑mail waiting to be sent, next try: .+ Invitation code/);
  assert.doesNotMatch(failed.html, /role="status"/);
});

Deno.test("personPage gives no warning about the last e-mail of an invitation while another one waits", async () => {
  await using service = await startInvited();
  await storeOutcome(service, { refusedAt: AT, answer: "550 no such mailbox" });
  const text = textOf((await openPerson(service.browser, ADA.email)).html);
  assert.match(text, /E‑mail waiting, to be tried now Invitation code /);
  assert.match(text, /E‑mail: invitation – rejected for good 550 no such mailbox /);
  assert.match(text, /it still waits to be sent; see E‑mails to the person \./);
  assert.doesNotMatch(text, /Correct the address if it is wrong|try the e‑mail again/);
});

Deno.test("personPage does not send a person to the spam folder whose e-mail came back", async () => {
  await using service = await startInvited({}, { MAIL_HOOK: `generic:${SECRET}` });
  await createOutboxStore(service.kv).complete(await onlyItem(service.kv, ADA.email), START);
  assert.match((await openPerson(service.browser, ADA.email)).html, /in the spam folder/);
  const bounce = sign(report("mail.bounced", { email: ADA.email }));
  assert.equal(await post(service, "generic", bounce), 200);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /E‑mail came back, 21 Nov 2026, 12:00 /);
  assert.doesNotMatch(html, /in the spam folder/);
});

Deno.test("personPage offers one button for a rejected invitation when the invitation can be sent again", async () => {
  await using service = await startInvited();
  await changeItem(service, { queue: "refused", reason: "550 no such mailbox" });
  service.clock.now += DAY;
  const { html } = await openPerson(await signIn(service), ADA.email);
  assert.match(html, />Try again now</);
  assert.doesNotMatch(html, />Send the invitation again</);
});

Deno.test("personPage does not offer the rejected e-mail of an invitation if it has left the outbox or would not be sent", async (t) => {
  const acts: Record<string, (service: ConsoleService) => Promise<unknown>> = {
    "its wave is cancelled": ({ operate }) => operate("/waves/first/cancel", {}),
    "the e-mail has left the outbox": async ({ kv }) =>
      createOutboxStore(kv).drop(await onlyItem(kv, ADA.email)),
  };
  for (const [name, act] of Object.entries(acts)) {
    await t.step(name, async () => {
      await using service = await startInvited();
      await storeOutcome(service, { refusedAt: AT, answer: "550 no such mailbox" });
      await act(service);
      const { html } = await openPerson(service.browser, ADA.email);
      assert.match(html, /Correct the address if it is wrong\./);
      assert.doesNotMatch(html, /try the e‑mail again|Try again now/);
    });
  }
});

Deno.test("personPage shows the link of an expired invitation no longer as a way to help", async () => {
  await using service = await startInvited({ expires: new Date(START + 60_000).toISOString() });
  service.clock.now += 120_000;
  const { html } = await openPerson(service.browser, ADA.email);
  assert.doesNotMatch(html, /You can send the link yourself/);
});

Deno.test("personPage says why no e-mail of an invitation goes out, and shows the link of the invitation", async (t) => {
  const change = (act: string) => async ({ operate }: ConsoleService) => {
    assert.equal((await operate(`/waves/first/${act}`, {})).status, 200);
  };
  const cases: [
    name: string,
    wave: Partial<WaveRequest>,
    act: (service: ConsoleService) => Promise<unknown>,
    sentence: RegExp,
  ][] = [
    [
      "waiting",
      {},
      () => Promise.resolve(),
      /it still waits to be sent; see E‑mails to the person \./,
    ],
    ["paused", {}, change("pause"), /its wave is paused\. Resume the wave first\./],
    ["cancelled", {}, change("cancel"), /its wave is cancelled\./],
    ["without e-mails", { letters: false }, () => Promise.resolve(), /its wave sends no e‑mails\./],
    [
      "undeliverable",
      {},
      async ({ browser }) => {
        const path = await personPath(browser, ADA.email);
        await browser.send(path, { act: "undeliverable", confirmed: "yes" });
      },
      /the address is marked as undeliverable, until you lift the mark/,
    ],
  ];
  for (const [name, wave, act, sentence] of cases) {
    await t.step(name, async () => {
      await using service = await startInvited(wave);
      await act(service);
      const { html } = await openPerson(service.browser, ADA.email);
      assert.match(textOf(html), sentence);
      assert.match(textOf(html), /You can send the link yourself: https:/);
    });
  }
});

Deno.test("personPage says that an invitation has expired, in the language of the operator", async () => {
  const expires = new Date(START + 60_000).toISOString();
  await using service = await startInvited({ expires });
  service.clock.now += 120_000;
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /cannot be sent again, as it has expired\. Renew it first\./);
  const german = { headers: { "Accept-Language": "de" } };
  const path = await personPath(service.browser, ADA.email);
  const refused = await service.browser.send(path, { act: "resend" }, german);
  assert.equal(refused.status, 410);
  assert.match(refused.html, /role="alert">Die Einladung wurde nicht noch einmal verschickt\./);
  assert.match(refused.html, /<p class="hint">Die Einladung [^<]+ Verlängern Sie sie zuerst\.</);
});

Deno.test("personPage does not link to the wave of an imported invitation when the service does not have the wave", async (t) => {
  for (const state of ["invited", "accepted"] as const) {
    await t.step(state, async () => {
      await using service = await startConsole();
      const imported = { state, invitedAt: AT, invitationCode: "c", wave: "old" };
      await storeBulk(service.kv, [bulkSignUp("ada", imported)]);
      const { html } = await openPerson(service.browser, ADA.email);
      assert.match(html, /<dt>Wave<\/dt><dd><code>old<\/code><\/dd>/);
    });
  }
});

Deno.test("personPage says that the service does not know the link of an imported invitation", async () => {
  await using service = await startConsole(WITH_MAIL);
  const imported = { state: "invited" as const, invitedAt: AT, invitationCode: "c", wave: "old" };
  await storeBulk(service.kv, [bulkSignUp("ada", imported)]);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(html, /<dt>Wave<\/dt><dd><code>old<\/code><\/dd>/);
  assert.match(textOf(html), /the service does not know its link\. Write to the person yourself\./);
  assert.doesNotMatch(html, /You can send the link yourself/);
});

Deno.test("personPage sends the invitation again a day after the last letter, and lists this in the history", async () => {
  await using service = await startInvited();
  await createOutboxStore(service.kv).complete(await onlyItem(service.kv, ADA.email), START);
  const page = await openPerson(service.browser, ADA.email);
  assert.doesNotMatch(page.html, />Send the invitation again</);
  const path = await personPath(service.browser, ADA.email);
  const early = await service.browser.send(path, { act: "resend" });
  assert.equal(early.status, 409);
  assert.match(early.html, /role="alert">The invitation was not sent again\./);
  assert.match(textOf(early.html), /again from 22 Nov 2026, 12:00 \./);

  service.clock.now += DAY;
  // The session has ended by then.
  const browser = await signIn(service);
  const fields = fieldsOf((await browser.open(path)).html, "Send the invitation again");
  const { status, html } = await browser.submit(path, fields);
  assert.equal(status, 200);
  const repeated = await browser.submit(path, fields);
  assert.match(repeated.html, /role="status">The invitation was added/, "after a double click");
  assert.match(
    html,
    /role="status">The invitation was added to [^<]+<a href="\/operator\/outbox\/">/,
  );
  assert.match(textOf(html), /22 Nov 2026, 12:00 Invitation sent again operator/);
  const activity = await browser.open("/operator/activity/");
  assert.match(textOf(activity.html), /Sent an invitation again one person operator/);
});

Deno.test("personPage shows a viewer neither the link of an invitation nor a button to send its e-mail again", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startInvited({}, { OPERATOR_KEYS: `vera:viewer=${key}` });
  await createOutboxStore(service.kv).complete(await onlyItem(service.kv, ADA.email), START);
  service.clock.now += DAY;
  const viewer = await signIn(service, key);
  const path = await personPath(viewer, ADA.email);
  const { html } = await viewer.open(path);
  assert.match(html, /The mail server has accepted the e‑mail\./);
  assert.doesNotMatch(html, /You can send the link yourself|Send the invitation again|sent again/);
  assert.equal((await viewer.send(path, { act: "resend" })).status, 403);
});
