/** The documented calls of each provider, through the whole service. @module */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { json, START, WITH_MAIL } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };
import { ADA, join, post, SECRET, sign, start } from "../../../support/mail_hooks.ts";

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
const delivery = (code: string) => ({ "delivery-status": { code: 550, "enhanced-code": code } });
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
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned(delivery("5.1.1"))), 200, "undeliverableAt"],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned(delivery("5.7.1"))), 200, ""],
  ["mailgun:key-of-mailgun-webhooks", json(mailgunned(delivery(""))), 200, "undeliverableAt"],
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
  // The signature is found wherever it stands, and believed before the rest is parsed.
  [
    "mailgun:key-of-mailgun-webhooks",
    json(Object.fromEntries(Object.entries(mailgunned({})).reverse())),
    200,
    "undeliverableAt",
  ],
  [
    "mailgun:key-of-mailgun-webhooks",
    { ...json({}), body: `{"signature": ${JSON.stringify(signed.mailgun)}, "event-data": {` },
    200,
    "",
  ],
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

const MAILGUN = "mailgun:key-of-mailgun-webhooks";

/** What became of a person, as a list. */
async function marksOf(service: Awaited<ReturnType<typeof start>>, email: string) {
  const { undeliverableAt, complainedAt } = (await storedSignUps(service.kv))[email] ?? {};
  return [undeliverableAt && "bounced", complainedAt && "complained"].filter((mark) => mark);
}

Deno.test("createMailHooks() takes each token of Mailgun once, whatever the report beside it", async () => {
  const bo = "bo@example.com";
  const first: [what: string, event: object][] = [
    ["a permanent failure", {}],
    ["a temporary failure", { severity: "temporary" }],
    ["a delivered letter", { event: "delivered" }],
    ["an unknown person", { recipient: "nobody@example.com" }],
    ["an address that no list has", { recipient: "no address" }],
    ["a moment that no clock has", { timestamp: 1e300 }],
    ["an unreadable event", { id: 5 }],
  ];
  for (const [what, event] of first) {
    await using service = await start(MAILGUN);
    for (const email of [ADA, bo]) await join(service, email);
    assert.equal(await post(service, "mailgun", json(mailgunned(event))), 200, what);
    const forged = mailgunned({ id: "another", event: "complained", recipient: bo });
    assert.equal(await post(service, "mailgun", json(forged)), 200, what);
    assert.deepEqual(await marksOf(service, bo), [], what);
    // Tokens are kept for seven days.
    service.clock.now += 6 * 24 * 60 * 60_000;
    assert.equal(await post(service, "mailgun", json(forged)), 401, what);
  }
});

/** A proof as Mailgun makes it, by its documentation. */
function proofOf(token: string, timestamp = signed.mailgun.timestamp) {
  const hmac = createHmac("sha256", "key-of-mailgun-webhooks");
  return { timestamp, token, signature: hmac.update(timestamp + token).digest("hex") };
}

Deno.test("createMailHooks() takes a proof of Mailgun once when its report is older than what an operator lifted", async () => {
  await using service = await start(MAILGUN);
  await join(service);
  const complain = (token: string, id: string, at: number) =>
    post(
      service,
      "mailgun",
      json(mailgunned({ event: "complained", id, timestamp: at / 1_000 }, proofOf(token))),
    );
  assert.equal(await complain("a", "1", START), 200);
  service.clock.now += 1_000;
  await service.operate("/signups/deliverable", { emails: [ADA] });
  service.clock.now += 1_000;
  assert.equal(await complain("b", "2", START), 200);
  assert.equal(await complain("b", "3", START + 2_000), 200);
  assert.deepEqual(await marksOf(service, ADA), []);
  assert.equal(await complain("c", "4", START + 2_000), 200);
  assert.deepEqual(await marksOf(service, ADA), ["complained"]);
});

Deno.test("createMailHooks() takes a timestamp of Mailgun in one form alone", async () => {
  const { timestamp, token, signature } = signed.mailgun;
  for (
    const moved of [
      { timestamp: `${timestamp}${token.slice(0, 1)}`, token: token.slice(1) },
      { timestamp: ` ${timestamp}`, token },
      { timestamp: timestamp.slice(0, -1), token: `${timestamp.slice(-1)}${token}` },
    ]
  ) {
    await using service = await start(MAILGUN);
    assert.equal(
      await post(service, "mailgun", json(mailgunned({}, { ...moved, signature }))),
      401,
      JSON.stringify(moved),
    );
  }
  // Number() reads the first one as the same moment.
  for (const odd of [`${timestamp}e0`, `${timestamp}.5`, `0${timestamp}`, `+${timestamp}`, ""]) {
    await using service = await start(MAILGUN);
    const call = json(mailgunned({}, proofOf("1234567890", odd)));
    assert.equal(await post(service, "mailgun", call), 401, odd);
  }
});

Deno.test("createMailHooks() loses no bounce of Mailgun when the commit of a call fails or its answer is lost", async () => {
  for (const isWritten of [false, true]) {
    let fails = false;
    const kv = faultyKv(
      await openMemoryKv(),
      async (commit) => {
        if (!fails) return await commit();
        if (isWritten) await commit();
        throw new Error("KV was ended");
      },
      undefined,
      10,
    );
    await using service = await startOperatedService({ ...WITH_MAIL, MAIL_HOOK: MAILGUN }, kv);
    await join(service);
    fails = true;
    // Where the commit went through, the service finds so by itself.
    const status = isWritten ? 200 : 500;
    assert.equal(await post(service, "mailgun", json(mailgunned({}))), status);
    fails = false;
    assert.deepEqual(await marksOf(service, ADA), isWritten ? ["bounced"] : []);
    assert.equal(await post(service, "mailgun", json(mailgunned({}))), 200, "Mailgun repeats it");
    assert.deepEqual(await marksOf(service, ADA), ["bounced"]);
  }
});
