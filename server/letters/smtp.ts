import type { Buffer } from "node:buffer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionEnvelope } from "nodemailer/lib/smtp-connection";
import type { Sender } from "../config_mail_values.ts";
import { DeadlineError, withDeadline } from "../deadline.ts";
import { composeMail } from "./compose.ts";
import {
  ATTEMPT_MS,
  type MailTransport,
  type OutgoingLetter,
  reasonWithout,
  type SendOutcome,
} from "./letter.ts";
import { SmtpConnections, type SmtpConnectionsOptions, untilDone } from "./smtp_connections.ts";

/** The settings of sending by SMTP. */
export interface SmtpOptions extends Omit<SmtpConnectionsOptions, "name"> {
  from: Sender;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** How long a try may take, in milliseconds. */
  deadlineMs?: number;
}

/** An error of nodemailer: the command that the server refused, and its code, if it answered. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Sends letters to a mail server. Each letter that is under way has a connection of its own. */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  const { from, now, deadlineMs = ATTEMPT_MS } = options;
  const name = from.address.slice(from.address.lastIndexOf("@") + 1);
  const connections = new SmtpConnections({ ...options, name });

  async function send(letter: OutgoingLetter): Promise<SendOutcome> {
    const envelope: Envelope = { from: from.address, to: [letter.to] };
    const message = await composeMail(letter, { from, date: new Date(now()) });
    try {
      await withDeadline(deadlineMs, (signal) => deliver(envelope, message, signal));
      return { kind: "sent" };
    } catch (error) {
      return outcomeOf(error as SmtpError, envelope, letter.to);
    }
  }

  async function deliver(envelope: Envelope, message: Buffer, signal: AbortSignal) {
    const idle = connections.takeIdle();
    if (idle) {
      try {
        return await transfer(idle, envelope, message, signal);
      } catch (error) {
        if (!wasStale(error as SmtpError, envelope) || signal.aborted) throw error;
      }
    }
    await transfer(await connections.open(signal), envelope, message, signal);
  }

  async function transfer(
    connection: SMTPConnection,
    envelope: Envelope,
    message: Buffer,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await untilDone(
        connection,
        signal,
        (done) => connection.send(envelope as SMTPConnectionEnvelope, message, done),
      );
    } catch (error) {
      // After a refusal the server goes on with the next letter.
      if (isRefusal(error as SmtpError)) {
        connection.reset((error) => error ? connection.close() : connections.park(connection));
      } else {
        connection.close();
      }
      throw error;
    }
    connections.park(connection);
  }

  return { send, close: () => connections.close() };
}

/** The addresses of a letter. Nodemailer notes here whether the server has accepted the recipient. */
type Envelope = Partial<SMTPConnectionEnvelope>;

/** The code by which a server says that it closes the connection, whatever it was asked (RFC 5321 §4.2.3). */
const CLOSING = 421;

/** Codes that are about the session and not about the recipient: a wrong order, no login. */
const OF_SESSION = [CLOSING, 503, 530];

function isRefusal({ code, responseCode }: SmtpError): boolean {
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== CLOSING;
}

function hasRecipient({ accepted = [] }: Envelope): boolean {
  return accepted.length > 0;
}

/** Whether the server had closed an idle connection, so that a new one may do better. */
function wasStale(error: SmtpError, envelope: Envelope): boolean {
  return !hasRecipient(envelope) && !isRefusal(error);
}

function outcomeOf(error: SmtpError, envelope: Envelope, to: string): SendOutcome {
  const said = error instanceof DeadlineError
    ? "The mail server did not answer in time"
    : error.response ?? error.message;
  return { kind: kindOf(error, hasRecipient(envelope)), reason: reasonWithout(to, said) };
}

function kindOf(
  error: SmtpError,
  hasRecipient: boolean,
): Exclude<SendOutcome["kind"], "sent"> {
  const { command, response = "", responseCode: code } = error;
  if (hasRecipient) return code !== undefined && code >= 500 ? "refused_letter" : "try_later";
  // Nodemailer itself refuses the letter.
  if (code === undefined) return isRefusal(error) ? "refused_letter" : "paused";
  if (command !== "RCPT TO" || OF_SESSION.includes(code)) return "paused";
  if (code < 500) return "try_later";
  // "Relay access denied" (X.7.1, RFC 3463) is said of senders too, and not only of a mailbox.
  return /^\d{3}[ -]5\.7\./.test(response) ? "refused_letter" : "refused_recipient";
}
