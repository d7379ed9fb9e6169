/**
 * Puts the sending of letters together: their texts from `content/`, the links to people's pages, and the mail
 * transport.
 *
 * @module
 */
import type { Runtime } from "../runtime/mod.ts";
import { type Config, contactOf, kvFolder, senderOf } from "../config/mod.ts";
import type { LetterText, SendOutcome } from "./letter.ts";
import { createLetters } from "./letter_texts.ts";
import { createMailTransport } from "./transports/mod.ts";
import type { Language } from "../content/mod.ts";
import type { SelfServiceUrls, SignUpRecord, WaitingItem } from "../waitlist/mod.ts";

/** What {@linkcode createLetterSender} needs besides the configuration. */
export interface LetterSenderOptions extends Pick<Runtime, "now" | "monotonic"> {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The name of the site, and the languages of the letters. */
  site: { siteName: string; languages: Language[] };
  selfServiceUrls: SelfServiceUrls;
}

/** Writes letters, and sends them. */
export interface LetterSender {
  /** Sends a letter of the outbox. */
  send: (item: WaitingItem, record: SignUpRecord) => Promise<SendOutcome>;
  /** Gives how many more letters can be sent at present; any number if absent. */
  room?: (() => number) | undefined;
  /** Writes an invitation as it would be sent. */
  previewInvitation: (lang: string, invitationUrl: string) => LetterText;
  close: () => void;
}

/** Makes the {@linkcode LetterSender} of a configuration that has mail. */
export function createLetterSender(config: Config, options: LetterSenderOptions): LetterSender {
  const { baseUrl, site, selfServiceUrls: { placeUrl, leaveUrl }, now, monotonic } = options;
  const { mail, unconfirmedDays, kv } = config;
  const contact = contactOf(config, baseUrl);
  const write = createLetters({ ...site, contact, baseUrl, unconfirmedDays });
  const transport = createMailTransport({
    target: mail!.target,
    from: senderOf(mail!, { siteName: site.siteName, baseUrl }),
    now,
    monotonic,
    folderBesideKv: (name) => besideKv(kv, name),
  });
  return {
    send({ id, item: { email, message } }, record) {
      if (!("letter" in message)) throw new Error("An event is no letter");
      const { letter: kind, invitationUrl = "" } = message;
      const { lang } = record;
      const text = write({
        id,
        lang,
        placeUrl: placeUrl(lang, email, record.id),
        leaveUrl: leaveUrl(email, record.id),
        ...kind === "invitation" ? { kind, invitationUrl } : { kind },
      });
      return transport.send({ ...text, id, to: email });
    },
    previewInvitation(lang, invitationUrl) {
      const { path = "/" } = site.languages.find((each) => each.lang === lang)?.selfService.entry ??
        {};
      // The page of nobody: it asks for an address.
      const url = `${baseUrl}${path}`;
      return write({
        kind: "invitation",
        id: "preview",
        lang,
        placeUrl: url,
        leaveUrl: url,
        invitationUrl,
      });
    },
    room: transport.room,
    close: transport.close,
  };
}

/** Says where letters go, without the user and the path of the address, which may be secret. */
export function describeMail({ mail, kv }: Config): string {
  if (!mail) return "none, as MAIL_URL is not set";
  const { target } = mail;
  switch (target.kind) {
    case "smtp":
      return `${target.host}:${target.port}`;
    case "api":
      return new URL(target.url).host;
    case "folder":
      return `${besideKv(kv, target.name)}/`;
  }
}

/** The path of a folder beside the KV file. */
const besideKv = (kv: Config["kv"], name: string) =>
  `${kvFolder(kv.kind === "file" ? kv.path : "")}/${name}`;
