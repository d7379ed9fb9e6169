/** Events as signed posts to the operator's address (Standard Webhooks, https://www.standardwebhooks.com). @module */
import type { Config } from "../config/mod.ts";
import { hmacSha256, type Runtime } from "../runtime/mod.ts";
import { createCaller } from "./call.ts";
import { reasonWithout } from "./letter.ts";

interface WebhookEvent {
  /** Stays the same over all tries. */
  id: string;
  /** Such as `signup.joined`. */
  type: string;
  /** When it happened, in ISO 8601. */
  timestamp: string;
  /** The person; its `email` never gets into a reason. */
  data: { email: string; [member: string]: unknown };
}

/** @param options.deadlineMs how long a try may take, in milliseconds */
export function createWebhooks(
  { url, secret, now, deadlineMs = 15_000 }:
    & NonNullable<Config["webhook"]>
    & Pick<Runtime, "now">
    & { deadlineMs?: number },
) {
  const caller = createCaller(deadlineMs);
  const sign = hmacSha256(Uint8Array.fromBase64(secret.slice("whsec_".length)));
  return {
    /** Tries to deliver an event; gives why it was not taken, a short text without addresses, if it was not. */
    async deliver({ id, type, timestamp, data }: WebhookEvent): Promise<string | undefined> {
      const body = JSON.stringify({ type, timestamp, data });
      // The receiver refuses what was signed long ago, so it is signed anew for each try.
      const signedAt = String(Math.floor(now() / 1000));
      const headers = {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": signedAt,
        "webhook-signature": `v1,${sign(`${id}.${signedAt}.${body}`).toString("base64")}`,
      };
      try {
        const { status, text } = await caller.post(url, { headers, body });
        if (status >= 200 && status < 300) return undefined;
        return reasonWithout(data.email, `HTTP ${status} ${text}`);
      } catch (error) {
        return reasonWithout(data.email, (error as Error).message);
      }
    },
    close: caller.close,
  };
}
