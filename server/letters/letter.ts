/** What the parts of this folder hand to each other: a letter that is ready, and what became of it. @module */
import type { Sender } from "../config/mod.ts";
import type { Runtime } from "../runtime/mod.ts";

/** What a letter says, with the headers that belong to it alone. */
export interface LetterText {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface OutgoingLetter extends LetterText {
  /** Stays the same over all tries. */
  id: string;
  to: string;
}

/** A reason or an answer is a short text of the server's without the recipient's address. */
export type SendOutcome =
  | { kind: "sent"; answer?: string; messageId?: string }
  /** Nothing reaches the recipient; the letter is never accepted; it may be later, which says nothing about others. */
  | { kind: "refused_recipient" | "refused_letter" | "try_later"; reason: string }
  /** No letter is accepted at present; the server may ask to wait so many milliseconds. */
  | { kind: "paused"; reason: string; retryAfterMs?: number };

export interface MailTransport {
  /** Tries to send a letter; ends within {@linkcode ATTEMPT_MS}. Who sends it knows its Message-ID. */
  send: (letter: OutgoingLetter) => Promise<SendOutcome>;
  /** Tries to log in, without a letter. @throws an Error that says why that failed */
  check?: () => Promise<void>;
  /** Gives how many more letters it takes at present; any number if absent. */
  room?: () => number;
  close: () => void;
}

export interface TransportOptions extends Pick<Runtime, "now"> {
  from: Sender;
  /** The envelope's sender, by SMTP; the address of `from` if absent. */
  returnPath?: string | undefined;
  /** How long a try may take, in milliseconds; {@linkcode ATTEMPT_MS} by default. */
  deadlineMs?: number;
}

/** How long a try may take, in milliseconds: shorter than the lease on the letter. */
export const ATTEMPT_MS = 60_000;

/** How long a try to log in may take, in milliseconds. */
export const CHECK_MS = 10_000;

/** The longest reason, and how much of a server's answer is looked at for it, in characters. */
const REASON_LENGTH = 200, ANSWER_LENGTH = 1_000;

/**
 * Makes one short line of words of this program, its libraries or the runtime: without addresses, and without links to
 * people's pages.
 */
export const toReason = (text: string): string => cut(withoutAddresses(text));

/** The code that begins a mail server's answer, and its enhanced status code: both are no words about a person. */
const REPLY_CODE = /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\w.])/;

/**
 * Makes one short line of what another's server said about a letter: {@linkcode toReason}, and without the recipient's
 * mailbox, because some servers name the mailbox alone ("user ada is unknown"). The program's own words go before or
 * after the result, because a mailbox can have the name of any word.
 */
export function reasonWithout(recipient: string | undefined, said: string): string {
  if (recipient === undefined) return toReason(said);
  const text = withoutAddresses(said);
  const [code = ""] = REPLY_CODE.exec(text) ?? [];
  const mailbox = RegExp.escape(recipient.slice(0, recipient.lastIndexOf("@")));
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${mailbox}(?![\\p{L}\\p{N}])`, "giu");
  return cut(code + text.slice(code.length).replace(alone, "…"));
}

const cut = (text: string) => text.trim().slice(0, REASON_LENGTH);

const withoutAddresses = (text: string): string =>
  text.slice(0, ANSWER_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\S*(?:@|%40)\S*/gi, "…")
    // A link with a token, or the part of the token that names the person.
    .replace(/\S*(?:[?&]t=|[\w-]{40})\S*/g, "…")
    .trim();
