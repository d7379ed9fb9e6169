import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { createWebhooks, refusalIn } from "../../../server/letters/webhooks.ts";
import { listenInSilence } from "../../support/letters.ts";
import { listenTo } from "../../support/receiver.ts";

const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;
const EVENT = {
  id: "event-1",
  type: "signup.joined",
  timestamp: "2026-01-02T03:04:05.678Z",
  data: { email: "ada@example.com", state: "unconfirmed", placeUrl: "https://example.com/ö" },
};

/** What delivers events to an address, with the real clock, as the receiver's library has no other. */
function webhooksTo(url: string, deadlineMs?: number) {
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const options = { url, secrets: [SECRET], ...clock };
  return createWebhooks({ ...options, ...(deadlineMs && { deadlineMs }) });
}

Deno.test("createWebhooks() signs events so that the standard's own library verifies them", async () => {
  await using receiver = listenTo(() => new Response(null, { status: 204 }));
  const webhooks = await webhooksTo(`${receiver.url}/hook`);
  const { at, ms, ...answer } = await webhooks.deliver(EVENT);
  assert.deepEqual(answer, { status: 204, answer: "" });
  assert.ok(at <= Date.now() && ms >= 0);
  const [call] = receiver.received;
  assert.ok(call);
  assert.equal(call.method, "POST");
  assert.equal(call.path, "/hook");
  assert.equal(call.headers["content-type"], "application/json");
  assert.equal(call.headers["webhook-id"], "event-1");
  const { id: _, ...body } = EVENT;
  assert.deepEqual(new Webhook(SECRET).verify(call.body, call.headers), body);

  const other = new Webhook(`whsec_${btoa("another secret of enough bytes")}`);
  assert.throws(() => other.verify(call.body, call.headers), { name: /WebhookVerification/ });
  const changed = call.body.replace("ada", "eve");
  assert.throws(() => new Webhook(SECRET).verify(changed, call.headers));
});

Deno.test("createWebhooks() signs a second try with its own time and the same id and body", async () => {
  await using receiver = listenTo(() => new Response());
  let time = 1_000_000_999;
  const clock = { now: () => time, monotonic: () => time };
  const webhooks = createWebhooks({ url: receiver.url, secrets: [SECRET], ...clock });
  await webhooks.deliver(EVENT);
  time += 60_000;
  await webhooks.deliver(EVENT);
  const [first, second] = receiver.received;
  assert.ok(first && second);
  assert.equal(first.headers["webhook-timestamp"], "1000000");
  assert.equal(second.headers["webhook-timestamp"], "1000060");
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  assert.notEqual(second.headers["webhook-signature"], first.headers["webhook-signature"]);
});

Deno.test("createWebhooks() signs with both secrets while one is replaced", async () => {
  await using receiver = listenTo(() => new Response());
  const other = `whsec_${btoa("the secret that comes after it")}`;
  const clock = { now: Date.now, monotonic: () => performance.now() };
  await createWebhooks({ url: receiver.url, secrets: [SECRET, other], ...clock }).deliver(EVENT);
  const [{ body, headers } = assert.fail()] = receiver.received;
  assert.equal(headers["webhook-signature"]?.split(" ").length, 2);
  for (const secret of [SECRET, other]) new Webhook(secret).verify(body, headers);
  const unknown = new Webhook(`whsec_${btoa("a secret that the service never had")}`);
  assert.throws(() => unknown.verify(body, headers), { name: /WebhookVerification/ });
});

Deno.test("createWebhooks() gives the answer as the reason when it is not 2xx, and follows no redirect", async () => {
  await using elsewhere = listenTo(() => new Response());
  for (const status of [302, 307, 400, 404, 410, 429, 500, 503]) {
    await using receiver = listenTo(() =>
      status < 400
        ? Response.redirect(elsewhere.url, status)
        : new Response("I do not know ada@example.com", { status })
    );
    const said = status < 400 ? "" : " I do not know …";
    const webhooks = await webhooksTo(receiver.url);
    assert.equal(refusalIn(await webhooks.deliver(EVENT)), `HTTP ${status}${said}`);
  }
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("createWebhooks() gives a reason when the receiver is silent", async () => {
  await using receiver = listenInSilence();
  const webhooks = await webhooksTo(receiver.url, 50);
  const { status, answer } = await webhooks.deliver(EVENT);
  assert.deepEqual([status, answer], [undefined, "It took longer than 50 ms"]);
});

Deno.test("createWebhooks() says why the receiver was not reached, without its address", async () => {
  const receiver = listenTo(() => new Response());
  await receiver[Symbol.asyncDispose]();
  const webhooks = await webhooksTo(`${receiver.url}/hook(1): secret`);
  const reason = refusalIn(await webhooks.deliver(EVENT)) ?? "";
  assert.match(reason, /connection refused/i);
  assert.doesNotMatch(reason, /secret|127\.0\.0\.1/);
});

Deno.test("close() ends deliveries at once when the receiver is silent", async () => {
  await using receiver = listenInSilence();
  const webhooks = await webhooksTo(receiver.url);
  const delivery = webhooks.deliver(EVENT);
  await receiver.reached;
  webhooks.close();
  assert.equal((await delivery).answer, "The service is stopping");
});
