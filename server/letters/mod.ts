/** Letters and events: their texts, how they are sent, and the work on the outbox, which the store keeps. @module */
import { setTimeout as delay } from "node:timers/promises";
import { base64url } from "jose";
import { type Config, senderOf } from "../config/mod.ts";
import { createNetworkBrake } from "../limits/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { OpenKv } from "../store/kv/mod.ts";
import {
  createMailState,
  type OutboxOptions,
  rescheduleSkewed,
  viewOutbox,
} from "../store/outbox/mod.ts";
import { createOutboxStore } from "../store/people/mod.ts";
import {
  aboutOf,
  type SelfServiceUrls,
  type SignUpRecord,
  toExportedSignup,
  type WaitingItem,
} from "../waitlist/mod.ts";
import { createLetters, type LettersOptions } from "./letter_texts.ts";
import { createMailTransport } from "./transports/mod.ts";
import { createWebhooks } from "./webhooks.ts";
import { createOutboxWorker, createRefusalLog, watchClockSkew, watchOutcomes } from "./work/mod.ts";
export type { LetterText } from "./letter.ts";
export { createMailHooks, type MailHooks } from "./hooks/mod.ts";
export { refusalIn } from "./webhooks.ts";
export { createLetters } from "./letter_texts.ts";
export { describeMail } from "./transports/mod.ts";
export { LEASE_MS } from "./work/mod.ts";

/** The interval at which the outbox is looked at, in milliseconds. */
const BEAT_MS = 1_000;

/** How long letters and events that are being sent may take after the signal to stop, in milliseconds. */
const SETTLE_MS = 1_000;

interface LetterOptions extends OpenKv, Runtime, Pick<LettersOptions, "baseUrl" | "contact"> {
  site: Pick<LettersOptions, "siteName" | "languages" | "colors">;
  selfServiceUrls: SelfServiceUrls;
  /** Absent where nothing exports metrics. */
  metrics: Metrics | undefined;
}

export async function startLetters(
  config: Pick<Config, "mail" | "kv" | "unconfirmedDays" | "webhook">,
  options: LetterOptions,
) {
  const { kv, monotonic, random, repeat, metrics } = options;
  const letters = createLetterSender(config, options);
  const events = createEventSender(config.webhook, options);
  const refusals = createRefusalLog(options);
  const store = watchOutcomes(createOutboxStore(kv, options), (item, reason) => {
    refusals.note(item, reason);
    metrics?.countOutcome(...aboutOf(item.message), reason === undefined ? "sent" : "refused");
  });
  const mail = createMailState(kv);
  const worker = createOutboxWorker({ ...options, store, mail, letters, sendEvent: events?.send });
  const reschedule = watchClockSkew((options) => rescheduleSkewed(kv, options), options);
  const beat = async () => {
    // What fails is tried again at the next beat; the worker says that KV does not answer.
    if (await reschedule().catch(() => false)) worker.wake();
    await worker.beat();
    refusals.beat();
  };
  const beats = repeat(BEAT_MS, beat);
  const view = metrics && await viewOutbox(kv, repeat);
  if (view) metrics.reportOutbox(view.get);
  const outbox: OutboxOptions = {
    letters: letters !== undefined,
    events: events !== undefined,
    random,
    throttle: createNetworkBrake({ monotonic }),
    onPut: worker.wake,
  };
  return {
    outbox,
    /** Does once what is done by timers: sends the letters of this second. Gives whether more is due. */
    async work(): Promise<boolean> {
      worker.wake();
      await beat();
      await worker.settled();
      return worker.hasMore();
    },
    /** Sends an event that tells of nobody. Absent without a webhook. */
    sendTestEvent: events?.sendTest,
    /** Writes an invitation as it would be sent. Absent without mail. */
    previewInvitation: letters?.previewInvitation,
    /** Ends the work; what is being sent has a second to finish, and is tried again after its lease if not. */
    async close() {
      await Promise.all([beats.close(), view?.close()]);
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

function createLetterSender(
  { mail, kv, unconfirmedDays }: Pick<Config, "mail" | "kv" | "unconfirmedDays">,
  options: LetterOptions,
) {
  if (!mail) return undefined;
  const { baseUrl, site: { siteName, languages, colors }, selfServiceUrls } = options;
  const write = createLetters({ ...options, siteName, languages, colors, unconfirmedDays });
  const from = senderOf(mail, { siteName, baseUrl });
  const transport = createMailTransport({ target: mail.target, kv }, {
    ...options,
    from,
    returnPath: mail.returnPath,
  });
  return {
    ...transport,
    perMinute: mail.perMinute,
    send({ id, item: { email, message } }: WaitingItem, record: SignUpRecord) {
      if (!("letter" in message)) throw new Error("An event is no letter");
      const { letter: kind, invitationUrl = "" } = message;
      const { lang, expiresAt } = record;
      const text = write({
        id,
        lang,
        placeUrl: selfServiceUrls.placeUrl(lang, email, record.id),
        leaveUrl: selfServiceUrls.leaveUrl(email, record.id),
        ...kind === "invitation"
          ? { kind, invitationUrl, ...expiresAt && { expiresAt } }
          : { kind },
      });
      return transport.send({ ...text, id, to: email });
    },
    previewInvitation(lang: string, invitationUrl: string) {
      const { entry } = languages.find((each) => each.lang === lang)?.selfService ?? {};
      // The page of nobody: it asks for an address.
      const url = `${baseUrl}${entry?.path ?? "/"}`;
      const urls = { placeUrl: url, leaveUrl: url, invitationUrl };
      return write({ kind: "invitation", id: "preview", lang, ...urls });
    },
  };
}

function createEventSender(webhook: Config["webhook"], options: LetterOptions) {
  if (!webhook) return undefined;
  const { now, random, selfServiceUrls } = options;
  const { deliver, close } = createWebhooks({ ...options, ...webhook });
  return {
    close,
    sendTest() {
      const id = `test-${base64url.encode(random(12))}`;
      const timestamp = new Date(now()).toISOString();
      return deliver({ id, type: "webhook.test", timestamp, data: { email: "test@example.com" } });
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
