import assert from "node:assert/strict";
import type { ServiceVariables } from "../../../../server/config/mod.ts";
import { createMailState } from "../../../../server/store/outbox/mod.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import {
  ADA,
  type ConsoleService,
  openPerson,
  personPath,
  signIn,
  startConsole,
  startWithAda,
} from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { LINK } from "../../../support/invitations.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { signUp, START, WITH_MAIL } from "../../../support/service.ts";

const REASON = "452 4.2.2 mailbox full";
const HOUR = 60 * 60_000;

/** Changes the only item of Ada, as the worker of the outbox does after a failed try. */
async function failForNow({ kv }: ConsoleService, change: Partial<OutboxItem> = {}): Promise<void> {
  const entry = await onlyItem(kv, ADA.email);
  const failed = { tries: 4, reason: REASON, dueAt: START + 2 * HOUR };
  await createOutboxStore(kv).postpone(entry, { ...entry.item, ...failed, ...change });
}

/** Starts a console with an invited person whose invitation a mailbox has not taken yet. */
async function startDelayed(
  change: Partial<OutboxItem> = {},
  variables: ServiceVariables = {},
): Promise<ConsoleService> {
  const service = await startConsole({ ...WITH_MAIL, ...variables });
  await storeBulk(service.kv, [bulkSignUp("ada")]);
  await service.operate("/waves", { wave: "first", emails: [ADA.email], link: LINK });
  await failForNow(service, change);
  return service;
}

Deno.test("personPage says above the buttons why an e-mail was not accepted yet, when the next and the last try are, and tries the e-mail at once", async () => {
  await using service = await startDelayed();
  const { html } = await openPerson(service.browser, ADA.email);
  const text = textOf(html);
  assert.match(
    text,
    /has not accepted the e‑mail with the invitation yet: 452 4\.2\.2 mailbox full The mailbox is full\. Only the person can make room there\. The next try is at 21 Nov 2026, 14:00, and the last one at 23 Nov 2026, 08:00\. Try again now Correct/,
  );
  assert.match(html, /<span class="badge">E‑mail waits<\/span><\/h1>/);
  assert.match(text, /E‑mail waiting to be sent, next try: 21 Nov 2026, 14:00 Invitation code/);
  assert.match(
    text,
    / Invitation 21 Nov 2026, 12:00 waiting to be sent, next try: 21 Nov 2026, 14:00 ; failed tries: 4 Last answer: 452 4\.2\.2 mailbox full/,
  );
  assert.match(text, / 21 Nov 2026, 12:00 E‑mail: invitation – put into the outbox /);
  assert.equal(html.split(">Try again now<").length, 2);
  const path = await personPath(service.browser, ADA.email);
  const retried = await service.browser.submit(path, fieldsOf(html, "Try again now"));
  assert.match(retried.html, /role="status">The e‑mail is tried again now\./);
  assert.match(textOf(retried.html), /E‑mail with the invitation tried again operator/);
  assert.doesNotMatch(retried.html, /has not accepted/);
  await failForNow(service, { tries: 1, dueAt: START + 60_000 });
  assert.match(
    textOf((await openPerson(service.browser, ADA.email)).html),
    /room there\. It was not accepted either when operator tried it again at 21 Nov 2026, 12:00\. The next try comes by itself in 60 seconds, and the last one at /,
  );
  await failForNow(service, { putAgainAt: START + HOUR });
  assert.doesNotMatch(
    (await openPerson(service.browser, ADA.email)).html,
    /not accepted either/,
    "the operator tried an earlier e-mail of this kind",
  );
});

Deno.test("personPage says that the next try of an e-mail is the last one, in English and in German", async () => {
  await using service = await startDelayed({ tries: 7 });
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(html),
    /mailbox full [^.]+\. [^.]+\. The next try, at 21 Nov 2026, 14:00, is the last one\./,
  );
  const german = { headers: { "Accept-Language": "de" } };
  assert.match(
    textOf((await openPerson(service.browser, ADA.email, german)).html),
    /hat die E‑Mail mit der Einladung noch nicht angenommen: 452 [^:]+:00 ist der letzte\./,
  );
});

Deno.test("personPage offers no button for an e-mail that was not accepted yet when the next try is soon, and says so, or to a viewer", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startDelayed({}, { OPERATOR_KEYS: `vera:viewer=${key}` });
  const shown = await openPerson(await signIn(service, key), ADA.email);
  assert.match(shown.html, /has not accepted the e‑mail with the invitation yet/);
  assert.doesNotMatch(shown.html, />Try again now</);
  await failForNow(service, { dueAt: START + 60_000 });
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(html),
    /room there\. The next try comes by itself in 60 seconds, and the last one at 23 Nov 2026, /,
  );
  assert.doesNotMatch(html, />Try again now</);
  assert.doesNotMatch(shown.html, /comes by itself/);
});

/** Rejects the only item of Ada for good, and lets it wait for a new try, as the worker does after three rejections. */
async function rejectAndRequeue({ kv, clock }: ConsoleService, reason: string, dueAt: number) {
  const entry = await onlyItem(kv, ADA.email);
  const store = createOutboxStore(kv);
  const at = clock.now;
  const refused = { queue: "refused", placedAt: at, dueAt: at, reason } as const;
  await store.postpone(entry, { ...entry.item, tries: 1, ...refused });
  await store.requeue([entry.id], (item) => ({ ...item, dueAt }));
}

