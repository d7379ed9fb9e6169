/** Letters and events: their texts, how they are sent, and the work on the outbox, which the store keeps. @module */
import { base64url } from "jose";
import { type Config, senderOf } from "../config/mod.ts";
import { createNetworkLetterLimit } from "../limits/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import { type Runtime, withDeadline } from "../runtime/mod.ts";
import type { Kv } from "../store/kv/mod.ts";
import { createMailState, type OutboxOptions, rescheduleSkewed } from "../store/outbox/mod.ts";
import { viewOutbox } from "../store/outbox/mod.ts";
import { createOutboxStore } from "../store/people/mod.ts";
import { aboutOf, type Delivery, type SelfServiceUrls } from "../waitlist/mod.ts";
import type { SignUpRecord, WaitingItem } from "../waitlist/mod.ts";
import { toReason } from "./letter.ts";
import { createLetters, type LettersOptions } from "./letter_texts.ts";
import { startNotices, type Tell } from "./notices.ts";
import { createMailTransport } from "./transports/mod.ts";
import { createEventSender } from "./webhooks.ts";
import { createOutboxWorker, createRefusalLog, watchClockSkew } from "./work/mod.ts";
export { createCaller } from "./call.ts";
export type { LetterText } from "./letter.ts";
export { createMailHooks, type MailHooks } from "./hooks/mod.ts";
export { refusalIn } from "./webhooks.ts";
export { createLetters } from "./letter_texts.ts";
export { describeMail } from "./transports/mod.ts";
export { LEASE_MS } from "./work/mod.ts";

/** In milliseconds: between two looks at the outbox, and for what is being sent after the signal to stop. */
const BEAT_MS = 1_000, SETTLE_MS = 1_000;

/** What became of a letter by which mail is tried out. */
export interface TestedLetter extends Delivery {
  delivered: boolean;
  messageId: string;
}

interface LetterOptions {
  kv: Kv;
  runtime: Runtime;
  /** Where letters go; without it, none are sent. */
  mail: Config["mail"];
  /** The store beside whose file a folder of letters is. */
  mailFolderBeside: Config["kv"];
  notifyTo: Config["notifyTo"];
  /** Where answers to letters go, as far as an address is configured. */
  replyTo: Config["contact"];
  webhook: Config["webhook"];
  backup: Config["backup"];
  unconfirmedDays: number;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address that letters name. */
  contact: string;
  site: Pick<LettersOptions, "siteName" | "languages" | "colors" | "address">;
  selfServiceUrls: SelfServiceUrls;
  metrics: Metrics | undefined;
}

export async function startLetters(options: LetterOptions) {
  const { kv, runtime, webhook, backup, selfServiceUrls, metrics } = options;
  const { now, monotonic, random, repeat, log } = runtime;
  let isClosed = false;
  const letters = createLetterSender(options);
  const events = createEventSender(webhook, { now, monotonic, random, selfServiceUrls });
  const refusals = createRefusalLog({ log, monotonic });
  const store = createOutboxStore(kv, {
    monotonic,
    onOutcome(item, reason) {
      refusals.note(item, reason);
      metrics?.countOutcome(...aboutOf(item.message), reason === undefined ? "sent" : "refused");
    },
  });
  const mail = createMailState(kv);
  const worker = createOutboxWorker({ now, log, store, mail, letters, sendEvent: events?.send });
  const reschedule = watchClockSkew((options) => rescheduleSkewed(kv, options), { now, monotonic });
  const beat = async () => {
    // What fails is tried again at the next beat; the worker says that KV does not answer.
    if (await reschedule().catch(() => false)) worker.wake();
    await worker.beat();
    refusals.beat();
  };
  const beats = repeat(BEAT_MS, beat);
  const tellBy = { letter: letters?.tell, event: events?.tell };
  const notices = await startNotices(tellBy, { kv, runtime, backup });
  const view = metrics && await viewOutbox(kv, repeat);
  if (view) metrics.reportOutbox(view.get);
  const outbox: OutboxOptions = {
    letters: letters !== undefined,
    events: events !== undefined,
    random,
    networkDelay: createNetworkLetterLimit({ monotonic }),
    onPut: worker.wake,
  };
  return {
    outbox,
    /** Does once what is done by timers: sends the letters of this second. Gives whether more is due. */
    async work(): Promise<boolean> {
      worker.wake();
      await Promise.all([beat(), notices?.run()]);
      await worker.settled();
      return worker.hasMore();
    },
    /** Sends a test event, which is about no person. Absent without a webhook. */
    sendTestEvent: events?.sendTest,
    sender: letters?.sender,
    /** Sends one letter to an address, in a language. Absent without mail. */
    sendTestLetter: letters?.sendTest,
    /**
     * Tries once to log in where letters go, without a letter, and logs whether mail works. If it does, the next letter
     * finds out at once whether a pause is over, as somebody may have mended what it came from.
     */
    async checkMail(): Promise<void> {
      if (!letters) return;
      try {
        await letters.check?.();
      } catch (thrown) {
        const error = toReason((thrown as Error).message);
        const advice = "look at MAIL_URL and MAIL_TOKEN; letters wait until they are taken";
        if (!isClosed) log.error("mail does not work", { error, advice });
        return;
      }
      log.info("mail works");
      // Where KV does not answer, the pause ends by its time.
      await mail.probe(now()).catch(() => {});
    },
    previewInvitation: letters?.previewInvitation,
    /** Ends the work; what is being sent has a second to finish, and is tried again after its lease if not. */
    async close() {
      isClosed = true;
      await Promise.all([beats.close(), view?.close(), notices?.close()]);
      await withDeadline(SETTLE_MS, worker.settled).catch(() => {});
      worker.stop();
      refusals.close();
      letters?.close();
      events?.close();
    },
  };
}

