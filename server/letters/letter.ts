/** The types that the parts of `letters/` share: a letter, a way to send it, and the outcome. @module */
import type { Sender } from "../config/mod.ts";
import type { Runtime } from "../runtime/mod.ts";

/** A file that is a part of a letter. The HTML of the letter refers to it by `cid:` and the `Content-ID` (RFC 2392). */
export interface LetterPart {
  /** The `Content-ID` without angle brackets. */
  contentId: string;
  /** The name of the file in mail programs that show the part as an attachment. */
  name: string;
  contentType: string;
  /** The bytes in base64, so that they are encoded once and not for each letter. */
  base64: string;
}

/** A letter without its recipient. */
export interface LetterText {
  subject: string;
  text: string;
  html: string;
  /** The pictures that the HTML shows. */
  parts: LetterPart[];
  /** The headers besides `From`, `To`, `Subject` and `Date`. */
  headers: Record<string, string>;
}

export interface OutgoingLetter extends LetterText {
  /** The id of the letter. It stays the same over all attempts. */
  id: string;
  /** The recipient's address. */
  to: string;
}

/**
 * The outcome of an attempt to send a letter. `reason` and `answer` are short texts of the server or of this program,
 * without the recipient's address.
 */
export type SendOutcome =
  | { kind: "taken"; answer?: string; messageId?: string }
  /** The recipient has no mailbox at this address, so no letter can reach it. */
  | { kind: "refused_recipient"; reason: string }
  /** The server will never accept this letter. */
  | { kind: "refused_letter"; reason: string }
  /** The server may accept this letter later. Other letters are not affected. */
  | { kind: "try_later"; reason: string }
  /** The server accepts no letter at present. It may ask for a pause of `retryAfterMs` milliseconds. */
  | { kind: "paused"; reason: string; retryAfterMs?: number };

export interface MailTransport {
  /**
   * Makes one attempt to send a letter. The attempt ends within {@linkcode ATTEMPT_MS}. Expected failures are
   * outcomes.
   */
  send: (letter: OutgoingLetter) => Promise<SendOutcome>;
  /** Tries to log in, without a letter. @throws an Error that says why the login failed */
  check?: () => Promise<void>;
  /** Gives how many more letters the transport accepts at present. Without this function, there is no limit. */
  capacity?: () => number;
  close: () => void;
}

export interface TransportOptions extends Pick<Runtime, "now"> {
  from: Sender;
  /** The envelope's sender in SMTP, to which bounces go. By default, it is the address of `from`. */
  returnPath?: string | undefined;
  /** The longest time of an attempt, in milliseconds. By default, it is {@linkcode ATTEMPT_MS}. */
  deadlineMs?: number;
}

/** The longest time of an attempt, in milliseconds. It is shorter than the lease on the letter. */
export const ATTEMPT_MS = 60_000;

/** The longest time of a login without a letter, in milliseconds. */
export const CHECK_MS = 10_000;