Deno.test("personPage says that a waiting e-mail was rejected, what to do and when the next try is, while the new try waits", async (t) => {
  const cases: [string, string, number, RegExp][] = [
    [
      "the address, soon",
      "550 5.1.1 no such mailbox",
      START + 240_000,
      /has rejected the e‑mail [^:]+: 550 5\.1\.1 no such mailbox Rejected at 21 Nov 2026, 12:00\. Correct the address if it is wrong\. The next try comes by itself in 4 minutes, and the last one at [^.]+\. Correct the address … Mark /,
    ],
    [
      "the address, later",
      "550 5.1.1 no such mailbox",
      START + HOUR,
      /if it is wrong\. The next try is at 21 Nov 2026, 13:00, [^.]+\. Correct the address … Try again now Mark /,
    ],
    [
      "the sender",
      "550 5.7.1 not wanted",
      START + HOUR,
      /12:00\. Mend what the answer names, such as [^.]+ before the next try\. The next try is [^.]+\. Try again now Correct the address … Mark /,
    ],
  ];
  for (const [name, answer, dueAt, text] of cases) {
    await t.step(name, async () => {
      await using service = await startWithAda(WITH_MAIL);
      await rejectAndRequeue(service, answer, dueAt);
      const { html } = await openPerson(service.browser, ADA.email);
      assert.match(textOf(html), text);
      assert.match(textOf(html), / Unconfirmed E‑mail rejected /);
      assert.doesNotMatch(html, /has not accepted|E‑mail waits|>Send the confirmation again/);
      assert.equal(html.split("Correct the address …<").length, 2);
    });
  }
});

Deno.test("personPage does not offer another confirmation while the mail server has not accepted the confirmation yet", async () => {
  await using service = await startWithAda(WITH_MAIL);
  await failForNow(service, { dueAt: START + 25 * HOUR });
  service.clock.now += 24 * HOUR;
  const { html } = await openPerson(await signIn(service), ADA.email);
  assert.match(
    html,
    /has not accepted the e‑mail yet that asks this person to confirm: <small>452/,
  );
  assert.doesNotMatch(html, />Send the confirmation again|cannot be sent again/);
});

Deno.test("personPage keeps the reason of a delayed e-mail while all e-mails are paused, and names no next try", async () => {
  await using service = await startDelayed();
  const pause = { at: START, reason: "421 busy", causedBy: [], delayOf: () => HOUR };
  await createMailState(service.kv).pause(pause);
  await signUp(service, "bo@example.com");
  const before = textOf((await openPerson(await signIn(service), ADA.email)).html);
  assert.match(
    before,
    /The next try is at 21 Nov 2026, 14:00, and .+ If the pause of all e‑mails still goes on then, the next try comes later\. Correct .+ E‑mail waiting to be sent, next try: 21 Nov 2026, 14:00 /,
  );
  service.clock.now += 3 * HOUR;
  await createMailState(service.kv).pause({ ...pause, at: service.clock.now });
  const { html } = await openPerson(await signIn(service), ADA.email);
  assert.match(html, /has not accepted [^]+<small>452/);
  assert.match(
    html,
    /<p>The e‑mail is tried again after the pause of all e‑mails\. The pause lasts at least until 21 Nov 2026, 16:00;/,
  );
  assert.match(textOf(html), /E‑mail waiting, to be tried after the pause of all e‑mails /);
  assert.doesNotMatch(html, /the last one at|>Try again now</);
  const invite = await service.browser.open("/operator/invite/");
  assert.match(invite.html, /class="warning">All e‑mails have been paused since /);
});

Deno.test("personPage does not say that an e-mail is tried again that is not sent, or is being tried for the first time", async (t) => {
  const acts: Record<string, (service: ConsoleService) => Promise<unknown>> = {
    "the wave is paused": ({ operate }) => operate("/waves/first/pause", {}),
    "the address is undeliverable": ({ operate }) =>
      operate("/signups/undeliverable", { emails: [ADA.email] }),
    "the e-mail is due": async ({ clock }) => await Promise.resolve(clock.now += 2 * HOUR),
    "the first try is under way": async ({ kv }) => {
      const entry = await onlyItem(kv, ADA.email);
      const { reason: _reason, ...item } = entry.item;
      const claimed = { ...item, tries: 1, dueAt: START + 60_000 };
      await createOutboxStore(kv).postpone(entry, claimed);
    },
  };
  for (const [name, act] of Object.entries(acts)) {
    await t.step(name, async () => {
      await using service = await startDelayed();
      await act(service);
      const { status, html } = await openPerson(await signIn(service), ADA.email);
      assert.equal(status, 200);
      assert.doesNotMatch(html, /has not accepted/);
    });
  }
});

Deno.test("personPage says that a waiting e-mail is not sent while the address is marked as undeliverable", async () => {
  await using service = await startDelayed();
  await service.operate("/signups/undeliverable", { emails: [ADA.email] });
  const text = textOf((await openPerson(service.browser, ADA.email)).html);
  const notSent = "waiting, but not sent while no e‑mails go to the address";
  assert.ok(text.includes(`E‑mail ${notSent} Invitation code`), text);
  assert.ok(text.includes(` Invitation 21 Nov 2026, 12:00 ${notSent}; failed tries: 4 `), text);
  assert.doesNotMatch(text, /next try:/);
});
