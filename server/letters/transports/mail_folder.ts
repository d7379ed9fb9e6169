/**
 * Writes letters as files into a folder in place of sending them, so that an operator can try the service out. @module
 */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { createFile, PRIVATE_FOLDER_MODE } from "../../../shared/private_files.ts";
import { refuseOpenFolder } from "../../config/mod.ts";
import type { MailTransport, TransportOptions } from "../letter.ts";
import { toReason } from "../reason.ts";
import { composeMessage } from "./mail_message.ts";

/**
 * Makes the transport that writes each letter to a file `<id>.eml` in a folder. The transport makes the folder if it
 * is missing.
 */
export function createMailFolder(
  { folder, from, now }: TransportOptions & { folder: string },
): MailTransport {
  return {
    async send(letter) {
      const message = await composeMessage(letter, from, now());
      const unfinishedPath = join(folder, `.${letter.id}.part`);
      try {
        await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
        await refuseOpenFolder("MAIL_URL", folder);
        await using file = await createFile(unfinishedPath);
        await file.writeFile(message);
        // The file gets its own name only when it is complete, so that no reader sees a part of a letter.
        await rename(unfinishedPath, join(folder, `${letter.id}.eml`));
        return { kind: "taken", answer: `written to ${letter.id}.eml` };
      } catch (error) {
        return { kind: "paused", reason: toReason((error as Error).message) };
      }
    },
    close() {},
  };
}
