import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { verifyEvent } from "../../shared/api_client.ts";

const SECRET = `whsec_${btoa("the secret of the receiver")}`;
const OTHER = `whsec_${btoa("another secret of a receiver")}`;
const SENT = new Date("2026-11-21T12:00:20Z");
const BODY = JSON.stringify({
  type: "signup.left",
  timestamp: SENT.toISOString(),
  data: { email: "ada@example.com", reason: "person" },
});

const clockAt = (now: number) => ({ now: () => now, wait: () => Promise.resolve() });

/** The headers of an event that the library of Standard Webhooks signs. */
const headersBy = (secret: string, body = BODY) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(SENT.getTime() / 1000),
  "webhook-signature": new Webhook(secret).sign("msg_1", SENT, body),
});

const verify = (headers: Record<string, string>, { secret = SECRET, body = BODY, late = 0 } = {}) =>
  verifyEvent(body, { headers, secret }, clockAt(SENT.getTime() + late * 1000));

Deno.test("verifyEvent() returns the event when one of the signatures is made with one of the secrets", async () => {
  const headers = headersBy(SECRET);
  const event = await verify(headers);
  assert(event.type === "signup.left");
  assert.equal(event.data.reason, "person");
  assert.deepEqual(await verify(headers, { secret: `${OTHER} ${SECRET}` }), event);
  const both = `${headersBy(OTHER)["webhook-signature"]} ${headers["webhook-signature"]}`;
  assert.deepEqual(await verify({ ...headers, "webhook-signature": both }, { late: 299 }), event);
  const asWeb = { headers: new Headers(headers), secret: SECRET };
  assert.deepEqual(await verifyEvent(BODY, asWeb, clockAt(SENT.getTime())), event);
});

Deno.test("verifyEvent() throws an error with the reason why it refuses an event", async (t) => {
  const headers = headersBy(SECRET);
  const { "webhook-id": _, ...withoutId } = headers;
  const refused: [options: Parameters<typeof verify>, message: RegExp][] = [
    [[withoutId], /no header webhook-id$/],
    [[headersBy(OTHER)], /signature of the event is not right$/],
    [[headers, { body: `${BODY} ` }], /signature of the event is not right$/],
    [[{ ...headers, "webhook-signature": "v1,§ v2,AAAA" }], /signature of the event is not right$/],
    [[headers, { late: 301 }], /too old, or the clocks/],
    [[headers, { late: -301 }], /too old, or the clocks/],
    [[{ ...headers, "webhook-timestamp": "soon" }], /too old, or the clocks/],
    [[headers, { secret: "" }], /secret is not one of Standard Webhooks/],
  ];
  for (const [options, message] of refused) {
    await t.step(`${message}`, async () => {
      await assert.rejects(() => verify(...options), message);
    });
  }
});