function createLetterSender(options: LetterOptions) {
  const { mail, mailFolderBeside, notifyTo, baseUrl, site, selfServiceUrls } = options;
  if (!mail) return undefined;
  const { siteName, languages } = site;
  const { now, monotonic, random } = options.runtime;
  const write = createLetters({
    baseUrl,
    siteName,
    languages,
    colors: site.colors,
    address: site.address,
    contact: options.contact,
    replyTo: options.replyTo,
    unconfirmedDays: options.unconfirmedDays,
  });
  const from = senderOf(mail, { siteName, baseUrl });
  const { target, returnPath, perMinute } = mail;
  const transport = createMailTransport({
    target,
    mailFolderBeside,
    from,
    returnPath,
    now,
    monotonic,
  });
  /** The page that asks for an address, for letters that are about no person. */
  const urlsWithoutPerson = (lang: string) => {
    const { entry } = languages.find((each) => each.lang === lang)?.selfService ?? {};
    const url = `${baseUrl}${entry?.path ?? "/"}`;
    return { placeUrl: url, leaveUrl: url };
  };
  const { kind: way } = target;
  const envelope = way === "smtp" && (returnPath ?? from.address);
  const tell: Tell = async ({ id, lang, describe }) => {
    const own = { kind: "attention", overviewUrl: `${baseUrl}/operator/` } as const;
    const sentences = describe(lang).map(({ message }) => message);
    const text = write({ ...own, id, lang, sentences, ...urlsWithoutPerson(lang) });
    const outcome = await transport.send({ ...text, id, to: notifyTo! });
    return outcome.kind === "sent" ? undefined : outcome.reason;
  };
  return {
    ...transport,
    sender: way !== "folder" ? { from: from.address, ...envelope && { envelope } } : undefined,
    perMinute,
    tell: notifyTo === undefined ? undefined : tell,
    async send({ id, item: { email, message } }: WaitingItem, record: SignUpRecord) {
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
      const outcome = await transport.send({ ...text, id, to: email });
      const messageId = text.headers["Message-ID"];
      return outcome.kind === "sent" && messageId ? { ...outcome, messageId } : outcome;
    },
    previewInvitation(lang: string, invitationUrl: string) {
      const values = { kind: "invitation", id: "preview", lang, invitationUrl } as const;
      return write({ ...values, ...urlsWithoutPerson(lang) });
    },
    /** Sends a test letter, which is about no person on the list; gives what the server said. */
    async sendTest(to: string, lang: string): Promise<TestedLetter> {
      const id = `test-${base64url.encode(random(12))}`;
      const [at, began] = [now(), monotonic()];
      const text = write({ kind: "test", id, lang, ...urlsWithoutPerson(lang) });
      const outcome = await transport.send({ ...text, id, to });
      const delivered = outcome.kind === "sent";
      const answer = (delivered ? outcome.answer : outcome.reason) ?? "";
      const messageId = text.headers["Message-ID"] ?? "";
      return { delivered, at, ms: Math.round(monotonic() - began), answer, messageId };
    },
  };
}
