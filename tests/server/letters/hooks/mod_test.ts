/** What mail providers report, through the whole service. Signatures are made by others' code. @module */
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { type OperatedService, startOperatedService } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { json, START, WITH_MAIL } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };

const SECRET = `whsec_${btoa("a secret of more than 24 bytes..")}`;
const ADA = "ada@example.com";
const DAY = 24 * 60 * 60 * 1000;

const start = (MAIL_HOOK: string) => startOperatedService({ ...WITH_MAIL, MAIL_HOOK });

const join = (service: OperatedService, email = ADA) =>
  service.request("/api/v1/waitlist", json({ email, consent: true }));

interface Sent {
  id?: string;
  at?: number;
  prefix?: string;
  secret?: string;
}

/** Signs a payload as Standard Webhooks has it, with the standard's own package. */
function sign(
  payload: unknown,
  { id = "msg_1", at = START, prefix = "webhook", secret = SECRET }: Sent = {},
) {
  const body = JSON.stringify(payload);
  const headers = {
    "Content-Type": "application/json",
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(at / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(at), body),
  };
  return { method: "POST", headers, body };
}

const moment = (at: number) => new Date(at).toISOString();

const report = (type: string, data: object = {}, at = START) => ({
  type,
  timestamp: moment(at),
  data: { email: ADA, permanent: true, reason: `550 5.1.1 <${ADA}> is unknown`, ...data },
});

const post = async (service: OperatedService, name: string, init: RequestInit) =>
  (await service.request(`/hooks/mail/${name}`, init)).status;

const auditOf = async ({ operate }: OperatedService) =>
  (await (await operate("/audit")).text()).split("\n").slice(0, -2).map((line) => JSON.parse(line));

