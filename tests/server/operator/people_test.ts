import assert from "node:assert/strict";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import { addConsentText } from "../../../server/store/people/consent_texts.ts";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";
import type { SignupPage } from "../../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { openPerson, signIn } from "../../support/console.ts";
import { nth, storeWaiting } from "../../support/invitations.ts";
import {
  assertRefused,
  call,
  importPeople,
  lastLineOf,
  readNdjson,
  refusalOf,
  startOperatedService,
  test,
  withoutPlaceUrls,
} from "../../support/operator.ts";
import { listAll } from "../../support/memory_kv.ts";
import { join, onlyItem } from "../../support/outbox.ts";
import {
  changeRecord,
  everyEntry,
  OUTBOX,
  storedSignUps,
  storeSignUp,
} from "../../support/records.ts";
import {
  createTestClient,
  form,
  getAccessToken,
  signUp,
  START,
  WITH_MAIL,
} from "../../support/service.ts";
import { STATS_SCOPE } from "../../../server/oauth/clients.ts";

const AT = new Date(START).toISOString();

const DAY = 24 * 3_600_000;

const emailsOf = ({ people }: SignupPage) => people.map(({ email }) => email);

test("listSignups names the last letter that was refused and that the person needs", async ({ kv, operate }) => {
  await storeWaiting(kv, 2, () => ({ state: "invited" }));
  await changeRecord(kv, nth(0), (record) => ({
    record: { ...record, lastLetters: { invitation: { putAt: AT, refusedAt: AT } } },
  }));
  const { people } = await (await operate("/signups/list", {})).json();
  assert.deepEqual(people.map(({ refusedLetter = "none" }) => refusedLetter), [
    "invitation",
    "none",
  ]);
});

test("listSignups says when and why the mail server refused the letter that it names", async ({ kv, operate }) => {
  await storeWaiting(kv, 2, () => ({ state: "invited" }));
  const refused = { putAt: AT, refusedAt: AT };
  for (const [n, answer] of [[0, { answer: "550 no such mailbox" }], [1, {}]] as const) {
    await changeRecord(kv, nth(n), (record) => ({
      record: { ...record, lastLetters: { invitation: { ...refused, ...answer } } },
    }));
  }
  const { people }: SignupPage = await (await operate("/signups/list", {})).json();
  assert.deepEqual(people.map(({ refusal }) => refusal), [
    { at: AT, answer: "550 no such mailbox" },
    { at: AT },
  ]);
});

Deno.test("listSignups marks people to whom a letter waits, and leaves new letters in their common entry", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const { kv, operate } = service;
  const addresses = ["ada", "bo", "cy", "dan"].map((name) => `${name}@example.com`);
  await storeWaiting(kv, 1);
  await join(kv, addresses, { ...OUTBOX, sendsEvents: false });
  const marked = async () => {
    const { people }: SignupPage = await (await operate("/signups/list", {})).json();
    return people.flatMap(({ email, letterWaits }) => letterWaits ? email : []);
  };
  const newLetters = () => listAll(kv, { prefix: ["new_letters"] });
  const before = await newLetters();
  assert.deepEqual(await marked(), addresses);
  assert.equal(before.length, 1);
  assert.deepEqual(await newLetters(), before);
  const [ada, bo] = await Promise.all(addresses.map((email) => onlyItem(kv, email)));
  const store = createOutboxStore(kv);
  await store.complete(ada!, START, {});
  await store.postpone(bo!, { ...bo!.item, queue: "refused", tries: 1, reason: "550" });
  await changeRecord(kv, addresses[2]!, (record) => ({
    record: { ...record, undeliverableAt: AT },
  }));
  assert.deepEqual(await marked(), [addresses[3]]);
});

