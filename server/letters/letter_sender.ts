/**
 * Sends letters: writes the text for the recipient and gives the text to the transport of `MAIL_URL`. This file
 * leaves the order, the rate and the repeated attempts of waiting letters to `work/`. @module
 */
import { base64url } from "jose";
import { type Config, type Sender, senderOf } from "../config/mod.ts";
import type { Brand, BrandColors, Language, Mode } from "../content/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Delivery, SelfServiceUrls, SignUpRecord, WaitingItem } from "../waitlist/mod.ts";
import type { LetterText, MailTransport, SendOutcome } from "./letter.ts";
import { createLetterWriter } from "./letter_texts.ts";
import type { Notify } from "./notices.ts";
import { createMailTransport } from "./transports/mod.ts";

/** The number of random bytes in the id of a test letter. */
const TEST_ID_BYTES = 12;

/** The outcome of a test letter; the names of the members are those of the contract. */
export interface TestLetterOutcome extends Delivery {
  delivered: boolean;
  messageId: string;
}

/** Makes single attempts to send letters, and writes letters that are not sent. */
export interface LetterSender {
  /** How many letters all processes together send in a minute at most. */
  perMinute: number;
  /** The sender that the recipient sees, and the sender in the envelope (SMTP only). Absent for a `file:` folder. */
  senderAddresses: { from: string; envelope?: string } | undefined;
  /** Tries once to send a letter of the outbox to the person of the record. */
  send: (letter: WaitingItem, record: SignUpRecord) => Promise<SendOutcome>;
  /** Tries once to send a letter about trouble to the address of `NOTIFY_TO`. Absent if `NOTIFY_TO` is not set. */
  notify: Notify | undefined;
  /** Tries once to send a test letter. */
  sendTest: SendTestLetter;
  /** Writes the invitation that a wave would send, with links that belong to no person. */
  previewInvitation: PreviewInvitation;
  check: MailTransport["check"];
  capacity: MailTransport["capacity"];
  close: () => void;
}

/** What {@linkcode createLetterSender} needs. */
export interface LetterSenderOptions {
  runtime: Pick<Runtime, "now" | "monotonic" | "random">;
  mail: NonNullable<Config["mail"]>;
  /** The place of the store, because a `file:` folder of `MAIL_URL` lies in the folder of the KV file. */
  kvLocation: Config["kv"];
  notifyTo: string | undefined;
  unconfirmedDays: number;
  /** How long the service keeps its backups, in days. Absent if it makes no backups. */
  backupDays: number | undefined;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address that letters show. */
  contact: string;
  /** The contact address as it is configured. Answers to letters go to this address if it is a `mailto:` address. */
  replyTo: string | undefined;
  site: LetterSite;
  selfServiceUrls: SelfServiceUrls;
}

/** The values of the site that letters show. */
export interface LetterSite {
  siteName: string;
  brand: Brand;
  languages: Language[];
  colors: Readonly<Record<Mode, BrandColors>>;
  /** The postal address, with one entry for each line. */
  address?: string[] | undefined;
}

/** The link of an invitation that is about no person on the list, and the date-time at which the invitation expires. */
export interface InvitationOfNobody {
  invitationUrl: string;
  /** Absent for an invitation that never expires. */
  expiresAt?: string;
}

/** Writes the invitation that a wave would send, in one language. `sender` is the sender that the recipient sees. */
export type PreviewInvitation = (
  lang: string,
  invitation: InvitationOfNobody,
) => LetterText & { sender: Sender };

/**
 * Tries once to send a test letter, which is about no person on the list.
 * @param invitation if given, the letter is this invitation
 */
export type SendTestLetter = (
  to: string,
  lang: string,
  invitation?: InvitationOfNobody,
) => Promise<TestLetterOutcome>;

