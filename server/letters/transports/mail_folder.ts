import type { Runtime } from "../../runtime/mod.ts";
import { join } from "node:path";
import type { Sender } from "../../config/mod.ts";
import { composeMail } from "./compose.ts";
import { type MailTransport, reasonWithout } from "../letter.ts";

/** The settings of writing letters to a folder. */
export interface MailFolderOptions extends Pick<Runtime, "now"> {
  /** The path of the folder; it is made if it is missing. */
  folder: string;
  from: Sender;
}

/** Letters have addresses and links to people's pages, so they are for the service's account alone. */
const FOLDER_MODE = 0o700, FILE_MODE = 0o600;

/** Writes each letter to a file of its own, `<id>.eml`, for trying out. */
export function createMailFolder({ folder, from, now }: MailFolderOptions): MailTransport {
  return {
    async send(letter) {
      const message = await composeMail(letter, { from, date: new Date(now()) });
      const part = join(folder, `.${letter.id}.part`);
      try {
        await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
        await Deno.writeFile(part, message, { mode: FILE_MODE });
        // Under its own name a letter is always whole.
        await Deno.rename(part, join(folder, `${letter.id}.eml`));
        return { kind: "sent" };
      } catch (error) {
        return { kind: "paused", reason: reasonWithout(letter.to, (error as Error).message) };
      }
    },
    close() {},
  };
}