test("listSignups returns people page by page, in the form of the export", async ({ kv, operate }) => {
  await storeWaiting(kv, 5, (n) => n === 4 ? { state: "invited" } : {});
  const list = async (body: object) => await (await operate("/signups/list", body)).json();
  const first = await list({ state: "waiting", limit: 3 });
  assert.deepEqual(emailsOf(first), [0, 1, 2].map(nth));
  const [{ placeUrl, id, ...person }] = first.people;
  assert.match(placeUrl, /^https:\/\/waitlist\.test\/place\/\?t=/);
  const { imported: _, ...stored } = (await storedSignUps(kv))[nth(0)]!;
  assert.deepEqual(person, { email: nth(0), ...stored });
  assert.deepEqual([first.count, first.searched], [4, undefined]);
  const byId = await (await operate("/signups/show", { id })).json();
  assert.deepEqual([byId.email, byId.id], [nth(0), id]);
  const second = await list({ state: "waiting", limit: 3, after: first.next });
  assert.deepEqual(emailsOf(second), [nth(3)]);
  assert.equal(second.next, undefined);
  const found = await list({ search: nth(4).toUpperCase(), withPlaceUrl: false });
  const [{ state, placeUrl: none }] = found.people;
  assert.deepEqual([state, none, found.people.length], ["invited", undefined, 1]);
  const part = await list({ search: "@EXAMPLE", since: "2026-01-01", limit: 4 });
  const { createdAt } = part.people[3];
  assert.deepEqual([part.searched, part.count], [{ hits: 4, until: createdAt }, undefined]);
  assert.deepEqual(part.next, { createdAt, email: nth(3), hits: 4 });
  const rest = await list({ search: "@EXAMPLE", limit: 4, after: part.next });
  const until = rest.people[0].createdAt;
  assert.deepEqual([emailsOf(rest), rest.searched], [[nth(4)], { hits: 5, until }]);
});

test("listSignups refuses filters with unknown names or wrong values", async (service) => {
  await assertRefused(service, "/signups/list", [
    [
      { search: "ad" },
      /^Field 'search' is 'ad'; give a part of an address, of 3 to 254 characters/,
    ],
    [{ search: " ad " }, /^Field 'search' is ' ad '; give a part of an address/],
    [{ contains: "ada" }, /'contains'/],
    [{ mark: true }, /^Field 'mark' is true; give 'undeliverable' or 'complained'/],
    [{ order: "first" }, /^Field 'order' is 'first'; give 'oldest' or 'newest'/],
    [{ wave: "a b" }, /^Field 'wave' is 'a b'; give the id of a wave/],
    [{ since: "May" }, /^Field 'since' is 'May'; give a UTC date such as/],
    [
      { state: "gone" },
      /^Field 'state' is 'gone'; give 'unconfirmed', 'waiting', 'invited' or 'accepted'/,
    ],
    [{ withPlaceUrl: "no" }, /^Field 'withPlaceUrl' is 'no'; give true or false/],
    [{ limit: 501 }, /^Field 'limit' is 501; give a whole number from 1 to 500/],
    [{ after: nth(0) }, /^Field 'after' is '.+'; give the 'next' of the page before it/],
    [{ after: { createdAt: "now", email: nth(0) } }, /^Field 'after.createdAt' is 'now'; give the/],
  ]);
});

test(
  "showSignup finds a person by id, also after the address was corrected",
  async ({ kv, operate }, t) => {
    await storeWaiting(kv, 2);
    const show = async (body: object) => await operate("/signups/show", body);
    const { id } = await (await show({ email: nth(0) })).json();
    await operate("/signups/correct", { email: nth(0), newEmail: "ada@example.com" });
    assert.equal((await (await show({ id })).json()).email, "ada@example.com");
    const nobody = await refusalOf(show({ id: "a".repeat(22) }));
    assert.match(nobody, /^404 not_found: Nobody on the waitlist has this id/);
    for (const body of [{}, { id, email: nth(1) }]) {
      await t.step(JSON.stringify(body), async () => {
        const message = "Give either 'email', an address, or 'id', that of a record.";
        assert.equal(await refusalOf(show(body)), `400 invalid_request: ${message}`);
      });
    }
  },
);

test("remindSignups is refused when MAIL_URL is not set, or when the body has neither or both of 'emails' and 'all'", async (service) => {
  const refusal = await refusalOf(service.operate("/signups/remind", { all: true }));
  assert.match(refusal, /^409 conflict: The service sends no e-mails, as MAIL_URL is not set/);
  await assertRefused(service, "/signups/remind", [
    [{}, /^Give either 'emails'/],
    [{ emails: [nth(0)], all: true }, /^Give either 'emails'/],
  ]);
});

Deno.test("remindSignups reminds the given people to confirm, and returns the addresses that get no reminder", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await signUp(service, "ada@example.com");
  service.clock.now += DAY;
  const emails = ["ADA@example.com", "nobody@example.com"];
  assert.deepEqual(await readNdjson(await service.operate("/signups/remind", { emails })), [
    { progress: 1 },
    { notReminded: { email: "nobody@example.com", reason: "unknown" } },
    { complete: true, reminded: 1, notReminded: 1 },
  ]);
});

