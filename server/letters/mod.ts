/**
 * The letters and events: their texts, the ways in which they leave, and the work on the outbox, which also erases
 * people whose time to confirm is over.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { base64url } from "jose";
import type { Config } from "../config/mod.ts";
import {
  createLetterSender,
  type LetterSender,
  type LetterSenderOptions,
} from "./letter_sender.ts";
import type { Runtime } from "../runtime/mod.ts";
import { createWebhooks, type WebhookEvent } from "./webhooks.ts";
import {
  createOutboxWorker,
  createRefusalLog,
  watchOutcomes,
  watchPlacedAhead,
} from "./work/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import { aboutOf, toExportedSignup, type WaitingItem } from "../waitlist/mod.ts";
import { startExpiry } from "../store/expiry/mod.ts";
import {
  createMailState,
  makeAheadDue,
  type OutboxOptions,
  viewOutbox,
} from "../store/outbox/mod.ts";
import type { OpenKv } from "../store/kv/mod.ts";
import { createOutboxStore } from "../store/people/mod.ts";
export type { LetterText } from "./letter.ts";
export { describeMail } from "./letter_sender.ts";
export { createLetters } from "./letter_texts.ts";
export { LEASE_MS } from "./work/mod.ts";

/** The interval at which the outbox is looked at, in milliseconds. */
const BEAT_MS = 1_000;

/** How long letters and events that are being sent may take after the signal to stop, in milliseconds. */
const SETTLE_MS = 1_000;

/** What {@linkcode startMailing} needs besides the configuration. */
export interface MailingOptions
  extends OpenKv, LetterSenderOptions, Pick<Runtime, "random" | "log" | "repeat"> {
  outbox: OutboxOptions;
  /** Absent where nothing exports metrics. */
  metrics: Metrics | undefined;
}

/** The work on the outbox. */
export interface Mailing {
  /**
   * Does once what is done by timers: resolves when the letters of this second are sent and people are erased.
   *
   * @returns whether more is due
   */
  work: () => Promise<boolean>;
  /** Sends an event that tells of nobody; gives why it was not taken, if it was not. Absent without a webhook. */
  sendTestEvent?: (() => Promise<string | undefined>) | undefined;
  /** Writes an invitation as it would be sent. Absent without mail. */
  previewInvitation?: LetterSender["previewInvitation"] | undefined;
  /** Ends the work; what is being sent has a second to finish, and is tried again after its lease if not. */
  close: () => Promise<void>;
}

/** Starts to work the outbox off; what is put into it from then on wakes the worker. */
export async function startMailing(config: Config, options: MailingOptions): Promise<Mailing> {
  const { kv, engine, now, monotonic, log, repeat, metrics } = options;
  const letters = config.mail && createLetterSender(config, options);
  const events = config.webhook && await createEventSender(config.webhook, options);
  const store = createOutboxStore(kv, { engine, monotonic });
  const mail = createMailState(kv);
  const refusals = createRefusalLog({ log, monotonic });
  const worker = createOutboxWorker({
    store: watchOutcomes(store, (item, reason) => {
      refusals.note(item, reason);
      metrics?.countOutcome(...aboutOf(item.message), reason === undefined ? "sent" : "refused");
    }),
    mail,
    sendLetter: letters?.send,
    room: letters?.room,
    sendEvent: events?.send,
    perMinute: config.mail?.perMinute ?? 0,
    now,
    log,
  });
  const lookAhead = watchPlacedAhead({
    makeAheadDue: (look) => makeAheadDue(kv, look),
    now,
    monotonic,
  });
  const beat = async () => {
    // What fails is tried again at the next beat; the worker says that KV does not answer.
    if (await lookAhead().catch(() => false)) worker.wake();
    await worker.beat();
    refusals.beat();
  };
  const beats = repeat(BEAT_MS, beat);
  const view = metrics && await viewOutbox(kv, repeat);
  if (view) metrics.reportOutbox(view.get);
  const expiry = config.mail && startExpiry(config.unconfirmedDays, options);
  options.outbox.onPut = worker.wake;
  return {
    async work() {
      worker.wake();
      await Promise.all([beat().then(worker.settled), expiry?.run()]);
      return worker.hasMore();
    },
    sendTestEvent: events?.sendTest,
    previewInvitation: letters?.previewInvitation,
    async close() {
      await Promise.all([beats.close(), expiry?.close(), view?.close()]);
      const settling = new AbortController();
      await Promise.race([worker.settled(), delay(SETTLE_MS, undefined, settling)]).catch(() => {});
      settling.abort();
      worker.stop();
      refusals.close();
      letters?.close();
      events?.close();
    },
  };
}

/** Makes the function that sends an event of the outbox, and gives why that failed. */
async function createEventSender(
  webhook: NonNullable<Config["webhook"]>,
  { now, random, selfServiceUrls }: MailingOptions,
) {
  const webhooks = await createWebhooks({ ...webhook, now });
  const deliver = async (event: WebhookEvent): Promise<string | undefined> => {
    const outcome = await webhooks.deliver(event);
    return outcome.kind === "delivered" ? undefined : outcome.reason;
  };
  return {
    sendTest() {
      const id = `test-${base64url.encode(random(12))}`;
      const timestamp = new Date(now()).toISOString();
      return deliver({ id, type: "webhook.test", timestamp, data: { email: "test@example.com" } });
    },
    send({ id, item: { email, message, putAt } }: WaitingItem): Promise<string | undefined> {
      if (!("event" in message)) throw new Error("A letter is no event");
      const { event: type, person } = message;
      const data = "reason" in person
        ? person
        : toExportedSignup(email, person.record, selfServiceUrls);
      return deliver({ id, type, timestamp: new Date(putAt).toISOString(), data });
    },
    close: webhooks.close,
  };
}
