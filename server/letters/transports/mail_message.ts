/** Composes the message of a letter, as a mail server or a file gets it. @module */
import type { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Sender } from "../../config/mod.ts";
import type { OutgoingLetter } from "../letter.ts";

/** Makes the bytes of a message (RFC 5322). @param now milliseconds since 1970 */
export function composeMessage(
  { to, subject, text, html, pictureFiles, headers }: OutgoingLetter,
  from: Sender,
  now: number,
): Promise<Buffer> {
  return new MailComposer({
    from,
    // Nodemailer takes an object as it is. It would parse a string, which could hold several addresses.
    to: { name: "", address: to },
    subject,
    text,
    html,
    attachments: pictureFiles.map(({ contentId, name, contentType, base64 }) => ({
      cid: contentId,
      filename: name,
      contentType,
      contentDisposition: "inline",
      content: base64,
      encoding: "base64",
    })),
    date: new Date(now),
    headers,
    newline: "windows",
    // Nodemailer never has to read a file or a URL, because the values above are the whole content.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile().build();
}
