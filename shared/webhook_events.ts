/**
 * ## Events
 *
 * The receiver of the service's events (`WEBHOOK_URL`) checks the signature of each event before it believes the body.
 * This example is a receiver in Hono:
 *
 * ```ts
 * import { verifyEvent } from "./api_client.ts";
 * import { Hono } from "hono";
 *
 * // Without a secret, `verifyEvent()` refuses every event.
 * const secret = process.env.WEBHOOK_SECRET ?? "";
 *
 * export const receiver = new Hono().post("/events", async (c) => {
 *   const event = await verifyEvent(await c.req.text(), { headers: c.req.raw.headers, secret })
 *     .catch(() => undefined);
 *   if (!event) return c.text("The signature is not right.", 401);
 *   if (event.type === "signup.left") console.log(`${event.data.email}: ${event.data.reason}`);
 *   return c.body(null, 204);
 * });
 * ```
 *
 * The same event may come twice, and events may come in another order than they happened. Answer an event of a type
 * that the receiver does not know with 204 as well, because a newer service may send new types.
 *
 * @module
 */
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import type { webhooks } from "./generated/operator.ts";

type BodyOf<Name extends keyof webhooks> =
  webhooks[Name]["post"]["requestBody"]["content"]["application/json"];

/** An event about a person who is on the list. */
export type PersonEvent = BodyOf<"signup.joined">;
/** An event about a person who has left the list. */
export type LeftEvent = BodyOf<"signup.left">;
/** An event about problems of the service. */
export type AttentionEvent = BodyOf<"service.attention">;
/** The event that an operator sends as a test. */
export type TestEvent = BodyOf<"webhook.test">;
/** The body of any event. The member `type` says which event it is. */
export type WebhookEvent = PersonEvent | LeftEvent | AttentionEvent | TestEvent;

/** What the check of an event needs besides the body. */
export interface EventOptions {
  /** The headers of the request, as `Request` or Node's `IncomingMessage` has them. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /**
   * The service's `WEBHOOK_SECRET`. It may hold two secrets, separated by a space, while the newer secret replaces the
   * older one.
   */
  secret: string;
}

/**
 * How far the time of an event may be from the clock, in seconds. The limit stops an attacker who sends a recorded
 * event again later.
 */
const TOLERANCE_S = 300;

/**
 * Checks the signature of an event by Standard Webhooks (https://www.standardwebhooks.com).
 *
 * @param body the body of the request, unchanged: the signature does not fit JSON that was parsed and written again
 * @throws {Error} that says why the event is refused
 */
export async function verifyEvent(
  body: string,
  { headers, secret }: EventOptions,
  clock: Clock = SYSTEM_CLOCK,
): Promise<WebhookEvent> {
  const readHeader = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value === "string" && value !== "") return value;
    throw new Error(`The event has no header ${name}`);
  };
  const id = readHeader("webhook-id");
  const timestamp = readHeader("webhook-timestamp");
  const signatures = readHeader("webhook-signature").split(" ")
    .flatMap((text) => text.startsWith("v1,") ? decodeBase64(text.slice("v1,".length)) ?? [] : []);
  // The condition is negated, because it must also refuse a timestamp that is no number (NaN).
  if (!(Math.abs(clock.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) {
    throw new Error("The event is too old, or the clocks of both sides differ");
  }
  const signedBytes = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const singleSecret of secret.split(" ")) {
    const secretBytes = decodeBase64(singleSecret.replace(/^whsec_/, ""));
    if (!secretBytes?.length) {
      throw new Error("The secret is not one of Standard Webhooks: whsec_…");
    }
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secretBytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature, signedBytes)) return JSON.parse(body);
    }
  }
  throw new Error("The signature of the event is not right");
}

/** Decodes base64; `undefined` if the text is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
