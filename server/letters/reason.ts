/**
 * Makes short lines without personal data from the messages of servers and libraries, for the log and the outbox.
 * @module
 */

/** The longest line that these functions give, in characters. */
const REASON_LENGTH = 200;

/** How much of a text these functions read, in characters. */
const READ_LENGTH = 1_000;

/**
 * Makes one short line from a message of this program, its libraries or the runtime. The line has no e-mail addresses
 * and no links to self-service pages.
 */
export const toReason = (text: string): string => shorten(withoutAddresses(text));

/** The code and the enhanced status code (RFC 3463) at the beginning of a mail server's answer. */
const REPLY_CODE = /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\w.])/;

/**
 * Makes one short line from the words of another server about a letter or an event. Does the same as {@linkcode
 * toReason}, and also leaves out the recipient's local part, because some servers quote this part alone ("user ada is
 * unknown").
 *
 * Do not pass the program's own words to this function, because it would leave out a word that equals the local part.
 */
export function reasonWithoutRecipient(recipient: string | undefined, answer: string): string {
  if (recipient === undefined) return toReason(answer);
  const text = withoutAddresses(answer);
  // The code is left as it is, because the local part can be the same number as the code.
  const [code = ""] = REPLY_CODE.exec(text) ?? [];
  const localPart = RegExp.escape(recipient.slice(0, recipient.lastIndexOf("@")));
  const localPartAsWord = new RegExp(`(?<![\\p{L}\\p{N}])${localPart}(?![\\p{L}\\p{N}])`, "giu");
  return shorten(code + text.slice(code.length).replace(localPartAsWord, "…"));
}

/** Shortens a text. Removes a lone surrogate (the half of a character), which the cut may leave at the end. */
const shorten = (text: string) => text.trim().slice(0, REASON_LENGTH).replaceAll(/\p{Cs}/gu, "");

const withoutAddresses = (text: string): string =>
  text.slice(0, READ_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\S*(?:@|%40)\S*/gi, "…")
    // Removes links with a self-service token, and parts of such a token that are long enough to identify the person.
    .replace(/\S*(?:[?&]t=|[\w-]{40})\S*/g, "…")
    .trim();
