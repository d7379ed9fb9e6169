/**
 * Sends letters by SMTP, and decides from the server's answer whether the letter was taken, refused or must be tried
 * again. `smtp_connections.ts` keeps the connections. `letters/work/` decides when a letter is tried again. @module
 */
import type { Buffer } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionEnvelope } from "nodemailer/lib/smtp-connection";
import { isUndeliverableStatus, statusOfReply } from "../../../shared/delivery_status.ts";
import { DeadlineError, withDeadline } from "../../runtime/mod.ts";
import {
  ATTEMPT_MS,
  CHECK_MS,
  type MailTransport,
  type OutgoingLetter,
  type SendOutcome,
  type TransportOptions,
} from "../letter.ts";
import { reasonWithoutRecipient, toReason } from "../reason.ts";
import { composeMessage } from "./mail_message.ts";
import {
  createSmtpConnections,
  type SmtpConnectionOptions,
  untilDone,
} from "./smtp_connections.ts";

/** The reply code of a mail server that closes the connection. It can answer any command (RFC 5321 §4.2.3). */
const CLOSING_CODE = 421;

/** What {@linkcode createSmtpTransport} needs. */
export type SmtpOptions = TransportOptions & SmtpConnectionOptions;

/** An error of nodemailer, with the command that failed, and with the reply of the server, if a reply came. */
type SmtpError = NonNullable<SMTPConnectionEnvelope["rejectedErrors"]>[number];

/**
 * The addresses of a letter, and what the server has answered about them. The service writes only the addresses.
 * Nodemailer adds the other members while it sends the letter, and `noteLastReply()` may add a refusal.
 */
type Envelope = Partial<SMTPConnectionEnvelope> & { mailError?: SmtpError };

/** A letter as nodemailer takes it. */
interface Mail {
  envelope: Envelope;
  message: Buffer;
}

/** Makes the transport that sends letters to a mail server by SMTP (RFC 5321, RFC 3207, RFC 4954). */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  const { from, returnPath = from.address, now, deadlineMs = ATTEMPT_MS } = options;
  const connections = createSmtpConnections(options);

  async function send(letter: OutgoingLetter): Promise<SendOutcome> {
    const envelope: Envelope = { from: returnPath, to: [letter.to] };
    const mail = { envelope, message: await composeMessage(letter, from, now()) };
    try {
      const reply = await withDeadline(deadlineMs, (signal) => deliver(mail, signal));
      return { kind: "taken", answer: reasonWithoutRecipient(letter.to, reply) };
    } catch (thrown) {
      const error = addressRefusalIn(envelope) ?? thrown as SmtpError;
      return { kind: outcomeKindOf(error, envelope), reason: reasonOf(error, letter.to) };
    }
  }

  /** Sends a letter over an idle connection, or over a new one. Gives the reply of the server. */
  async function deliver(mail: Mail, signal: AbortSignal): Promise<string> {
    const idleConnection = connections.takeIdle();
    if (idleConnection) {
      try {
        return await transfer(idleConnection, mail, signal);
      } catch (error) {
        // The server may have closed the idle connection, so the letter is tried again on a new connection.
        const wasStale = !wasAnswered(mail.envelope) && !isRefusal(error as SmtpError);
        if (!wasStale || signal.aborted) throw error;
      }
    }
    return await transfer(await connections.open(signal), mail, signal);
  }

  /**
   * Sends a letter over a connection, and parks the connection for the next letter. After a failure that is not a
   * refusal, closes the connection.
   */
  async function transfer(
    connection: SMTPConnection,
    { envelope, message }: Mail,
    signal: AbortSignal,
  ): Promise<string> {
    // The cast is right, because the missing members are those that nodemailer itself writes.
    const addresses = envelope as SMTPConnectionEnvelope;
    try {
      await untilDone(connection, signal, (done) => connection.send(addresses, message, done));
    } catch (error) {
      if (isRefusal(error as SmtpError)) {
        connection.reset((resetError) =>
          resetError ? connection.close() : connections.park(connection)
        );
      } else {
        connection.close();
        await noteLastReply(connection, envelope);
      }
      throw error;
    }
    connections.park(connection);
    return connection.lastServerResponse || "";
  }

  /** Logs in. @throws an Error that says why the login failed */
  async function check(): Promise<void> {
    try {
      connections.park(await withDeadline(CHECK_MS, connections.open));
    } catch (error) {
      throw new Error(reasonOf(error as SmtpError));
    }
  }

  return { send, check, close: connections.close };
}

/** Whether the server or nodemailer itself refused the letter. The connection can then take the next letter. */
const isRefusal = ({ code, responseCode }: SmtpError): boolean =>
  (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== CLOSING_CODE;

/** Gives the server's refusal of the sender or of the recipient, if there was one. */
function addressRefusalIn({ mailError, rejectedErrors = [] }: Envelope): SmtpError | undefined {
  return mailError ?? rejectedErrors[0];
}

/**
 * Writes the server's last reply into the envelope, if the reply is a refusal and nodemailer has read no reply about
 * the sender or the recipient. Nodemailer reads one reply in each turn of the event loop, and may learn first that
 * the connection was closed.
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

/** Whether the server has accepted or refused the recipient, or refused the sender. */
const wasAnswered = (envelope: Envelope): boolean =>
  Boolean(envelope.accepted?.length || addressRefusalIn(envelope));

/** Says why a letter was not sent or a login failed, without the recipient's address and its local part. */
function reasonOf(error: SmtpError, recipient?: string): string {
  if (error instanceof DeadlineError) return "The mail server did not answer in time";
  const { command, response, message } = error;
  if (!response) return toReason(message);
  const reason = reasonWithoutRecipient(recipient, response);
  if (command !== "STARTTLS") return reason;
  return "The mail server offers no STARTTLS, and without TLS no letter leaves; use smtps:, or " +
    `?tls=none for a relay of your own network (${reason})`;
}

/** Decides from an error whether it concerns the recipient, the letter or the server, and whether to try again. */
function outcomeKindOf(error: SmtpError, { mailError, rcptQueue, accepted }: Envelope) {
  const { response = "", responseCode: code } = error;
  // A refusal without a reply code comes from nodemailer itself, not from the server.
  if (isRefusal(error) && code === undefined) return "refused_letter";
  const wasRecipientSent = rcptQueue?.length === 0;
  if (mailError || !wasRecipientSent) return "paused";
  if (code === undefined || code < 500) return "try_later";
  const hasNoMailbox = !accepted?.length && isUndeliverableStatus(statusOfReply(response));
  return hasNoMailbox ? "refused_recipient" : "refused_letter";
}
