/**
 * The ways in which letters leave: SMTP, a mail API, and a folder for trying out.
 *
 * @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { MailTarget, Sender } from "../../config/mod.ts";
import type { MailTransport } from "../letter.ts";
import { createMailApi } from "./mail_api.ts";
import { createMailFolder } from "./mail_folder.ts";
import { createSmtpTransport } from "./smtp.ts";

/** The settings of sending letters. */
export interface MailTransportOptions extends Pick<Runtime, "now" | "monotonic"> {
  target: MailTarget;
  from: Sender;
  /** Returns the path of a folder beside the KV file. */
  folderBesideKv: (name: string) => string;
}

/** Makes the way to send letters that the configuration names. */
export function createMailTransport(options: MailTransportOptions): MailTransport {
  const { target, from, now, monotonic, folderBesideKv } = options;
  switch (target.kind) {
    case "smtp":
      return createSmtpTransport({ server: target, from, now });
    case "api":
      return createMailApi({ api: target, from, now, monotonic });
    case "folder":
      return createMailFolder({ folder: folderBesideKv(target.name), from, now });
  }
}
