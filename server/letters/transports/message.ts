/** A letter as a message of e-mail, and the folder of such messages for trying out. @module */
import type { Buffer } from "node:buffer";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import { createFile, PRIVATE_FOLDER } from "../../../shared/private_files.ts";
import { refuseOpenFolder, type Sender } from "../../config/mod.ts";
import { type MailTransport, type OutgoingLetter, toReason } from "../letter.ts";
import { type TransportOptions } from "../letter.ts";

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

/** Writes each letter to a file `<id>.eml`, for trying out. A missing folder is made. */
export function createMailFolder(
  { folder, from, now }: TransportOptions & { folder: string },
): MailTransport {
  return {
    async send(letter) {
      const message = await composeMail(letter, from, now());
      const part = join(folder, `.${letter.id}.part`);
      try {
        await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
        await refuseOpenFolder("MAIL_URL", folder);
        await using file = await createFile(part);
        await file.writeFile(message);
        // Under its own name a letter is always whole.
        await rename(part, join(folder, `${letter.id}.eml`));
        return { kind: "sent", answer: `written to ${letter.id}.eml` };
      } catch (error) {
        return { kind: "paused", reason: toReason((error as Error).message) };
      }
    },
    close() {},
  };
}
