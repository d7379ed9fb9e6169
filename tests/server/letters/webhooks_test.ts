import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { createWebhooks } from "../../../server/letters/webhooks.ts";
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
  const options = { url, secret: SECRET, now: Date.now };
  return createWebhooks({ ...options, ...(deadlineMs && { deadlineMs }) });
}

Deno.test("createWebhooks() signs events so that the standard's own library verifies them", async () => {
  await using receiver = listenTo(() => new Response(null, { status: 204 }));
  const webhooks = await webhooksTo(`${receiver.url}/hook`);
  assert.deepEqual(await webhooks.deliver(EVENT), { kind: "delivered" });
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
  const webhooks = await createWebhooks({ url: receiver.url, secret: SECRET, now: () => time });
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

Deno.test("createWebhooks() tries later when the answer is not 2xx, and follows no redirect", async () => {
  await using elsewhere = listenTo(() => new Response());
  for (const status of [302, 307, 400, 404, 410, 429, 500, 503]) {
    await using receiver = listenTo(() =>
      status < 400
        ? Response.redirect(elsewhere.url, status)
        : new Response("I do not know ada@example.com", { status })
    );
    const said = status < 400 ? "" : " I do not know …";
    assert.deepEqual(await (await webhooksTo(receiver.url)).deliver(EVENT), {
      kind: "try_later",
      reason: `HTTP ${status}${said}`,
    });
  }
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("createWebhooks() tries later when the receiver is silent or away", async () => {
  const silence = Promise.withResolvers<Response>();
  const receiver = listenTo(() => silence.promise);
  assert.equal((await (await webhooksTo(receiver.url, 50)).deliver(EVENT)).kind, "try_later");
  silence.resolve(new Response());
  await receiver[Symbol.asyncDispose]();
  assert.equal((await (await webhooksTo(receiver.url)).deliver(EVENT)).kind, "try_later");
});

Deno.test("createWebhooks() says why the receiver was not reached, without its address", async () => {
  const receiver = listenTo(() => new Response());
  await receiver[Symbol.asyncDispose]();
  const webhooks = await webhooksTo(`${receiver.url}/hook(1): secret`);
  const outcome = await webhooks.deliver(EVENT);
  assert.ok(outcome.kind === "try_later", Deno.inspect(outcome));
  assert.match(outcome.reason, /connection refused/i);
  assert.doesNotMatch(outcome.reason, /secret|127\.0\.0\.1/);
});

Deno.test("close() ends deliveries at once when the receiver is silent", async () => {
  const silence = Promise.withResolvers<Response>();
  const reached = Promise.withResolvers<void>();
  await using receiver = listenTo(() => {
    reached.resolve();
    return silence.promise;
  });
  const webhooks = await webhooksTo(receiver.url);
  const delivery = webhooks.deliver(EVENT);
  await reached.promise;
  webhooks.close();
  assert.deepEqual(await delivery, { kind: "try_later", reason: "The service is stopping" });
  silence.resolve(new Response());
});
