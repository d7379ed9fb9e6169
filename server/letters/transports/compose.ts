import type { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Sender } from "../../config/mod.ts";
import type { OutgoingLetter } from "../letter.ts";

/** What a message has besides the letter. */
export interface ComposeOptions {
  from: Sender;
  date: Date;
}

/** Makes the bytes of a message (RFC 5322) of a letter: its headers, and its text and HTML as alternatives. */
export function composeMail(
  { to, subject, text, html, headers }: OutgoingLetter,
  { from, date }: ComposeOptions,
): Promise<Buffer> {
  return new MailComposer({
    from,
    // An object is taken as it is. A string would be parsed, and could hold several addresses.
    to: { name: "", address: to },
    subject,
    text,
    html,
    date,
    headers,
    newline: "windows",
    // A letter is only what is given here.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile().build();
}
