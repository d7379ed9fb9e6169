/** The documented calls of each provider, through the whole service. @module */
import assert from "node:assert/strict";
import { storedSignUps } from "../../../support/records.ts";
import { json } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };
import { ADA, join, mailgunned, post, SECRET, sign, start } from "../../../support/mail_hooks.ts";

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

Deno.test("createMailHooks() reads the documented calls of each mail provider, and answers 401 to forged calls", async (t) => {
  for (const [hook, call, status, mark] of CALLS) {
    await t.step(
      `the hook of ${hook.split(":")[0]} answers ${status} to ${call.body}`,
      async () => {
        const [name = ""] = hook.split(":");
        await using service = await start(hook);
        await join(service);
        assert.equal(await post(service, name, call), status);
        const { undeliverableAt, complainedAt } = (await storedSignUps(service.kv))[ADA]!;
        const marks = Object.entries({ undeliverableAt, complainedAt }).filter(([, at]) => at);
        assert.deepEqual(marks.map(([name]) => name), mark ? [mark] : []);
      },
    );
  }
});
