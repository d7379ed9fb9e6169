/** Sends letters to a mail server; its answers tell what becomes of a letter that it does not take. @module */
import type { Buffer } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionEnvelope } from "nodemailer/lib/smtp-connection";
import { endsLetters, statusOfReply } from "../../../shared/delivery_status.ts";
import { DeadlineError, withDeadline } from "../../runtime/mod.ts";
import { ATTEMPT_MS, CHECK_MS, type MailTransport, type OutgoingLetter } from "../letter.ts";
import { reasonWithout, type SendOutcome, toReason, type TransportOptions } from "../letter.ts";
import { composeMail } from "./message.ts";
import { createSmtpConnections, type SmtpConnectionsOptions } from "./smtp_connections.ts";
import { untilDone } from "./smtp_connections.ts";

/** An error of nodemailer: the command that the server refused, and its code, if it answered. */
type SmtpError = NonNullable<SMTPConnectionEnvelope["rejectedErrors"]>[number];

export function createSmtpTransport(
  options: TransportOptions & Omit<SmtpConnectionsOptions, "name">,
): MailTransport {
  const { from, returnPath = from.address, now, deadlineMs = ATTEMPT_MS } = options;
  const name = from.address.slice(from.address.lastIndexOf("@") + 1);
  const connections = createSmtpConnections({ ...options, name });

  async function send(letter: OutgoingLetter): Promise<SendOutcome> {
    const envelope: Envelope = { from: returnPath, to: [letter.to] };
    const message = await composeMail(letter, from, now());
    try {
      const said = await withDeadline(deadlineMs, (signal) => deliver(envelope, message, signal));
      return { kind: "sent", answer: reasonWithout(letter.to, said) };
    } catch (thrown) {
      const error = refusalIn(envelope) ?? thrown as SmtpError;
      return { kind: kindOf(error, envelope), reason: sentenceOf(error, letter.to) };
    }
  }

  async function deliver(envelope: Envelope, message: Buffer, signal: AbortSignal) {
    const idle = connections.takeIdle();
    if (idle) {
      try {
        return await transfer(idle, envelope, message, signal);
      } catch (error) {
        // The server may have closed an idle connection, so that a new one may do better.
        const wasStale = !wasAnswered(envelope) && !isRefusal(error as SmtpError);
        if (!wasStale || signal.aborted) throw error;
      }
    }
    return await transfer(await connections.open(signal), envelope, message, signal);
  }

  async function transfer(
    connection: SMTPConnection,
    envelope: Envelope,
    message: Buffer,
    signal: AbortSignal,
  ): Promise<string> {
    const addresses = envelope as SMTPConnectionEnvelope;
    try {
      await untilDone(connection, signal, (done) => connection.send(addresses, message, done));
    } catch (error) {
      // After a refusal the server goes on with the next letter.
      if (isRefusal(error as SmtpError)) {
        connection.reset((error) => error ? connection.close() : connections.park(connection));
      } else {
        connection.close();
        await noteLastReply(connection, envelope);
      }
      throw error;
    }
    connections.park(connection);
    return connection.lastServerResponse || "";
  }

  const check = () =>
    withDeadline(CHECK_MS, connections.open).then(connections.park, (error) => {
      throw new Error(sentenceOf(error));
    });

  return { send, check, close: connections.close };
}

/** The addresses of a letter. Nodemailer notes here how far it has come, and what the server has refused. */
type Envelope = Partial<SMTPConnectionEnvelope> & { mailError?: SmtpError };

/** The code by which a server says that it closes the connection, whatever it was asked (RFC 5321 §4.2.3). */
const CLOSING = 421;

/** Whether the letter was refused, and the connection can take the next one. */
const isRefusal = ({ code, responseCode }: SmtpError): boolean =>
  (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== CLOSING;

function refusalIn({ mailError, rejectedErrors = [] }: Envelope): SmtpError | undefined {
  return mailError ?? rejectedErrors[0];
}

/**
 * Notes a refusal of the recipient. Nodemailer reads replies that came together one a turn of the event loop, and
 * may be told of the close before it reads the recipient's.
 */
async function noteLastReply(connection: SMTPConnection, envelope: Envelope): Promise<void> {
  await nextTurn();
  const response = connection.lastServerResponse;
  const [code] = /^[45]\d\d(?=[ -])/.exec(response || "") ?? [];
  if (!code || !response || wasAnswered(envelope)) return;
  envelope.rejectedErrors = [
    Object.assign(new Error(response), { response, responseCode: Number(code) }),
  ];
}

/** Whether the server has taken or refused the recipient, or refused the sender. */
const wasAnswered = (envelope: Envelope): boolean =>
  Boolean(envelope.accepted?.length || refusalIn(envelope));

/** Says why a letter was not taken, or the login; of the server's answer, without a recipient's mailbox. */
function sentenceOf(error: SmtpError, recipient?: string): string {
  if (error instanceof DeadlineError) return "The mail server did not answer in time";
  const { command, response, message } = error;
  if (!response) return toReason(message);
  const said = reasonWithout(recipient, response);
  if (command !== "STARTTLS") return said;
  return "The mail server offers no STARTTLS, and without TLS no letter leaves; use smtps:, or " +
    `?tls=none for a relay of your own network (${said})`;
}

function kindOf(error: SmtpError, { mailError, rcptQueue, accepted }: Envelope) {
  const { response = "", responseCode: code } = error;
  // Nodemailer itself refuses the letter.
  if (isRefusal(error) && code === undefined) return "refused_letter";
  const wasRecipientSent = rcptQueue?.length === 0;
  if (mailError || !wasRecipientSent) return "paused";
  if (code === undefined || code < 500) return "try_later";
  const hasNoMailbox = !accepted?.length && endsLetters(statusOfReply(response));
  return hasNoMailbox ? "refused_recipient" : "refused_letter";
}