Deno.test("createMailHooks() marks a permanent bounce once, with an entry by mail, and counts a temporary one", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  const bounce = sign(report("mail.bounced", { permanent: false }));
  assert.equal(await post(service, "generic", bounce), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  const permanent = sign(report("mail.bounced", { email: "ADA@example.com" }), { id: "msg_2" });
  for (let n = 0; n < 2; n++) assert.equal(await post(service, "generic", permanent), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, moment(START));
  const [entry, ...others] = (await auditOf(service)).filter(({ operator }) => operator === "mail");
  assert.deepEqual(others, []);
  assert.equal(entry.action, "mailBounced");
  assert.match(entry.address, /^[\w-]{43}$/);
  assert.deepEqual(entry.details, { provider: "generic", reason: "550 5.1.1 … is unknown" });

  // A repeat that comes after the person has signed up again changes nothing; after seven days the id is forgotten.
  await join(service);
  assert.equal(await post(service, "generic", permanent), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  service.clock.now += 7 * DAY + 1;
  await service.repeatOnce();
  const late = sign(report("mail.bounced"), { id: "msg_2", at: service.clock.now });
  assert.equal(await post(service, "generic", late), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, moment(START));
});

Deno.test("createMailHooks() takes no unsigned, old, foreign or unfit call, and counts refusals alone", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  const good = report("mail.bounced");
  const other = `whsec_${btoa("another secret of enough bytes.")}`;
  const refused: [number, RequestInit][] = [
    [401, json(good)],
    [401, sign(good, { secret: other })],
    [401, sign(good, { prefix: "svix" })],
    [401, sign(good, { at: START - 301_000 })],
    [401, sign(good, { at: START + 301_000 })],
    [401, { ...sign(good), body: JSON.stringify(report("mail.complained")) }],
    [413, { ...sign(good), body: " ".repeat(65_537) }],
    [405, { method: "GET" }],
  ];
  for (const [status, init] of refused) assert.equal(await post(service, "generic", init), status);
  for (const name of ["resend", "postmark", "generic/", ""]) {
    assert.equal(await post(service, name, sign(good)), 404);
  }
  const fit = ["mail.delivered", "mail.bounced"].map((type) =>
    report(type, { email: "eve@example.com" })
  );
  for (const [n, payload] of [...fit, {}, [], null, { ...good, data: {} }].entries()) {
    assert.equal(await post(service, "generic", sign(payload, { id: `other_${n}` })), 200);
  }
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  for (let n = 0; n < 30; n++) await post(service, "generic", json(good));
  const over = await service.request("/hooks/mail/generic", json(good));
  assert.equal(over.status, 429);
  assert.match(over.headers.get("Retry-After") ?? "", /^\d+$/);
  assert.equal(
    await post(service, "generic", sign(good)),
    200,
    "the provider gets in all the same",
  );
  assert.notEqual((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
});

Deno.test("createMailHooks() asks KV for nothing when calls are forged", async () => {
  let calls = 0;
  const count = <T>(call: () => Promise<T>) => {
    calls++;
    return call();
  };
  const kv = faultyKv(await openMemoryKv(), count, count);
  await using service = await startOperatedService(
    { ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` },
    kv,
  );
  assert.ok(calls > 0);
  calls = 0;
  const forged = sign(report("mail.complained"), { secret: `whsec_${btoa("x".repeat(32))}` });
  for (let n = 0; n < 200; n++) await service.request("/hooks/mail/generic", forged);
  assert.equal(calls, 0);
});

Deno.test("a complaint ends all letters, outlives erasure, and only the operator lifts it", async () => {
  await using service = await start(`generic:${SECRET}`);
  const due = async () => (await (await service.operate("/overview")).json()).outbox.due;
  const lift = async (email: string) =>
    (await service.operate("/signups/deliverable", { emails: [email] })).json();
  const isKept = async () => (await storedSignUps(service.kv))[ADA]?.complainedAt;
  await join(service);
  assert.equal(await due(), 1);
  await service.operate("/signups/erase", { email: ADA });
  assert.equal(await due(), 0);
  assert.equal(await post(service, "generic", sign(report("mail.complained"))), 200);
  service.clock.now += 40 * DAY;
  await service.repeatOnce();
  for (const email of [ADA, "ada+news@example.com"]) await join(service, email);
  assert.equal(await due(), 0, "no letter, whoever signs up");
  assert.equal(await isKept(), moment(START));

  assert.deepEqual(await lift(ADA), { lifted: 1, notLifted: [] });
  assert.equal(await isKept(), undefined);
  assert.deepEqual(await lift("eve@example.com"), { lifted: 0, notLifted: ["eve@example.com"] });
  service.clock.now += 1_000;
  const late = report("mail.complained", {}, service.clock.now - 2_000);
  const options = { id: "msg_9", at: service.clock.now };
  assert.equal(await post(service, "generic", sign(late, options)), 200);
  assert.equal(await isKept(), undefined, "an older report does nothing");
  await join(service);
  assert.equal(await due(), 1);
  const actions = (await auditOf(service)).map(({ action }) => action);
  assert.deepEqual(actions.toSorted(), ["eraseSignup", "mailComplained", "markDeliverable"]);
});

Deno.test("letters that wait, invitations and imported people get nothing after a complaint", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  await post(service, "generic", sign(report("mail.complained")));
  const consentedAt = moment(START);
  const lines = ["ada+1@example.com", "bo@example.com"]
    .map((email) => JSON.stringify({ email, consentedAt, state: "waiting" })).join("\n");
  await service.operate("/signups/import", undefined, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines,
  });
  await (await service.operate("/signups/invite", {
    wave: "one",
    next: 9,
    link: "https://example.com/?c={code}",
  })).text();
  await service.workOutbox();
  const { items } = await (await service.operate("/outbox/list", {})).json();
  assert.deepEqual(items.map(({ email }: { email: string }) => email), ["bo@example.com"]);
});

// https://resend.com/docs/webhooks/emails/bounced and …/complained
const resent = (type: string, data: object) => ({
  type,
  created_at: "2026-11-21T12:00:10.126Z",
  data: {
    created_at: "2026-11-21 12:00:05.894719+00",
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Acme <onboarding@resend.dev>",
    to: [ADA],
    subject: "Sending this example",
    ...data,
  },
});
// https://postmarkapp.com/developer/webhooks/bounce-webhook and …/spam-complaint-webhook
const posted = (more: object) => ({
  RecordType: "Bounce",
  MessageStream: "outbound",
  ID: 4323372036854775807n.toString(),
  Type: "HardBounce",
  TypeCode: 1,
  Name: "Hard bounce",
  MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
  Description:
    "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "Test bounce details",
  Email: ADA,
  From: "sender@example.com",
  BouncedAt: "2026-11-21T12:00:10.9070259Z",
  Inactive: true,
  ...more,
});
// https://documentation.mailgun.com/docs/mailgun/user-manual/events/events
const mailgunned = (more: object, signature: object = signed.mailgun) => ({
  signature,
  "event-data": {
    id: "G9Bn5sl1TC6nu79C8C0bwg",
    event: "failed",
    severity: "permanent",
    timestamp: START / 1000,
    recipient: ADA,
    reason: "suppress-bounce",
    "delivery-status": {
      code: 605,
      message: "",
      description: "Not delivering to previously bounced address",
    },
    message: { headers: { "message-id": "20130503192659.13651.20287@mg.example.com" } },
    ...more,
  },
});
const basic = (password: string, user = "hook") => ({
  Authorization: `Basic ${btoa(`${user}:${password}`)}`,
});
const bounceType = (type: string) => ({
  bounce: { type, subType: "General", message: "Bounced." },
});
const PASSWORD = "a-password-of-postmark";
const svix = (payload: unknown) => sign(payload, { prefix: "svix" });
const toPostmark = (payload: object, headers = basic(PASSWORD)) => {
  const { headers: type, ...init } = json(payload);
  return { ...init, headers: { ...type as object, ...headers } };
};

/** By the secret: a call, its status, and what it marks. */
const CALLS: [hook: string, call: RequestInit, status: number, mark: string][] = [
  [
    `resend:${SECRET}`,
    svix(resent("email.bounced", bounceType("Permanent"))),
    200,
    "undeliverableAt",
  ],
  [`resend:${SECRET}`, svix(resent("email.bounced", bounceType("Transient"))), 200, ""],
  [`resend:${SECRET}`, svix(resent("email.complained", {})), 200, "complainedAt"],
  [`resend:${SECRET}`, svix(resent("email.delivered", {})), 200, ""],
  [`resend:${SECRET}`, sign(resent("email.complained", {})), 401, ""],
  [`postmark:${PASSWORD}`, toPostmark(posted({})), 200, "undeliverableAt"],
  [`postmark:${PASSWORD}`, toPostmark(posted({ Type: "SoftBounce", TypeCode: 4096 })), 200, ""],
  [
    `postmark:${PASSWORD}`,
    toPostmark(posted({ RecordType: "SpamComplaint", Type: "SpamComplaint" })),
    200,
    "complainedAt",
  ],
  [`postmark:${PASSWORD}`, toPostmark(posted({ RecordType: "Open" })), 200, ""],
  [`postmark:${PASSWORD}`, toPostmark(posted({}), basic("another password")), 401, ""],
  [`postmark:${PASSWORD}`, toPostmark(posted({}), basic(PASSWORD, "eve")), 401, ""],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned({})), 200, "undeliverableAt"],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned({ severity: "temporary" })), 200, ""],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned({ reason: "old" })), 200, ""],
  [
    "mailgun:key-of-mailgun-webhooks",
    json(mailgunned({ event: "complained" })),
    200,
    "complainedAt",
  ],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned({ event: "opened" })), 200, ""],
  ["mailgun:another-key-of-mailgun", json(mailgunned({})), 401, ""],
  [
    "mailgun:key-of-mailgun-webhooks",
    json(mailgunned({}, { ...signed.mailgun, token: "b" })),
    401,
    "",
  ],
  ["mailgun:key-of-mailgun-webhooks", json({}), 401, ""],
];

Deno.test("createMailHooks() reads the documented calls of each provider, and refuses forged ones", async () => {
  for (const [hook, call, status, mark] of CALLS) {
    const [name = ""] = hook.split(":");
    await using service = await start(hook);
    await join(service);
    assert.equal(await post(service, name, call), status, `${name} ${call.body}`);
    const { undeliverableAt, complainedAt } = (await storedSignUps(service.kv))[ADA]!;
    const marks = Object.entries({ undeliverableAt, complainedAt }).filter(([, at]) => at);
    assert.deepEqual(marks.map(([name]) => name), mark ? [mark] : [], `${name} ${call.body}`);
  }
});

Deno.test("createMailHooks() takes each token of Mailgun once, whatever the report beside it", async () => {
  await using service = await start("mailgun:key-of-mailgun-webhooks");
  for (const email of [ADA, "bo@example.com"]) await join(service, email);
  await post(service, "mailgun", json(mailgunned({})));
  const swapped = mailgunned({ id: "another", recipient: "bo@example.com" });
  assert.equal(await post(service, "mailgun", json(swapped)), 200);
  assert.equal((await storedSignUps(service.kv))["bo@example.com"]?.undeliverableAt, undefined);
});
