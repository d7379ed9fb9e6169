/** Events as signed posts to the operator's address (Standard Webhooks, https://www.standardwebhooks.com). @module */
import { base64url } from "jose";
import type { Config } from "../config/mod.ts";
import { hmacSha256, type Runtime } from "../runtime/mod.ts";
import type { Delivery, SelfServiceUrls } from "../waitlist/mod.ts";
import { toExportedSignup, type WaitingItem } from "../waitlist/mod.ts";
import { createCaller } from "./call.ts";
import { reasonWithout, toReason } from "./letter.ts";
import type { Tell } from "./notices.ts";

interface WebhookEvent {
  /** Stays the same over all tries. */
  id: string;
  type: string;
  timestamp: string;
  /** The person, if it is about one; its `email` never gets into a reason. */
  data: { email?: string; [member: string]: unknown };
}

/** Gives why a try was not taken, if it was not. */
export function refusalIn({ status, answer }: Delivery): string | undefined {
  if (status === undefined) return answer;
  return status >= 200 && status < 300 ? undefined : `HTTP ${status} ${answer}`.trim();
}

/** Gives nothing without a webhook. @param options.deadlineMs how long a try to send may take, in milliseconds */
export function createEventSender(
  webhook: Config["webhook"],
  options: Pick<Runtime, "now" | "monotonic" | "random"> & {
    selfServiceUrls: SelfServiceUrls;
    deadlineMs?: number;
  },
) {
  if (!webhook) return undefined;
  const { url, secrets } = webhook;
  const { now, monotonic, random, selfServiceUrls, deadlineMs = 15_000 } = options;
  const caller = createCaller(deadlineMs);
  // While a secret is replaced there are two, and the receiver takes either signature.
  const signers = secrets.map((secret) =>
    hmacSha256(Uint8Array.fromBase64(secret.slice("whsec_".length)))
  );

  async function deliver({ id, type, timestamp, data }: WebhookEvent): Promise<Delivery> {
    const body = JSON.stringify({ type, timestamp, data });
    // The receiver refuses what was signed long ago, so it is signed anew for each try.
    const [at, began] = [now(), monotonic()];
    const signedAt = String(Math.floor(at / 1000));
    const signatures = signers.map((sign) => {
      return `v1,${sign(`${id}.${signedAt}.${body}`).toString("base64")}`;
    });
    const headers = {
      "Content-Type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": signedAt,
      "webhook-signature": signatures.join(" "),
    };
    const end = (answer: string, status?: number): Delivery => ({
      at,
      ms: Math.round(monotonic() - began),
      ...status !== undefined && { status },
      answer,
    });
    try {
      const { status, text } = await caller.post(url, { headers, body });
      return end(reasonWithout(data.email, text), status);
    } catch (error) {
      return end(toReason((error as Error).message));
    }
  }

  const timestamp = () => new Date(now()).toISOString();
  const tell: Tell = async ({ id, describe }) => {
    const [type, data] = ["service.attention", { attention: describe("en") }];
    return refusalIn(await deliver({ id, type, timestamp: timestamp(), data }));
  };
  return {
    close: caller.close,
    tell,
    sendTest() {
      const id = `test-${base64url.encode(random(12))}`;
      const data = { email: "test@example.com" };
      return deliver({ id, type: "webhook.test", timestamp: timestamp(), data });
    },
    send({ id, item: { email, message, putAt } }: WaitingItem) {
      if (!("event" in message)) throw new Error("A letter is no event");
      const { event: type, person, formerEmail } = message;
      const data = "reason" in person ? person : {
        ...toExportedSignup(email, person.record, selfServiceUrls),
        ...formerEmail !== undefined && { formerEmail },
      };
      return deliver({ id, type, timestamp: new Date(putAt).toISOString(), data });
    },
  };
}
