/**
 * Letters and events: starts the work on the outbox and the notices to operators, and reports the state of the outbox
 * to the metrics. @module
 */
import type { Config } from "../config/mod.ts";
import { createNetworkLetterLimit } from "../limits/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import { type Runtime, withDeadline } from "../runtime/mod.ts";
import type { Kv } from "../store/kv/mod.ts";
import {
  createMailState,
  type OutboxOptions,
  rescheduleSkewed,
  viewOutbox,
} from "../store/outbox/mod.ts";
import { createOutboxStore, readReferrals } from "../store/people/mod.ts";
import { type Delivery, kindOfMessage, type SelfServiceUrls } from "../waitlist/mod.ts";
import { createEventSender } from "./event_sender.ts";
import {
  createLetterSender,
  type LetterSender,
  type LetterSite,
  type PreviewInvitation,
  type SendTestLetter,
} from "./letter_sender.ts";
import { startNotices } from "./notices.ts";
import { toReason } from "./reason.ts";
import { createOutboxWorker, createRefusalLog, createSkewSearch } from "./work/mod.ts";
export { createMailHooks, type MailHooks } from "./hooks/mod.ts";
export type { LetterText } from "./letter.ts";
export type { PreviewInvitation, SendTestLetter } from "./letter_sender.ts";
export { lettersLackLogo } from "./letter_pictures.ts";
export { createLetterWriter } from "./letter_texts.ts";
export { describeMail } from "./transports/mod.ts";
export { refusalIn } from "./event_sender.ts";
export { lastAttemptAt, LEASE_MS } from "./work/mod.ts";

/** The time between two rounds of work on the outbox, in milliseconds. */
const ROUND_MS = 1_000;

/** How long the attempts that are running may still take after a call of `close()`, in milliseconds. */
const SETTLE_MS = 1_000;

/** What {@linkcode startLetters} needs. */
export interface StartLettersOptions {
  kv: Kv;
  runtime: Runtime;
  /** The mail server, the sender and the rate. Absent if no letters are sent. */
  mail: Config["mail"];
  /** The place of the store, because a `file:` folder of `MAIL_URL` lies in the folder of the KV file. */
  kvLocation: Config["kv"];
  notifyTo: Config["notifyTo"];
  /** The contact address as it is configured. Answers to letters go to this address if it is a `mailto:` address. */
  replyTo: Config["contact"];
  /** The URL to which events are sent, and the secrets that sign them. Absent if no events are sent. */
  webhook: Config["webhook"];
  backup: Config["backup"];
  unconfirmedDays: number;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address that letters show. */
  contact: string;
  site: LetterSite;
  selfServiceUrls: SelfServiceUrls;
  metrics: Metrics | undefined;
}

/** The work on letters and events, which goes on by timers, and the calls that the other parts of the service make. */
export interface Letters {
  /** What the store needs to put letters and events into the outbox. */
  outbox: OutboxOptions;
  /**
   * Does one round of the work that otherwise runs by timers: sends the letters and events that are due. Gives whether
   * more are due.
   */
  work: () => Promise<boolean>;
  /** The sender that recipients see, and the sender in the envelope. Absent without mail, and for a `file:` folder. */
  sender: LetterSender["senderAddresses"];
  /** Sends a test letter, or an invitation that is about no person on the list. Absent without mail. */
  sendTestLetter: SendTestLetter | undefined;
  /** Sends a test event, which is about no person. Absent without a webhook. */
  sendTestEvent: (() => Promise<Delivery>) | undefined;
  /** Writes the invitation that a wave would send. Absent without mail. */
  previewInvitation: PreviewInvitation | undefined;
  /**
   * Tries once to log in to the mail server or the mail API, without a letter, and logs whether mail works. A `file:`
   * folder counts as working, and without mail nothing happens. After a success, the next letter is tried in spite of
   * a pause, because an operator may have removed the cause of the pause. The promise never rejects.
   */
  checkMail: () => Promise<void>;
  /** Ends the work. If an attempt is not over within a second, its item is sent again after the item's lease. */
  close: () => Promise<void>;
}

