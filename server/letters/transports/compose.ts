import type { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Sender } from "../../config/mod.ts";
import type { OutgoingLetter } from "../letter.ts";

/** Makes the bytes of a message (RFC 5322). @param now milliseconds since 1970 */
export function composeMail(
  { to, subject, text, html, headers }: OutgoingLetter,
  from: Sender,
  now: number,
): Promise<Buffer> {
  return new MailComposer({
    from,
    // An object is taken as it is. A string would be parsed, and could hold several addresses.
    to: { name: "", address: to },
    subject,
    text,
    html,
    date: new Date(now),
    headers,
    newline: "windows",
    // A letter is only what is given here.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile().build();
}
