import assert from "node:assert/strict";
import type { WouldInvite } from "../../../shared/operator_schemas.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import {
  assertRefused,
  readNdjson,
  refusalOf,
  test,
  withoutPlaceUrls,
} from "../../support/operator.ts";
import { everyEntry } from "../../support/records.ts";

const INVITE = "/signups/invite";

/** A request without letters, which a service without mail takes. */
const REQUEST = { wave: "first", link: LINK, letters: false };

test("inviteSignups invites people, lists the wave, and lists it again when it is asked again", async ({ kv, log, operate }) => {
  await storeWaiting(kv, 3);
  const response = await operate(INVITE, { ...REQUEST, next: 2 });
  const lines = await readNdjson(response);
  const people = lines.filter(({ email }) => email);
  assert.deepEqual(people.map(({ email }) => email), [nth(0), nth(1)]);
  for (const { state, wave, invitedAt, invitationCode, invitationUrl } of people) {
    assert.deepEqual([state, wave, invitedAt], ["invited", "first", "2026-11-21T12:00:20.000Z"]);
    assert.equal(invitationUrl, `https://app.example.com/?code=${invitationCode}`);
  }
  assert.deepEqual(lines.at(-1), { complete: true, wave: "first", invited: 2, notInvited: 0 });

  const again = await readNdjson(await operate(INVITE, { ...REQUEST, next: 2 }));
  assert.deepEqual(withoutPlaceUrls(again.filter(({ email }) => email)), withoutPlaceUrls(people));
  assert.deepEqual(again.at(-1), lines.at(-1));
  assert.ok(!JSON.stringify(log).includes("example.com"), "no address in the log");
});

test("inviteSignups names the people who cannot be invited, and lists nobody in a dry run", async ({ kv, operate }) => {
  await storeWaiting(kv, 1);
  const before = await everyEntry(kv);
  const emails = [nth(0).toUpperCase(), "nobody@example.com"];
  const body = { ...REQUEST, emails, dryRun: true };
  const lines = await readNdjson(await operate(INVITE, body));
  // The lines of an answer have several types; the one before the last names the people.
  const { wouldInvite } = lines.at(-2) as unknown as WouldInvite;
  assert.deepEqual([wouldInvite.email, wouldInvite.state], [nth(0), "waiting"]);
  assert.deepEqual([lines.at(-3), lines.at(-1)], [
    { notInvited: { email: "nobody@example.com", reason: "unknown" } },
    { complete: true, wave: "first", invited: 1, notInvited: 1 },
  ]);
  assert.ok(lines.every(({ email }) => email === undefined));
  assert.deepEqual(await everyEntry(kv), before);
});

test("inviteSignups refuses other parameters of a known wave, and letters without mail, with 409", async (service) => {
  await readNdjson(await service.operate(INVITE, { ...REQUEST, next: 2 }));
  const other = await refusalOf(service.operate(INVITE, { ...REQUEST, next: 3 }));
  const begun = "next 2, link 'https://app.example.com/?code={code}', letters false";
  const known = `The wave 'first' was begun with other parameters: ${begun}.`;
  assert.equal(other, `409 conflict: ${known} Repeat those, or choose another id.`);
  const letters = service.operate(INVITE, { wave: "second", next: 3, link: LINK });
  assert.match(await refusalOf(letters), /^409 conflict: The service sends no letters/);
});

test("inviteSignups refuses a body that does not say whom to invite, or to what", async (service) => {
  const before = await everyEntry(service.kv);
  await assertRefused(service, INVITE, [
    [{ ...REQUEST }, /^Give either 'next'/],
    [{ ...REQUEST, next: 1, emails: [nth(0)] }, /^Give either 'next'/],
    [{ ...REQUEST, emails: [nth(0)], lang: "de" }, /^Field 'lang' goes with 'next' only/],
    [{ ...REQUEST, next: 0 }, /^Field 'next' is 0; give a whole number/],
    [{ ...REQUEST, emails: [] }, /^Field 'emails' is \[\]; give a list of 1 to 1,000/],
    [{ ...REQUEST, next: 1, wave: "a b" }, /^Field 'wave' is 'a b'; give 1 to 64/],
    [{ ...REQUEST, next: 1, link: "http://a.example/" }, /^Field 'link' is '.+; give an https:/],
    [{ ...REQUEST, next: 1, link: undefined }, /^Field 'link' is absent/],
    [{ ...REQUEST, next: 1, source: "news" }, /^Field 'source' is 'news'; give 'hero' or 'cta'/],
    [{ ...REQUEST, next: 1, role: "A" }, /^Field 'role' is 'A'; give a slug/],
  ]);
  assert.deepEqual(await everyEntry(service.kv), before);
});
