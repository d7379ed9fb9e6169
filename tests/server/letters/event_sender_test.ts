import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { createEventSender, refusalIn } from "../../../server/letters/event_sender.ts";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_urls.ts";
import { listenInSilence } from "../../support/letters.ts";
import { listenTo } from "../../support/receiver.ts";
import { random } from "../../support/records.ts";

const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;

/** What waits in the outbox of somebody who has left, not all in ASCII, as the bytes are signed. */
const EVENT = {
  id: "event-1",
  item: {
    email: "adä@example.com",
    recordId: "",
    message: {
      event: "signup.left",
      person: { email: "adä@example.com", reason: "person" },
    },
    queue: "events",
    putAt: Date.parse("2026-01-02T03:04:05.678Z"),
    dueAt: 0,
    tries: 1,
  },
} as const;

const BODY = {
  type: "signup.left",
  timestamp: "2026-01-02T03:04:05.678Z",
  data: { email: "adä@example.com", reason: "person" },
};

/** What sends events to an address, with the real clock, as the receiver's library has no other. */
function sendingTo(
  url: string,
  { secrets = [SECRET], now = Date.now, ...options }: {
    secrets?: string[];
    now?: () => number;
    deadlineMs?: number;
  } = {},
) {
  return createEventSender({
    webhook: { url, secrets },
    selfServiceUrls: createSelfServiceUrls(url, () => new Uint8Array(32)),
    readReferrals: (records) => Promise.resolve(records.map(() => ({}))),
    now,
    monotonic: () => performance.now(),
    random,
    ...options,
  })!;
}

Deno.test("createEventSender() signs an event so that the library of Standard Webhooks accepts the event and rejects a changed body", async () => {
  await using receiver = listenTo(() => new Response(null, { status: 204 }));
  const webhooks = sendingTo(`${receiver.url}/hook`);
  const { at, ms, ...answer } = await webhooks.send(EVENT);
  assert.deepEqual(answer, { status: 204, answer: "" });
  assert.ok(at <= Date.now() && ms >= 0);
  const [call] = receiver.received;
  assert.ok(call);
  assert.equal(call.method, "POST");
  assert.equal(call.path, "/hook");
  assert.equal(call.headers["content-type"], "application/json");
  assert.equal(call.headers["webhook-id"], "event-1");
  assert.deepEqual(new Webhook(SECRET).verify(call.body, call.headers), BODY);

  const other = new Webhook(`whsec_${btoa("another secret of enough bytes")}`);
  assert.throws(() => other.verify(call.body, call.headers), { name: /WebhookVerification/ });
  const changed = call.body.replace("adä", "eve");
  assert.throws(() => new Webhook(SECRET).verify(changed, call.headers));
});

Deno.test("createEventSender() sends a second try with a new timestamp and signature, and with the same id and body", async () => {
  await using receiver = listenTo(() => new Response());
  let time = 1_000_000_999;
  const webhooks = sendingTo(receiver.url, { now: () => time });
  await webhooks.send(EVENT);
  time += 60_000;
  await webhooks.send(EVENT);
  const [first, second] = receiver.received;
  assert.ok(first && second);
  assert.equal(first.headers["webhook-timestamp"], "1000000");
  assert.equal(second.headers["webhook-timestamp"], "1000060");
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  assert.notEqual(second.headers["webhook-signature"], first.headers["webhook-signature"]);
});

Deno.test("createEventSender() signs with both secrets when WEBHOOK_SECRET holds two secrets", async () => {
  await using receiver = listenTo(() => new Response());
  const other = `whsec_${btoa("the secret that comes after it")}`;
  await sendingTo(receiver.url, { secrets: [SECRET, other] }).send(EVENT);
  const [{ body, headers } = assert.fail()] = receiver.received;
  assert.equal(headers["webhook-signature"]?.split(" ").length, 2);
  for (const secret of [SECRET, other]) new Webhook(secret).verify(body, headers);
  const unknown = new Webhook(`whsec_${btoa("a secret that the service never had")}`);
  assert.throws(() => unknown.verify(body, headers), { name: /WebhookVerification/ });
});

Deno.test("createEventSender() returns the receiver's answer as the reason for the refusal when the status is not 2xx, and follows no redirect", async (t) => {
  await using elsewhere = listenTo(() => new Response());
  for (const status of [302, 307, 400, 404, 410, 429, 500, 503]) {
    await t.step(`the receiver answers HTTP ${status}`, async () => {
      await using receiver = listenTo(() =>
        status < 400
          ? Response.redirect(elsewhere.url, status)
          : new Response("I do not know adä@example.com", { status })
      );
      const said = status < 400 ? "" : " I do not know …";
      const webhooks = sendingTo(receiver.url);
      assert.equal(refusalIn(await webhooks.send(EVENT)), `HTTP ${status}${said}`);
    });
  }
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("createEventSender() returns a reason when the receiver does not answer within the deadline", async () => {
  await using receiver = listenInSilence();
  const webhooks = sendingTo(receiver.url, { deadlineMs: 50 });
  const { status, answer } = await webhooks.send(EVENT);
  assert.deepEqual([status, answer], [undefined, "It took longer than 50 ms"]);
});

Deno.test("createEventSender() returns the cause without the URL when the receiver cannot be reached", async () => {
  const receiver = listenTo(() => new Response());
  await receiver[Symbol.asyncDispose]();
  const webhooks = sendingTo(`${receiver.url}/hook(1): secret`);
  const reason = refusalIn(await webhooks.send(EVENT)) ?? "";
  assert.match(reason, /connection refused/i);
  assert.doesNotMatch(reason, /secret|127\.0\.0\.1/);
});

Deno.test("close() ends the delivery of an event at once when the receiver is silent", async () => {
  await using receiver = listenInSilence();
  const webhooks = sendingTo(receiver.url);
  const delivery = webhooks.send(EVENT);
  await receiver.reached;
  webhooks.close();
  assert.equal((await delivery).answer, "The service is stopping");
});