Deno.test("showSignup and personPage have the place in line of a waiting person, also if PLACE_IN_LINE is off, and of nobody else", async () => {
  await using service = await startOperatedService({ PLACE_IN_LINE: "off" });
  const at = (n: number) => ({ createdAt: new Date(START + n).toISOString() });
  await storeBulk(service.kv, [
    bulkSignUp("ada", at(0)),
    bulkSignUp("bo", at(1)),
    bulkSignUp("cy", { ...at(2), state: "unconfirmed" }),
  ]);
  const placeOf = async (email: string) =>
    (await (await service.operate("/signups/show", { email })).json()).place;
  assert.equal(await placeOf("bo@example.com"), 2);
  assert.equal(await placeOf("cy@example.com"), undefined);
  const { html } = await openPerson(await signIn(service), "bo@example.com");
  assert.match(html, /<dt>Place in line<\/dt><dd>2<\/dd>/);
});

Deno.test("showSignup returns the time from which an unconfirmed person can be asked again to confirm", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const email = "ada@example.com";
  await signUp(service, email);
  const asked = service.clock.now;
  const next = async () =>
    (await (await service.operate("/signups/show", { email })).json()).nextReminder;
  assert.equal(await next(), new Date(asked + DAY).toISOString());
  service.clock.now += 2 * DAY;
  assert.equal(await next(), new Date(service.clock.now).toISOString(), "at once");
  await service.operate("/signups/undeliverable", { emails: [email] });
  assert.equal(await next(), undefined);
});

Deno.test("showSignup returns when an unconfirmed person is erased without a confirmation, unless the service sends no letters", async () => {
  const email = "ada@example.com";
  const expiryOf = async (variables: object) => {
    await using service = await startOperatedService(variables);
    await importPeople(service, [{
      email,
      consentedAt: new Date(START).toISOString(),
      state: "unconfirmed",
    }]);
    return (await (await service.operate("/signups/show", { email })).json()).confirmBy;
  };
  const expiry = new Date(START + 3 * DAY).toISOString();
  assert.equal(await expiryOf({ ...WITH_MAIL, UNCONFIRMED_DAYS: "3" }), expiry);
  assert.equal(await expiryOf({ UNCONFIRMED_DAYS: "3" }), undefined);
});

test("eraseSignups only counts people in a dry run, and otherwise erases the people with the given state and age", async (service) => {
  await storeWaiting(service.kv, 3, (n) => n > 0 ? { state: "unconfirmed" } : {});
  const body = { state: "unconfirmed", before: new Date(START - 90_000).toISOString() };
  const entries = await everyEntry(service.kv);
  const erase = (body: object) => lastLineOf(service, "/signups/erase-by-state", body);
  assert.deepEqual(await erase({ ...body, dryRun: true }), { complete: true, erased: 1 });
  assert.deepEqual(await everyEntry(service.kv), entries);
  assert.deepEqual(await erase(body), { complete: true, erased: 1 });
  const left = Object.keys(await storedSignUps(service.kv)).toSorted();
  assert.deepEqual(left, [nth(0), nth(2)].toSorted());
  const wrong = { ...body, before: "May" };
  await assertRefused(service, "/signups/erase-by-state", [[
    wrong,
    /^Field 'before' is 'May'; give/,
  ]]);
});

test("showSignup returns the wording of the consent, and what became of the last letters", async ({ kv, operate }) => {
  const wording = { lang: "en" as const, text: "I agree to one e-mail from Example Company." };
  await addConsentText(kv, wording);
  const proof = { requestedAt: AT, consentText: consentTextId(wording), confirmedAt: AT };
  const lastLetters = {
    confirmation: { putAt: AT, takenAt: AT, answer: "250 OK", messageId: "<1@w>" },
  };
  await storeBulk(kv, [bulkSignUp("ada", { proof }), bulkSignUp("bo")]);
  await changeRecord(kv, "bo@example.com", (record) => ({ record: { ...record, lastLetters } }));
  const show = async (email: string) => await (await operate("/signups/show", { email })).json();
  const ada = await show("ada@example.com");
  assert.deepEqual({ proof: ada.proof, wording: ada.wording }, { proof, wording });
  const { wording: none, placeUrl, lastLetters: shown } = await show("bo@example.com");
  assert.equal(none, undefined);
  assert.deepEqual(shown, lastLetters);
  assert.match(placeUrl, /^https:\/\/waitlist\.test\/place\/\?t=/);
});

