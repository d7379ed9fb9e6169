/** The button that sends the invitation of a person again. */
import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { openPerson, personPath, signIn, startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { inviteAll, nth, storeWaiting } from "../../../support/invitations.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { changeRecord } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const DAY = 24 * 60 * 60_000;
const EMAIL = nth(0);
const VIEWER_KEY = `viewer-${OPERATOR_KEY}`;

/** Starts a console with a person whose invitation the mail server has taken. */
async function startInvited() {
  const service = await startConsole({ ...WITH_MAIL, OPERATOR_KEYS: `eve:viewer=${VIEWER_KEY}` });
  await storeWaiting(service.kv, 1);
  await inviteAll(service.kv, { next: 1 });
  const [letter] = await readFirstItems(service.kv, "invitations", { limit: 1 });
  await createOutboxStore(service.kv).complete(letter!, START);
  return service;
}

Deno.test("personPage sends the invitation again a day after the last letter, and lists this in the history", async () => {
  await using service = await startInvited();
  const page = await openPerson(service.browser, EMAIL);
  assert.doesNotMatch(page.html, />Send the invitation again</);
  assert.match(textOf(page.html), /cannot be sent again yet: .+ again from 22 Nov 2026, 12:00 \./);
  const path = await personPath(service.browser, EMAIL);
  const early = await service.browser.send(path, { act: "resend" });
  assert.equal(early.status, 409);
  assert.match(early.html, /role="alert">The invitation was not sent again\./);
  assert.match(textOf(early.html), /again from 22 Nov 2026, 12:00 \./);

  service.clock.now += DAY;
  // The session has ended by then.
  const browser = await signIn(service);
  const fields = fieldsOf((await browser.open(path)).html, "Send the invitation again");
  assert.deepEqual(fields, { act: "resend" });
  const { status, html } = await browser.submit(path, fields);
  assert.equal(status, 200);
  assert.match(
    html,
    /role="status">The invitation was added to [^<]+<a href="\/operator\/outbox\/">/,
  );
  assert.match(textOf(html), /22 Nov 2026, 12:00 Invitation sent again operator/);
  assert.match(
    html,
    /<p class="hint">[^<]+ still waits to be sent; see <a href="\/operator\/outbox/,
  );
  const activity = await browser.open("/operator/activity/");
  assert.match(textOf(activity.html), /Sent an invitation again an address operator/);
});

Deno.test("personPage says in the language of the operator why the invitation cannot be sent again", async () => {
  await using service = await startInvited();
  const expiresAt = new Date(START).toISOString();
  await changeRecord(service.kv, EMAIL, (record) => ({ record: { ...record, expiresAt } }));
  const german = { headers: { "Accept-Language": "de" } };
  const { html } = await openPerson(service.browser, EMAIL, german);
  assert.match(
    html,
    /<p class="hint">Die Einladung [^<]+ abgelaufen\. Verlängern Sie sie zuerst\.</,
  );
  const path = await personPath(service.browser, EMAIL);
  const refused = await service.browser.send(path, { act: "resend" }, german);
  assert.equal(refused.status, 410);
  assert.match(refused.html, /role="alert">Die Einladung wurde nicht noch einmal verschickt\./);
});

Deno.test("personPage does not offer a viewer to send the invitation again", async () => {
  await using service = await startInvited();
  service.clock.now += DAY;
  const viewer = await signIn(service, VIEWER_KEY);
  const path = await personPath(viewer, EMAIL);
  assert.doesNotMatch((await viewer.open(path)).html, /Send the invitation again|sent again/);
  assert.equal((await viewer.send(path, { act: "resend" })).status, 403);
});
