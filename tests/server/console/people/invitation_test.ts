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
  test,
} from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { codeOf, LINK } from "../../../support/invitations.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { changeRecord } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const AT = new Date(START).toISOString();

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
  await storeOutcome(service, { takenAt: AT, answer: "250 OK" });
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(html, /<a href="\/operator\/invite\/wave\/\?id=first"><code>first<\/code><\/a>/);
  const code = await codeOf(service.kv, ADA.email);
  const text = textOf(html);
  assert.match(text, /E‑mail accepted by the mail server, 21 Nov 2026, 12:00 250 OK /);
  assert.match(text, /Invitation valid until the end of 31 Dec 2026 /);
  assert.match(text, /If the person does not find it, ask them to look in the spam folder\./);
  assert.ok(text.includes(`You can send the link yourself: ${LINK.replace("{code}", code)} `));
  assert.doesNotMatch(html, />Try again now</);
});

Deno.test("personPage shows the code besides the link when the link of the wave has no {code}", async () => {
  await using service = await startInvited({ link: "https://app.example.com/" });
  const { html } = await openPerson(service.browser, ADA.email);
  const code = await codeOf(service.kv, ADA.email);
  assert.ok(textOf(html).includes(`yourself: https://app.example.com/ with the code ${code} `));
});

Deno.test("personPage sends the rejected e-mail of an invitation again", async () => {
  await using service = await startInvited();
  const { browser } = service;
  await changeItem(service, { queue: "refused", reason: "550 no such mailbox" });
  const { html } = await openPerson(browser, ADA.email);
  assert.match(textOf(html), /rejected for good, 21 Nov 2026, 12:00 550 no such mailbox /);
  assert.match(html, /If the reason is gone, try again\. <a href="[^"]+\?list=refused">/);
  const { location } = await browser.send("/operator/outbox/", fieldsOf(html, "Try again now"));
  assert.equal(location, "/operator/outbox/?list=refused&retried=1&left=0");
  const after = await openPerson(browser, ADA.email);
  assert.match(textOf(after.html), /The e‑mail waits to be sent\. E‑mails and events You can/);
});

Deno.test("personPage says why the last try to send the e-mail of an invitation failed, and tries again at once", async () => {
  await using service = await startInvited();
  const { browser } = service;
  await changeItem(service, { reason: "451 try later", dueAt: START + 60_000 });
  const early = await openPerson(browser, ADA.email);
  assert.match(textOf(early.html), /Why the last try failed: 451 try later /);
  assert.doesNotMatch(early.html, />Try again now</, "a worker may be sending the e-mail");
  await changeItem(service, { dueAt: START + 3_600_000 });
  const { html } = await openPerson(browser, ADA.email);
  const { location } = await browser.send("/operator/outbox/", fieldsOf(html, "Try again now"));
  assert.equal(location, "/operator/outbox/?list=waiting&retried=1&left=0");
});

Deno.test("personPage says why no e-mail of an invitation goes out", async (t) => {
  const change = (act: string) => async ({ operate }: ConsoleService) => {
    assert.equal((await operate(`/waves/first/${act}`, {})).status, 200);
  };
  const sent: [
    name: string,
    wave: Partial<WaveRequest>,
    act: (service: ConsoleService) => Promise<unknown>,
    sentence: RegExp,
  ][] = [
    ["paused", {}, change("pause"), /The e‑mail waits, because the wave is paused\./],
    ["cancelled", {}, change("cancel"), /not sent, because the wave was cancelled\./],
    ["without e-mails", { letters: false }, () => Promise.resolve(), /The wave sends no e‑mails\./],
    [
      "undeliverable",
      {},
      async ({ browser }) => {
        const path = await personPath(browser, ADA.email);
        await browser.send(path, { act: "undeliverable", confirmed: "yes" });
      },
      /No e‑mail goes to this address, because it is marked as undeliverable\./,
    ],
  ];
  for (const [name, wave, act, sentence] of sent) {
    await t.step(name, async () => {
      await using service = await startInvited(wave);
      await act(service);
      const { html } = await openPerson(service.browser, ADA.email);
      assert.match(textOf(html), sentence);
      assert.match(textOf(html), /You can send the link yourself: https:/);
    });
  }
});

Deno.test("personPage says that an invitation has ended, and offers no link", async () => {
  const expires = new Date(START + 60_000).toISOString();
  await using service = await startInvited({ expires });
  service.clock.now += 120_000;
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /The invitation has ended, .+ Renew the invitation first\./);
  assert.doesNotMatch(html, /You can send the link yourself/);
});

test("personPage does not link to the wave of an imported invitation when the service does not have the wave", async (service) => {
  const imported = { state: "invited" as const, invitedAt: AT, invitationCode: "c", wave: "old" };
  await storeBulk(service.kv, [
    bulkSignUp("ada", imported),
    bulkSignUp("bo", { ...imported, invitationCode: "d", complainedAt: AT }),
  ]);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(html, /<dt>Wave<\/dt><dd><code>old<\/code><\/dd>/);
  assert.doesNotMatch(html, /You can send the link yourself/);
  const bo = await openPerson(service.browser, "bo@example.com");
  assert.match(textOf(bo.html), /because the mailbox has reported one as spam\./);
});

Deno.test("personPage shows a viewer neither the link of an invitation nor a button to send its e-mail again", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startInvited({}, { OPERATOR_KEYS: `vera:viewer=${key}` });
  await changeItem(service, { queue: "refused", reason: "550 no such mailbox" });
  const { html } = await openPerson(await signIn(service, key), ADA.email);
  assert.match(html, /The mail server has rejected the e‑mail for good\./);
  assert.doesNotMatch(html, /You can send the link yourself|>Try again now</);
});
