import assert from "node:assert/strict";
import { createProductClient } from "../../../shared/api_client.ts";
import { assertListsAgree } from "../../support/lists.ts";
import {
  assertRefused,
  importPeople,
  type OperatedService,
  OPERATOR_KEY,
  readAudit,
  refusalOf,
  startOperatedService,
} from "../../support/operator.ts";
import { openPerson, signIn } from "../../support/console.ts";
import { BASE_URL, withEvents } from "../../support/service.ts";
import { listAll } from "../../support/memory_kv.ts";
import { recordOf } from "../../support/records.ts";

const ADA = {
  email: "ada@example.com",
  consentedAt: "2026-05-01T09:30:00Z",
  state: "invited",
  invitedAt: "2026-11-21T10:00:20Z",
  invitationCode: "a".repeat(32),
  wave: "first",
};
const BO = { ...ADA, email: "bo@example.com", invitationCode: "b".repeat(32) };
const CODE = ADA.invitationCode;

const PRODUCT_KEY = `product-${OPERATOR_KEY}`;

async function start(...people: object[]): Promise<OperatedService> {
  const service = await startOperatedService({
    ...withEvents(),
    OPERATOR_KEYS: `shop:product=${PRODUCT_KEY}`,
  });
  await importPeople(service, people);
  return service;
}

/** The typed client of a product, which calls the service. */
const clientOf = (service: OperatedService, key = PRODUCT_KEY) =>
  createProductClient({
    baseUrl: BASE_URL,
    key,
    fetch: async (input) => {
      const request = new Request(input);
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      return await service.request(pathname + search, {
        method,
        headers,
        body: await request.text(),
      });
    },
  });

Deno.test("redeem() of createProductClient() redeems an invitation once, and a repeated call gets the same answer", async (t) => {
  await using service = await start(ADA, BO);
  const { check, redeem } = clientOf(service);
  const invited = {
    state: "invited",
    email: ADA.email,
    lang: "en",
    invitedAt: "2026-11-21T10:00:20.000Z",
  };
  assert.deepEqual((await check(CODE)).data, invited);
  const accepted = {
    ...invited,
    state: "accepted",
    acceptedAt: "2026-11-21T12:00:20.000Z",
    reference: "user-1",
  };
  const reference = "user-1";
  for (const email of [undefined, ADA.email, "Ada@Example.com"]) {
    await t.step(`${email}`, async () => {
      const { data, error } = await redeem(CODE, { reference, ...email && { email } });
      assert.deepEqual(data, accepted, error?.message);
    });
  }
  assert.deepEqual((await check(CODE)).data, accepted);

  const other = await redeem(CODE, { reference: "user-2" });
  assert.ok(other.error?.kind === "refused");
  assert.deepEqual([other.error.status, other.error.code], [409, "conflict"]);
  for (const [code, email] of [["c".repeat(32)], [CODE, BO.email], [CODE.slice(1)]] as const) {
    await t.step(`${code} ${email}`, async () => {
      const { error } = await check(code, email === undefined ? {} : { email });
      assert.ok(error?.kind === "refused");
      assert.deepEqual([error.status, error.code], [404, "not_found"]);
    });
  }

  const { states, funnel } = await (await service.operate("/overview")).json();
  assert.deepEqual(states, { unconfirmed: 0, waiting: 0, invited: 1, accepted: 1 });
  assert.deepEqual(funnel, { invited: 2, accepted: 1, medianSeconds: 7511 });
  await assertListsAgree(service.kv);
  const verified = await (await service.operate("/counters/verify", {})).text();
  assert.match(verified, /"agrees":true/);
});

Deno.test("redeemInvitation writes one event and one audit entry for each person", async () => {
  await using service = await start(ADA);
  const { redeem } = clientOf(service);
  const calls = Array.from({ length: 4 }, (_, n) => redeem(CODE, { reference: `user-${n % 2}` }));
  const results = await Promise.all(calls);
  assert.equal(results.filter(({ data }) => data).length, 2);
  const events = (await listAll<{ message: object }>(service.kv, { prefix: ["outbox"] }))
    .map(({ value: { message } }) => JSON.stringify(message));
  assert.equal(events.length, 1);
  assert.match(events[0]!, /"event":"signup\.accepted".+"reference":"user-[01]"/);
  const log = (await readAudit(service)).filter(({ action }) => action === "redeemInvitation");
  assert.deepEqual(log.map(({ operator }) => operator), ["shop"]);
  assert.match(log[0]?.address ?? "", /^[\w-]{43}$/);
  assert.ok(!JSON.stringify(log).includes(CODE));
});

