import { join } from "node:path";
import { type MailTransport, reasonWithout, type TransportOptions } from "../letter.ts";
import { composeMail } from "./compose.ts";

/** Letters have addresses and links to people's pages, so they are for the service's account alone. */
const FOLDER_MODE = 0o700, FILE_MODE = 0o600;

/** Writes each letter to a file `<id>.eml`, for trying out. A missing folder is made. */
export function createMailFolder(
  { folder, from, now }: TransportOptions & { folder: string },
): MailTransport {
  return {
    async send(letter) {
      const message = await composeMail(letter, from, now());
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