/** Starts the work on letters and events. The work goes on by timers until it is closed. */
export async function startLetters(options: StartLettersOptions): Promise<Letters> {
  const { kv, runtime, mail, webhook, backup, selfServiceUrls, metrics } = options;
  const { now, monotonic, random, repeat, log } = runtime;
  let isClosed = false;
  const letterSender = mail && createLetterSender({
    runtime,
    mail,
    kvLocation: options.kvLocation,
    notifyTo: options.notifyTo,
    unconfirmedDays: options.unconfirmedDays,
    // The service makes one backup a day.
    backupDays: backup?.keep,
    baseUrl: options.baseUrl,
    contact: options.contact,
    replyTo: options.replyTo,
    site: options.site,
    selfServiceUrls,
  });
  const eventSender = createEventSender({
    webhook,
    selfServiceUrls,
    readReferrals: (records) => readReferrals(kv, records),
    now,
    monotonic,
    random,
  });
  const refusalLog = createRefusalLog({ log, monotonic });
  const store = createOutboxStore(kv, {
    monotonic,
    onOutcome(item, reason) {
      const outcome = reason === undefined ? "sent" : "refused";
      if (reason !== undefined) refusalLog.note(item, reason);
      metrics?.countOutcome(...kindOfMessage(item.message), outcome);
    },
  });
  const mailState = createMailState(kv);
  const worker = createOutboxWorker({
    store,
    mailState,
    letterSender,
    sendEvent: eventSender?.send,
    now,
    log,
  });
  const searchSkewedItems = createSkewSearch({
    rescheduleSkewed: (options) => rescheduleSkewed(kv, options),
    now,
    monotonic,
  });
  async function runRound(): Promise<void> {
    // A failure is ignored here, because the next round tries again, and the worker logs that KV does not answer.
    if (await searchSkewedItems().catch(() => false)) worker.wake();
    await worker.work();
    refusalLog.writeDue();
  }
  const rounds = repeat(ROUND_MS, runRound);
  const notices = await startNotices({
    notifyBy: { letter: letterSender?.notify, event: eventSender?.notify },
    kv,
    runtime,
    backup,
  });
  const outboxView = metrics && await viewOutbox(kv, repeat);
  if (outboxView) metrics.reportOutbox(outboxView.get);

  async function checkMail(): Promise<void> {
    if (!letterSender) return;
    try {
      await letterSender.check?.();
    } catch (thrown) {
      const error = toReason((thrown as Error).message);
      const advice = "check MAIL_URL and MAIL_TOKEN; letters wait until the mail server takes them";
      if (!isClosed) log.error("mail does not work", { error, advice });
      return;
    }
    log.info("mail works");
    // A failure is ignored, because the pause then ends later, at its stored time.
    await mailState.endWait(now()).catch(() => {});
  }

  return {
    outbox: {
      sendsLetters: letterSender !== undefined,
      sendsEvents: eventSender !== undefined,
      random,
      networkDelay: createNetworkLetterLimit({ monotonic }),
      onPut: worker.wake,
    },
    async work() {
      worker.wake();
      await Promise.all([runRound(), notices?.run()]);
      await worker.settled();
      return worker.hasMore();
    },
    sender: letterSender?.senderAddresses,
    sendTestLetter: letterSender?.sendTest,
    sendTestEvent: eventSender?.sendTest,
    previewInvitation: letterSender?.previewInvitation,
    checkMail,
    async close() {
      isClosed = true;
      await Promise.all([rounds.close(), outboxView?.close(), notices?.close()]);
      await withDeadline(SETTLE_MS, worker.settled).catch(() => {});
      worker.stop();
      refusalLog.close();
      letterSender?.close();
      eventSender?.close();
    },
  };
}
