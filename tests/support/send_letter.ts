/**
 * Sends a letter to the mail server on the port in its first argument, and to a folder `mail`, under whatever
 * permissions it is started with; prints the outcomes as JSON. @module
 */
import { createMailFolder } from "../../server/letters/transports/mail_folder.ts";
import { createSmtpTransport } from "../../server/letters/transports/smtp.ts";
import { FROM, LETTER } from "./letters.ts";

const server = { kind: "smtp", host: "localhost", port: Number(Deno.args[0]) } as const;
const transports = [
  createSmtpTransport({ server: { ...server, tls: "none" }, from: FROM, now: Date.now }),
  createMailFolder({ folder: "mail", from: FROM, now: Date.now }),
];
const outcomes = await Promise.all(transports.map(({ send }) => send(LETTER)));
for (const { close } of transports) close();
console.log(JSON.stringify(outcomes));
