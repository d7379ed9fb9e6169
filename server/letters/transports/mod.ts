/** Chooses by `MAIL_URL` how letters leave: by SMTP, by a mail API, or into a folder. @module */
import { type Config, kvFolder, type MailTarget } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { MailTransport, TransportOptions } from "../letter.ts";
import { createMailApi } from "./mail_api.ts";
import { createMailFolder } from "./mail_folder.ts";
import { createSmtpTransport } from "./smtp.ts";

/** What {@linkcode createMailTransport} needs. */
export interface MailTransportOptions extends TransportOptions, Pick<Runtime, "monotonic"> {
  target: MailTarget;
  /** The place of the store, because a `file:` folder of `MAIL_URL` lies in the folder of the KV file. */
  kvLocation: Config["kv"];
}

/** Makes the transport for a value of `MAIL_URL`. */
export function createMailTransport(
  { target, kvLocation, from, returnPath, now, monotonic }: MailTransportOptions,
): MailTransport {
  switch (target.kind) {
    case "smtp":
      return createSmtpTransport({ server: target, from, returnPath, now });
    case "api":
      return createMailApi({ api: target, from, now, monotonic });
    case "folder":
      return createMailFolder({ folder: folderBesideKv(kvLocation, target.name), from, now });
  }
}

/**
 * Says where letters go. The user, the password and the path of an SMTP or HTTPS URL are left out, because they may
 * be secret.
 */
export function describeMail({ mail, kv }: Pick<Config, "mail" | "kv">): string {
  if (!mail) return "none, as MAIL_URL is not set";
  const { target } = mail;
  switch (target.kind) {
    case "smtp":
      return `${target.host}:${target.port}`;
    case "api":
      return new URL(target.url).host;
    case "folder":
      return `${folderBesideKv(kv, target.name)}/`;
  }
}

/**
 * Gives the path of a folder that lies in the folder of the KV file.
 * @throws an Error if there is no KV file; `readConfig()` refuses such a configuration
 */
function folderBesideKv(kv: Config["kv"], name: string): string {
  if (kv.kind !== "file") throw new Error("A folder for letters needs a KV file");
  return `${kvFolder(kv.path)}/${name}`;
}
