/**
 * The types that the files of `letters/` share: a letter, a transport that sends letters, and the outcome of an
 * attempt. The constants say how long an attempt may take. @module
 */
import type { Sender } from "../config/mod.ts";
import type { Runtime } from "../runtime/mod.ts";

/** The longest time of an attempt, in milliseconds. It is shorter than the lease on the letter. */
export const ATTEMPT_MS = 60_000;

/** The longest time of a login without a letter, in milliseconds. */
export const CHECK_MS = 10_000;

/**
 * The file of a picture that a letter includes. The HTML of the letter refers to the file by `cid:` and the
 * `Content-ID` (RFC 2392).
 */
export interface PictureFile {
  /** The `Content-ID` without angle brackets. */
  contentId: string;
  /** The name of the file in mail programs that show the picture as an attachment. */
  name: string;
  contentType: string;
  /** The bytes in base64, so that they are encoded once and not for each letter. */
  base64: string;
}

/** A letter without its recipient. */
export interface LetterText {
  subject: string;
  /** The letter as plain text, for mail programs that show no HTML. */
  text: string;
  html: string;
  /** The files of the pictures that the HTML shows. */
  pictureFiles: PictureFile[];
  /** The headers besides `From`, `To`, `Subject` and `Date`. */
  headers: { "Message-ID": string; [name: string]: string };
}

/** A letter to one recipient. */
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

/** A way to send letters: a mail server, a mail API, or a folder. */
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
  /** Ends the attempts that are running, and closes all connections, if the transport has any. */
  close: () => void;
}

/** The options of all transports. */
export interface TransportOptions extends Pick<Runtime, "now"> {
  /** The sender that recipients see. */
  from: Sender;
  /** The envelope's sender in SMTP, to which bounces go. By default, it is the address of `from`. */
  returnPath?: string | undefined;
  /** The longest time of an attempt, in milliseconds. By default, it is {@linkcode ATTEMPT_MS}. */
  deadlineMs?: number;
}
