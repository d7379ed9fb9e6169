/**
 * Which enhanced status codes (RFC 3463) mean that no letter can reach an address. The answers of mail servers, the
 * reports of mail providers and saved bounces are judged by the same table.
 *
 * @module
 */

/**
 * The codes for a mailbox or a domain that does not exist or accepts no mail (RFC 3463, RFC 7505). Every other code is
 * about the letter, the sender or a passing state.
 */
const NO_MAILBOX: ReadonlySet<string> = new Set([
  "5.1.1",
  "5.1.2",
  "5.1.3",
  "5.1.6",
  "5.1.10",
  "5.4.4",
]);

/** Matches an enhanced status code at the beginning of a text; a comment may follow. */
const STATUS = /^[245]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/** Returns the enhanced status code at the beginning of a text; `undefined` if there is none. */
export const readStatus = (text: string): string | undefined => STATUS.exec(text.trim())?.[0];

/**
 * Returns the enhanced status code in a mail server's answer. The code stands after the reply code (RFC 2034): `550
 * 5.1.1 …`.
 */
export function statusOfReply(reply: string): string | undefined {
  const [, afterCode] = /^\d{3}[ -](.*)/.exec(reply) ?? [];
  return afterCode === undefined ? undefined : readStatus(afterCode);
}

/**
 * Whether the enhanced status code at the beginning of a text means that no letter can reach the address; `undefined`
 * if the text begins with no status code.
 */
export function isUndeliverableStatus(text: string | undefined): boolean | undefined {
  const status = text === undefined ? undefined : readStatus(text);
  return status === undefined ? undefined : NO_MAILBOX.has(status);
}
