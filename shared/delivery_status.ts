/**
 * Which enhanced status codes (RFC 3463) say that no letter reaches a person: one table for the answers of a mail server,
 * the reports of mail providers, and saved bounces. @module
 */

/** A mailbox or a domain that does not exist, or takes no mail (RFC 3463, RFC 7505); all others are about the letter. */
const NO_MAILBOX: ReadonlySet<string> = new Set([
  "5.1.1",
  "5.1.2",
  "5.1.3",
  "5.1.6",
  "5.1.10",
  "5.4.4",
]);

/** An enhanced status code at the beginning of a text; a comment may follow. */
const STATUS = /^[245]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/** Gives the enhanced status code at the beginning of a text; `undefined` where the text begins otherwise. */
export const readStatus = (text: string): string | undefined => STATUS.exec(text.trim())?.[0];

/** Gives the enhanced status code of a mail server's answer, which follows the reply code (RFC 2034). */
export function statusOfReply(reply: string): string | undefined {
  const [, afterCode] = /^\d{3}[ -](.*)/.exec(reply) ?? [];
  return afterCode === undefined ? undefined : readStatus(afterCode);
}

/** Whether a status ends the letters to the person; `undefined` where the text is no enhanced status code. */
export function endsLetters(text: string | undefined): boolean | undefined {
  const status = text === undefined ? undefined : readStatus(text);
  return status === undefined ? undefined : NO_MAILBOX.has(status);
}
