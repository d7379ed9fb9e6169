/** Finds in the text of bounces the addresses that get no letters (RFC 3464). @module */

/** The fields of a report that one recipient has, and those of all recipients of one letter. */
const FIELD = /^(original-recipient|final-recipient|action|status):\s*(.*)$/i;

/** Whether a text has a report of a mail server in it, or several. */
export function isBounce(text: string): boolean {
  return /^final-recipient:/im.test(text);
}

/** Gives the addresses for which a server has given up for good: `Action: failed` with a status 5.x.x. */
export function addressesOfBounces(text: string): string[] {
  const found = new Set<string>();
  // A blank line ends the fields of a recipient. Longer fields go on in the next line, after a space.
  for (const block of text.replace(/\r/g, "").replace(/\n[ \t]+/g, " ").split(/\n\s*\n/)) {
    const fields = new Map(
      block.split("\n").flatMap((line) => {
        const [, name = "", value = ""] = FIELD.exec(line) ?? [];
        return name ? [[name.toLowerCase(), value.trim()] as const] : [];
      }),
    );
    const isFailed = fields.get("action")?.toLowerCase() === "failed" &&
      fields.get("status")?.startsWith("5.");
    // The final recipient is another one where the mailbox forwards its letters.
    const recipient = fields.get("original-recipient") ?? fields.get("final-recipient");
    const [, address] = /^rfc822\s*;\s*<?([^<>\s]+)>?$/i.exec(recipient ?? "") ?? [];
    if (isFailed && address) found.add(address.toLowerCase());
  }
  return [...found];
}