test("showSignup, the self-service page and the download of a person's data have the last import, and lists and exports do not", async (service) => {
  const email = "ada@example.com";
  const consentedAt = "2024-05-01T09:30:00.000Z";
  await importPeople(service, [{ email, consentedAt }]);
  const imported = { at: new Date(START).toISOString(), createdAt: consentedAt, consentedAt };
  const shown = await call(service, "/signups/show", { email });
  assert.deepEqual(shown.imported, { ...imported, operator: "operator" });

  const t = new URL(shown.placeUrl).searchParams.get("t") ?? "";
  const data = await (await service.request("/place/data", form({ t }))).json();
  assert.deepEqual(data.imported, imported);
  const page = await (await service.request(`/place/?t=${t}`)).text();
  assert.match(page, /<dd>You signed up, according to a file that we imported<[^]+<dd>We imported/);
  assert.doesNotMatch(page, /<dd>You signed up</);

  const { people: [person] } = await call(service, "/signups/list", {});
  assert.equal("imported" in person, false);
  const lines = await readNdjson(await service.operate("/signups/export", {}));
  assert.ok(lines.every((line) => !JSON.stringify(line).includes("imported")));
});

const ADA = "ada@example.com";

test("eraseSignup removes a person from records and statistics, and showSignup then returns the time of the erasure", async (service) => {
  const token = await getAccessToken(service, await createTestClient(service, [STATS_SCOPE]));
  const total = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await (await service.request("/api/v1/waitlist/stats", { headers })).json()).total;
  };
  await signUp(service, ADA, { source: "hero", lang: "de" });
  assert.equal(await total(), 1);
  const at = "2026-11-21T12:00:20.000Z";
  const times = { createdAt: at, consentedAt: at, updatedAt: at };
  const record = { ...times, lang: "de", source: "hero", state: "waiting" };
  const { id, ...person } = await call(service, "/signups/show", { email: "Ada@Example.COM" });
  assert.match(id, /^[\w-]{22}$/);
  const nothing = { history: [], letterLog: [] };
  assert.deepEqual(withoutPlaceUrls([person]), [{ email: ADA, ...record, place: 1, ...nothing }]);

  const erased = await call(service, "/signups/erase", { email: "ADA@example.com" });
  assert.deepEqual(erased, { outcome: "erased", erasedAt: at });
  assert.equal(await total(), 0);
  const gone = await refusalOf(service.operate("/signups/show", { email: ADA }));
  assert.equal(gone, `404 not_found: The address is not on the waitlist. It was erased at ${at}.`);

  service.clock.now += 60_000;
  const again = await call(service, "/signups/erase", { email: ADA });
  assert.deepEqual(again, { outcome: "erased_before", erasedAt: at });

  assert.equal(await signUp(service, ADA), 200);
  assert.equal((await call(service, "/signups/show", { email: ADA })).email, ADA);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

// Earlier versions took what no sign-up may have now.
test("eraseSignup removes a record whose address has more than 64 characters before the @", async (service) => {
  const email = `${"a".repeat(200)}@example.com`;
  await storeSignUp(service.kv, { email, lang: "en" }, AT);
  assert.equal((await call(service, "/signups/show", { email })).email, email);
  assert.equal((await call(service, "/signups/erase", { email })).outcome, "erased");
  assert.deepEqual(await storedSignUps(service.kv), {});
});

for (const path of ["/signups/show", "/signups/erase"]) {
  test(`${path} answers with a message about the address when the address is unknown or malformed`, async (service) => {
    const unknown = await refusalOf(service.operate(path, { email: ADA }));
    assert.equal(unknown, "404 not_found: The address is not on the waitlist. Check its spelling.");
    const none = [7, "", "ada", "ada@localhost", ` ${ADA}`, "ä@example.com"];
    await assertRefused(service, path, none.map((email) => [{ email }, /^Field 'email' is/]));
    // An address in the path or query is not looked at.
    const absent = /'email' is absent|^Give either 'email'/;
    await assertRefused(service, `${path}?email=${ADA}`, [[{}, absent]]);
  });
}