/** Makes the sender of letters. @throws a `ConfigError` that names a file of `content/` and its fault */
export function createLetterSender(options: LetterSenderOptions): LetterSender {
  const { mail, kvLocation, notifyTo, baseUrl, site, selfServiceUrls } = options;
  const { now, monotonic, random } = options.runtime;
  const { target, returnPath, perMinute } = mail;
  const writeLetter = createLetterWriter({
    languages: site.languages,
    siteName: site.siteName,
    brand: site.brand,
    colors: site.colors,
    address: site.address,
    baseUrl,
    contact: options.contact,
    replyTo: options.replyTo,
    unconfirmedDays: options.unconfirmedDays,
    backupDays: options.backupDays,
  });
  const from = senderOf(mail, { siteName: site.siteName, baseUrl });
  const transport = createMailTransport({
    target,
    kvLocation,
    from,
    returnPath,
    now,
    monotonic,
  });
  const envelope = target.kind === "smtp" ? returnPath ?? from.address : undefined;

  /**
   * Gives the links for a letter that is about no person. Both links lead to the page on which people ask for the link
   * to their own page, or to the home page if there is no such page.
   */
  function linksWithoutPerson(lang: string) {
    const { asking } = site.languages.find((language) => language.lang === lang)?.selfService ?? {};
    const url = `${baseUrl}${asking?.path ?? "/"}`;
    return { placeUrl: url, leaveUrl: url };
  }

  function createNotifier(to: string): Notify {
    return async ({ id, lang, describe }) => {
      const letter = writeLetter({
        kind: "attention",
        id,
        lang,
        sentences: describe(lang).map(({ message }) => message),
        overviewUrl: `${baseUrl}/operator/`,
        ...linksWithoutPerson(lang),
      });
      const outcome = await transport.send({ ...letter, id, to });
      return outcome.kind === "taken" ? undefined : outcome.reason;
    };
  }

  return {
    perMinute,
    senderAddresses: target.kind === "folder"
      ? undefined
      : { from: from.address, ...envelope !== undefined && { envelope } },
    notify: notifyTo === undefined ? undefined : createNotifier(notifyTo),
    async send({ id, item: { email, message } }, record) {
      if (!("letter" in message)) throw new Error("The outbox item is an event and not a letter");
      const { letter: kind, invitationUrl } = message;
      const { lang, expiresAt } = record;
      const letter = writeLetter({
        id,
        lang,
        placeUrl: selfServiceUrls.pageUrl(lang, email, record.id),
        leaveUrl: selfServiceUrls.leaveUrl(email, record.id),
        ...kind === "invitation"
          ? {
            kind,
            invitationUrl: requireInvitationUrl(invitationUrl),
            ...expiresAt && { expiresAt },
          }
          : { kind },
      });
      const outcome = await transport.send({ ...letter, id, to: email });
      const messageId = letter.headers["Message-ID"];
      return outcome.kind === "taken" ? { ...outcome, messageId } : outcome;
    },
    async sendTest(to, lang, invitation) {
      const id = `test-${base64url.encode(random(TEST_ID_BYTES))}`;
      const at = now();
      const begunAt = monotonic();
      const kindAndLink = invitation
        ? { kind: "invitation" as const, ...invitation }
        : { kind: "test" as const };
      const letter = writeLetter({ ...kindAndLink, id, lang, ...linksWithoutPerson(lang) });
      const outcome = await transport.send({ ...letter, id, to });
      const delivered = outcome.kind === "taken";
      const answer = (delivered ? outcome.answer : outcome.reason) ?? "";
      const messageId = letter.headers["Message-ID"];
      return { delivered, at, ms: Math.round(monotonic() - begunAt), answer, messageId };
    },
    previewInvitation(lang, invitation) {
      const letter = writeLetter({
        kind: "invitation",
        id: "preview",
        lang,
        ...invitation,
        ...linksWithoutPerson(lang),
      });
      return { ...letter, sender: from };
    },
    check: transport.check,
    capacity: transport.capacity,
    close: transport.close,
  };
}

/** Gives the link of an invitation. @throws an Error if the outbox item has no link. Such an item is damaged */
function requireInvitationUrl(invitationUrl: string | undefined): string {
  if (invitationUrl) return invitationUrl;
  throw new Error("The invitation in the outbox has no link");
}
