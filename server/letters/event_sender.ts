/**
 * Sends events as signed posts to `WEBHOOK_URL` (Standard Webhooks, https://www.standardwebhooks.com). `work/` decides
 * when an event is sent, and when it is tried again. @module
 */
import { base64url } from "jose";
import type { Config } from "../config/mod.ts";
import { createCaller } from "../http/mod.ts";
import { hmacSha256, type Runtime } from "../runtime/mod.ts";
import type { ShownReferrals } from "../store/people/mod.ts";
import {
  type Delivery,
  type EventMessage,
  type SelfServiceUrls,
  type SignUpRecord,
  toOperatorSignupWithLink,
  type WaitingItem,
} from "../waitlist/mod.ts";
import type { Notify } from "./notices.ts";
import { reasonWithoutRecipient, toReason } from "./reason.ts";

/** The longest time of an attempt, in milliseconds. */
const ATTEMPT_MS = 15_000;

/** The number of random bytes in the id of a test event. */
const TEST_ID_BYTES = 12;

/** An event as the receiver gets it. */
interface WebhookEvent {
  /** The id of the event. It stays the same over all attempts. */
  id: string;
  type: string;
  /** The moment of the event, a date-time. */
  timestamp: string;
  /** The content of the event. `email` is the address of the person, if the event is about a person. */
  data: { email?: string; [member: string]: unknown };
}

/** Makes single attempts to send events. */
export interface EventSender {
  /**
   * Tries once to deliver an event of the outbox. A failed delivery is a result, not a rejection. Rejects if KV does
   * not answer.
   */
  send: (event: WaitingItem) => Promise<Delivery>;
  /** Tries once to deliver the event `webhook.test`, which is about no person. */
  sendTest: () => Promise<Delivery>;
  /** Tries once to deliver the event `service.attention`. */
  notify: Notify;
  close: () => void;
}

/** What {@linkcode createEventSender} needs. */
export interface EventSenderOptions extends Pick<Runtime, "now" | "monotonic" | "random"> {
  webhook: Config["webhook"];
  selfServiceUrls: SelfServiceUrls;
  /** Reads the present referrals of people, in the order of `records`. */
  readReferrals: (records: SignUpRecord[]) => Promise<ShownReferrals[]>;
  /** How long an attempt takes at most, in milliseconds. By default, {@linkcode ATTEMPT_MS}. */
  deadlineMs?: number;
}

/** Gives the reason why an event was not delivered; `undefined` for a delivered event. */
export function refusalIn({ status, answer }: Delivery): string | undefined {
  if (status === undefined) return answer;
  return status >= 200 && status < 300 ? undefined : `HTTP ${status} ${answer}`.trim();
}

/** Makes the sender of events; `undefined` without a webhook. */
export function createEventSender(
  { webhook, now, monotonic, random, selfServiceUrls, readReferrals, deadlineMs = ATTEMPT_MS }:
    EventSenderOptions,
): EventSender | undefined {
  if (!webhook) return undefined;
  const { url, secrets } = webhook;
  const caller = createCaller(deadlineMs);
  // There are two secrets while an operator replaces the secret. An event then has a signature with each secret, and
  // the receiver accepts either signature.
  const signers = secrets.map((secret) =>
    hmacSha256(Uint8Array.fromBase64(secret.slice("whsec_".length)))
  );

  async function deliver({ id, type, timestamp, data }: WebhookEvent): Promise<Delivery> {
    const body = JSON.stringify({ type, timestamp, data });
    // Each attempt is signed with its own timestamp, because the receiver refuses an old timestamp.
    const at = now();
    const begunAt = monotonic();
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
    const toDelivery = (answer: string, status?: number): Delivery => ({
      at,
      ms: Math.round(monotonic() - begunAt),
      ...status !== undefined && { status },
      answer,
    });
    try {
      const { status, text } = await caller.post(url, { headers, body });
      return toDelivery(reasonWithoutRecipient(data.email, text), status);
    } catch (error) {
      return toDelivery(toReason((error as Error).message));
    }
  }

  /**
   * Makes the member `data` of an event about a person: the record after the change, or the address and the reason if
   * the person has left.
   */
  async function makePersonData(
    email: string,
    { person, formerEmail }: EventMessage,
  ): Promise<WebhookEvent["data"]> {
    if ("reason" in person) return person;
    const [referrals] = await readReferrals([person.record]);
    return {
      ...toOperatorSignupWithLink(email, person.record, selfServiceUrls),
      ...referrals,
      ...formerEmail !== undefined && { formerEmail },
    };
  }

  const presentMoment = () => new Date(now()).toISOString();
  const notify: Notify = async ({ id, describe }) => {
    const data = { attention: describe("en") };
    const type = "service.attention";
    const delivery = await deliver({ id, type, timestamp: presentMoment(), data });
    return refusalIn(delivery);
  };
  return {
    close: caller.close,
    notify,
    sendTest() {
      const id = `test-${base64url.encode(random(TEST_ID_BYTES))}`;
      const data = { email: "test@example.com" };
      return deliver({ id, type: "webhook.test", timestamp: presentMoment(), data });
    },
    async send({ id, item: { email, message, putAt } }) {
      if (!("event" in message)) throw new Error("The outbox item is a letter and not an event");
      const data = await makePersonData(email, message);
      const timestamp = new Date(putAt).toISOString();
      return await deliver({ id, type: message.event, timestamp, data });
    },
  };
}
