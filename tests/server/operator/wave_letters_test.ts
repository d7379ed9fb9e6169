/** What the report of a wave says about its letters: those that came back, are sent again or wait for a later try. */
import assert from "node:assert/strict";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { ShownSignup, WaveReport } from "../../../shared/operator_schemas.ts";
import { backup, restore } from "../../support/backups.ts";
import { openPerson, signIn } from "../../support/console.ts";
import { textOf } from "../../support/console_forms.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { logOf } from "../../support/letter_log.ts";
import { reportLetter, SECRET } from "../../support/mail_hooks.ts";
import { call, type OperatedService, startOperatedService } from "../../support/operator.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const WAVES = "/waves";

const show = (service: OperatedService, wave = "first") =>
  call<WaveReport>(service, `${WAVES}/${wave}`);

/** Starts a service, and invites `count` people in a wave with letters. */
async function startWithWave(count: number): Promise<OperatedService> {
  const service = await startOperatedService({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  await storeWaiting(service.kv, count);
  await call(service, WAVES, { wave: "first", next: count, link: LINK });
  return service;
}

/** The invitations that wait, in the order of their people's sign-ups. */
async function waitingLetters({ kv }: OperatedService) {
  const items = await readFirstItems(kv, "invitations", { limit: 500 });
  const numberOf = (email: string) => Number(email.slice(email.indexOf("-") + 1).split("@")[0]);
  return items.toSorted((a, b) => numberOf(a.item.email) - numberOf(b.item.email));
}

Deno.test("showWave counts the letters that the mail provider reported, as many as the log lists, and no others", async () => {
  await using service = await startWithWave(4);
  const outbox = createOutboxStore(service.kv);
  /** The count of the wave, which must be the number of letters in the log. */
  async function cameBack() {
    const count = (await show(service)).cameBack;
    const { letters } = await logOf(service, { wave: "first", state: "reported" });
    assert.equal(letters.length, count ?? 0);
    return count;
  }
  const [first, second, third, fourth] = await waitingLetters(service);
  for (const entry of [first!, second!, third!]) await outbox.complete(entry, START);
  await outbox.refuseRecipient(fourth!, { at: START, reason: "550 5.1.1" });
  assert.equal(await cameBack(), undefined, "a letter that was refused did not come back");

  await call(service, "/signups/undeliverable", { emails: [nth(2)] });
  assert.equal(await cameBack(), undefined, "an operator has marked this address");
  await reportLetter(service, "mail.bounced", nth(0));
  await reportLetter(service, "mail.complained", nth(1));
  assert.equal(await cameBack(), 2);
  await reportLetter(service, "mail.complained", nth(0));
  assert.equal(await cameBack(), 2, "this letter counts once");
  service.clock.now += 1_000;
  await call(service, "/signups/deliverable", { emails: [nth(0)] });
  await call(service, "/signups/correct", { email: nth(0), newEmail: "new@example.com" });
  assert.equal(await cameBack(), 2, "a later change does not change the past");
  await call(service, "/signups/erase", { email: nth(1) });
  assert.equal((await show(service)).cameBack, 2, "an erasure does not lower the count");
});

Deno.test("showWave counts the refused letters that a resumed wave sends again", async () => {
  await using service = await startWithWave(4);
  const outbox = createOutboxStore(service.kv);
  const again = async () => (await show(service)).sendableAgain;
  assert.equal(await again(), undefined);
  const [first, ...others] = await waitingLetters(service);
  await outbox.refuseRecipient(first!, { at: START, reason: "550 5.1.1" });
  assert.equal(await again(), undefined, "the address is undeliverable");
  for (const entry of others) {
    await outbox.postpone(entry, { ...entry.item, queue: "refused", dueAt: START });
  }
  assert.equal(await again(), 3);
  await call(service, "/signups/erase", { email: nth(1) });
  await call(service, "/signups/undeliverable", { emails: [nth(2)] });
  assert.equal(await again(), 1);
  await call(service, "/signups/deliverable", { emails: [nth(0)] });
  assert.equal(await again(), 2);
  const { refused } = await show(service);
  assert.equal(refused, 4);

  await call(service, `${WAVES}/first/resume`, undefined, "POST");
  await service.repeatOnce();
  const resumed = await show(service);
  assert.deepEqual([resumed.lettersAgain, resumed.refused, resumed.sendableAgain], [
    2,
    2,
    undefined,
  ]);
});

Deno.test("showSignup names the operator who had the refused letters of a finished wave sent again, and after a pause only of those whose letter was refused", async () => {
  await using service = await startWithWave(3);
  const resume = async () => {
    service.clock.now += 1_000;
    await call(service, `${WAVES}/first/resume`, undefined, "POST");
    await service.repeatOnce();
  };
  const resumptionsOf = async (n: number) => {
    const { history = [] } = await call<ShownSignup>(service, "/signups/show", { email: nth(n) });
    return history.filter(({ action }) => action === "resumeWave")
      .map(({ operator, at, details }) => [operator, Date.parse(at), details]);
  };
  const outbox = createOutboxStore(service.kv);
  const [first, second, third] = await waitingLetters(service);
  await outbox.complete(first!, START);
  for (const entry of [second!, third!]) {
    await outbox.postpone(entry, { ...entry.item, queue: "refused", dueAt: START });
  }
  assert.deepEqual(await resumptionsOf(1), []);
  await resume();
  const entry = ["operator", service.clock.now, { wave: "first", again: true }];
  assert.deepEqual([await resumptionsOf(0), await resumptionsOf(1)], [[], [entry]]);
  const shown = JSON.stringify(await show(service));
  assert.doesNotMatch(shown, /auditOfAgain/);
  const browser = await signIn(service);
  const person = textOf((await openPerson(browser, nth(1))).html);
  assert.match(person, /Invitation sent again, with the rejected e‑mails of the wave operator/);
  const activity = textOf((await browser.open("/operator/activity/")).html);
  assert.match(
    activity,
    /Resumed a wave people: 2 operator wave: first to send its rejected e‑mails again/,
  );

  // After a pause, the letter of the second person only waited, and that of the third person was refused.
  const [, refused] = await waitingLetters(service);
  await outbox.postpone(refused!, { ...refused!.item, queue: "refused", dueAt: START });
  await call(service, `${WAVES}/first/pause`, undefined, "POST");
  const paused = textOf((await browser.open("/operator/invite/wave/?id=first")).html);
  assert.match(paused, /If you let the wave go on, it also sends rejected e‑mails again: 1\./);
  await resume();
  assert.deepEqual(await resumptionsOf(1), [entry]);
  const laterEntry = ["operator", service.clock.now, { wave: "first", again: true }];
  assert.deepEqual(await resumptionsOf(2), [laterEntry, entry]);
});

Deno.test("showSignup names the operator who resumed a restored wave of a person whose letter was refused before the backup", async () => {
  await using service = await startWithWave(2);
  const [refused] = await waitingLetters(service);
  const outbox = createOutboxStore(service.kv);
  await outbox.postpone(refused!, { ...refused!.item, queue: "refused", dueAt: START });
  await using another = await startOperatedService(WITH_MAIL);
  await restore(another, await backup(service));
  await call(another, `${WAVES}/first/resume`, undefined, "POST");
  await another.repeatOnce();
  assert.equal((await show(another)).lettersAgain, 2);
  const resumptionsOf = async (n: number) => {
    const { history = [] } = await call<ShownSignup>(another, "/signups/show", { email: nth(n) });
    return history.filter(({ action }) => action === "resumeWave").map(({ details }) => details);
  };
  assert.deepEqual(await resumptionsOf(0), [{ wave: "first", again: true }]);
  assert.deepEqual(await resumptionsOf(1), [], "this letter only waited");
});

Deno.test("showWave counts no refused letter as sendable again once the invitations have expired or the wave is cancelled", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await storeWaiting(service.kv, 2);
  const expires = new Date(service.clock.now + 60_000).toISOString();
  await call(service, WAVES, { wave: "first", next: 1, link: LINK, expires });
  await call(service, WAVES, { wave: "second", next: 1, link: LINK });
  const outbox = createOutboxStore(service.kv);
  for (const entry of await waitingLetters(service)) {
    await outbox.postpone(entry, { ...entry.item, queue: "refused", dueAt: START });
  }
  assert.equal((await show(service)).sendableAgain, 1);
  service.clock.now += 60_000;
  assert.equal((await show(service)).sendableAgain, undefined);
  assert.equal((await show(service, "second")).sendableAgain, 1);
});

Deno.test("A restored wave keeps the counts of letters that came back and of those that are not sent again", async () => {
  await using old = await startWithWave(3);
  const outbox = createOutboxStore(old.kv);
  const [first, second, third] = await waitingLetters(old);
  await outbox.complete(first!, START);
  await outbox.refuseRecipient(second!, { at: START, reason: "550 5.1.1" });
  await outbox.postpone(third!, { ...third!.item, queue: "refused", dueAt: START });
  await reportLetter(old, "mail.bounced", nth(0));
  await using service = await startOperatedService(WITH_MAIL);
  await restore(service, await backup(old));
  const { cameBack, sendableAgain, refused } = await show(service);
  assert.deepEqual([cameBack, sendableAgain, refused], [1, 1, 2]);
});

Deno.test("showWave says when the next letter is tried again only if all waiting letters of the wave have failed before", async () => {
  await using service = await startWithWave(3);
  const { kv, clock } = service;
  const outbox = createOutboxStore(kv);
  const nextTry = async (wave?: string) => (await show(service, wave)).nextTryAt;
  assert.equal(await nextTry(), undefined, "the letters are due");
  const later = (minutes: number) => clock.now + minutes * 60_000;
  const [first, second, third] = await waitingLetters(service);
  await outbox.complete(first!, START);
  const postpone = (entry: typeof first, minutes: number) =>
    outbox.postpone(entry!, { ...entry!.item, dueAt: later(minutes), reason: "452 4.2.2 full" });
  await postpone(second, 5);
  const claimed = await outbox.claim(third!, { at: clock.now, until: later(5) });
  assert.equal(await nextTry(), undefined, "the third letter is being sent");
  await postpone(claimed, 1);
  assert.equal(await nextTry(), new Date(later(1)).toISOString());
  assert.equal((await show(service)).lettersWaiting, 2);
  const { waves: [listed] } = await call<{ waves: WaveReport[] }>(service, WAVES);
  assert.equal(listed?.nextTryAt, new Date(later(1)).toISOString());
  // A letter is tried for 44 hours and 36 minutes after its first try.
  const lastTryAt = new Date(later(5 + 44 * 60 + 36)).toISOString();
  assert.equal(listed?.lastTryAt, lastTryAt);
  assert.equal((await show(service)).lastTryAt, lastTryAt);

  await storeWaiting(kv, 1, () => ({ email: "other@example.com" }));
  await call(service, WAVES, { wave: "second", emails: ["other@example.com"], link: LINK });
  const [other] = (await waitingLetters(service)).filter(({ item }) =>
    item.email === "other@example.com"
  );
  await postpone(other, 0.5);
  assert.equal(await nextTry(), new Date(later(1)).toISOString());
  assert.equal(await nextTry("second"), new Date(later(0.5)).toISOString());
  clock.now = later(1);
  assert.equal(await nextTry(), undefined, "a letter is due");
});