Deno.test("renewInvitation makes an expired invitation code valid again, and only operators may call it", async () => {
  await using service = await start({ ...ADA, expiresAt: "2026-11-21T12:00:20Z" });
  const { redeem } = clientOf(service);
  const expired = await redeem(CODE, { reference: "user-1" });
  assert.ok(expired.error?.kind === "refused");
  assert.deepEqual([expired.error.status, expired.error.code], [410, "expired"]);
  const path = "/invitations/renew";
  const past = service.operate(path, { code: CODE, expires: "2026-11-21T12:00:20Z" });
  assert.match(
    await refusalOf(past),
    /^400 invalid_request: Field 'expires' is '2026.+ahead of now/,
  );
  const body = { code: CODE, expires: "2026-11-22T13:00:00+01:00" };
  const headers = { Authorization: `Bearer ${PRODUCT_KEY}`, "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  assert.equal((await service.request(`/operator/v1${path}`, init)).status, 403);
  const renewed = await (await service.operate(path, body)).json();
  assert.deepEqual([renewed.state, renewed.expiresAt], ["invited", "2026-11-22T12:00:00.000Z"]);
  assert.equal((await redeem(CODE, { reference: "user-1" })).data?.state, "accepted");
});

Deno.test("redeemInvitation asks for the address when several people were imported with the same invitation code", async () => {
  await using service = await start(ADA, { ...BO, invitationCode: CODE });
  const { redeem } = clientOf(service);
  assert.match(
    (await redeem(CODE, { reference: "u" })).error?.message ?? "",
    /several people; give/,
  );
  const { data } = await redeem(CODE, { reference: "u", email: BO.email });
  assert.equal(data?.email, BO.email);
});

Deno.test("redeemInvitation refuses the code of an erased person", async () => {
  await using service = await start(ADA);
  await service.operate("/signups/erase", { email: ADA.email });
  const { error } = await clientOf(service).check(CODE);
  assert.match(error?.message ?? "", /No invitation has this code/);
  await assertListsAgree(service.kv);
});

Deno.test("redeemInvitation names the field when the body is wrong", async () => {
  await using service = await start(ADA);
  await assertRefused(service, "/invitations/redeem", [
    [{ code: CODE }, /^Field 'reference'/],
    [{ code: CODE, reference: "" }, /^Field 'reference'.+1 to 200 characters/],
    [{ code: CODE, reference: "x".repeat(201) }, /^Field 'reference'/],
    [{ code: "", reference: "x" }, /^Field 'code'/],
    [{ code: CODE, reference: "x", email: "nobody" }, /^Field 'email'/],
    [{ code: CODE, reference: "x", name: "Ada" }, /name/],
  ]);
});

Deno.test("createProductClient() throws an error with the option's name when baseUrl is malformed or key is empty", () => {
  const good = { baseUrl: "https://waitlist.example", key: "k" };
  assert.throws(() => createProductClient({ ...good, baseUrl: "localhost:8000" }), /baseUrl is/);
  assert.throws(() => createProductClient({ ...good, key: "" }), /key is missing/);
});

Deno.test("overviewPage shows the number of acceptances, and personPage shows a person's acceptance", async (t) => {
  await using service = await start({ ...ADA, expiresAt: "2026-12-01T00:00:00Z" }, BO);
  await clientOf(service).redeem(CODE, { reference: "user-1842" });
  const browser = await signIn(service);
  const { html } = await browser.open("/operator/");
  assert.match(html, /<dt>Accepted<\/dt><dd><a [^>]+>1<\/a> \(50\.0%\)<\/dd>/);
  assert.match(html, /<dt>Half of them within<\/dt><dd>2 hours<\/dd>/);
  const person = await openPerson(browser, ADA.email);
  for (
    const shown of ["user-1842", "Accepted the invitation", ">shop<", 'class="badge accepted"']
  ) {
    await t.step(shown, () => {
      assert.ok(person.html.includes(shown));
    });
  }
  const german = await browser.open("/operator/", { headers: { "Accept-Language": "de" } });
  assert.match(german.html, /<dt>Die Hälfte davon binnen<\/dt><dd>2 Stunden<\/dd>/);
});

Deno.test("join() of createProductClient() signs visitors up, and the service counts each request against the visitor's own request limit", async () => {
  await using service = await start();
  const { join } = clientOf(service);
  const remaining = async (clientAddress: string) => {
    const signUp = { email: "visitor@example.com", consent: true };
    const { data, headers, error } = await join(signUp, {
      clientAddress,
      referralCode: "Abc1234567",
      campaign: { utmSource: "shop" },
    });
    assert.deepEqual(data, { accepted: true }, error?.message);
    return headers?.get("RateLimit-Remaining");
  };
  assert.equal(await remaining("203.0.113.7"), "29");
  assert.equal((await recordOf(service.kv, "visitor@example.com")).utmSource, "shop");
  assert.equal(await remaining("203.0.113.8"), "29");
  assert.equal(await remaining("203.0.113.7"), "28");
  const { error } = await join({ email: "visitor", consent: true }, {
    clientAddress: "203.0.113.9",
  });
  assert.equal(error?.kind, "refused");
});
