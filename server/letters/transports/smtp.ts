/**
 * Sends letters by SMTP: composes the message, keeps the connections to the mail server, and decides from the
 * server's answer what became of the letter. This file leaves the schedule of the next attempts to `letters/work/`.
 * @module
 */
import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection, { type SMTPConnectionEnvelope } from "nodemailer/lib/smtp-connection";
import { isUndeliverableStatus, statusOfReply } from "../../../shared/delivery_status.ts";
import type { MailTarget, Sender } from "../../config/mod.ts";
import { DeadlineError, withDeadline } from "../../runtime/mod.ts";
import {
  ATTEMPT_MS,
  CHECK_MS,
  type MailTransport,
  type OutgoingLetter,
  type SendOutcome,
  type TransportOptions,
} from "../letter.ts";
import { reasonWithout, toReason } from "../reason.ts";

/** How long an idle connection is kept, in milliseconds. Mail servers close idle connections later. */
const IDLE_MS = 15_000;

/** How long a mail server may be silent on a connection, in milliseconds. */
const SILENCE_MS = 60_000;

/** The reply code of a mail server that closes the connection. It can answer any command (RFC 5321 §4.2.3). */
const CLOSING = 421;

export interface SmtpOptions extends TransportOptions {
  server: Extract<MailTarget, { kind: "smtp" }>;
  /** The certificate authorities to trust in place of the well-known authorities, in PEM. */
  ca?: string;
}

/** An error of nodemailer, with the command that failed, and with the reply of the server, if a reply came. */
type SmtpError = NonNullable<SMTPConnectionEnvelope["rejectedErrors"]>[number];

/** The addresses of a letter. Nodemailer adds members about what the server has accepted and refused. */
type Envelope = Partial<SMTPConnectionEnvelope> & { mailError?: SmtpError };

/** Makes the transport that sends letters to a mail server by SMTP (RFC 5321, RFC 3207, RFC 4954). */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  const { from, returnPath = from.address, now, deadlineMs = ATTEMPT_MS } = options;
  const connections = createConnections(options);

  async function send(letter: OutgoingLetter): Promise<SendOutcome> {
    const envelope: Envelope = { from: returnPath, to: [letter.to] };
    const message = await composeMail(letter, from, now());
    try {
      const reply = await withDeadline(deadlineMs, (signal) => deliver(envelope, message, signal));
      return { kind: "sent", answer: reasonWithout(letter.to, reply) };
    } catch (thrown) {
      const error = addressRefusalIn(envelope) ?? thrown as SmtpError;
      return { kind: outcomeKindOf(error, envelope), reason: reasonOf(error, letter.to) };
    }
  }

  async function deliver(envelope: Envelope, message: Buffer, signal: AbortSignal) {
    const idle = connections.takeIdle();
    if (idle) {
      try {
        return await transfer(idle, envelope, message, signal);
      } catch (error) {
        // The server may have closed the idle connection, so the letter is tried again on a new connection.
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
    // The cast is right, because the missing members are those that `send()` itself writes.
    const addresses = envelope as SMTPConnectionEnvelope;
    try {
      await untilDone(connection, signal, (done) => connection.send(addresses, message, done));
    } catch (error) {
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

  async function check(): Promise<void> {
    try {
      connections.park(await withDeadline(CHECK_MS, connections.open));
    } catch (error) {
      throw new Error(reasonOf(error as SmtpError));
    }
  }

  return { send, check, close: connections.close };
}

/** Makes the bytes of a message (RFC 5322). @param now milliseconds since 1970 */
export function composeMail(
  { to, subject, text, html, parts, headers }: OutgoingLetter,
  from: Sender,
  now: number,
): Promise<Buffer> {
  return new MailComposer({
    from,
    // Nodemailer takes an object as it is. It would parse a string, which could hold several addresses.
    to: { name: "", address: to },
    subject,
    text,
    html,
    attachments: parts.map(({ contentId, name, contentType, base64 }) => ({
      cid: contentId,
      filename: name,
      contentType,
      contentDisposition: "inline",
      content: base64,
      encoding: "base64",
    })),
    date: new Date(now),
    headers,
    newline: "windows",
    // Nodemailer never has to read a file or a URL, because the values above are the whole content.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile().build();
}

/**
 * Makes the connections to one mail server. A connection is opened when a letter needs it, and is kept for a while.
 */
function createConnections({ server, from, ca }: SmtpOptions) {
  const { tls, host, port, login } = server;
  /** The name that the service gives in its greeting to the server (EHLO): the domain of the sender's address. */
  const name = from.address.slice(from.address.lastIndexOf("@") + 1);
  const closing = new AbortController();
  const connections = new Set<SMTPConnection>();
  /** The idle connections, each with the timer that closes the connection. */
  const idle = new Map<SMTPConnection, ReturnType<typeof setTimeout>>();

  function unpark(connection: SMTPConnection): void {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
  }

  /**
   * Opens a socket. Nodemailer does not do this, because it would need a permission to read the machine's names and
   * networks.
   */
  async function connectSocket(signal: AbortSignal): Promise<Socket> {
    const socket = tls === "from_start"
      ? connectTls({ host, port, ...(!isIP(host) && { servername: host }), ...(ca && { ca }) })
      : connect({ host, port });
    try {
      await once(socket, tls === "from_start" ? "secureConnect" : "connect", {
        signal: AbortSignal.any([signal, closing.signal]),
      });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  return {
    /** Takes one of the idle connections, if there is one. The server may have closed this connection meanwhile. */
    takeIdle(): SMTPConnection | undefined {
      const connection = [...idle.keys()].at(-1);
      if (connection) unpark(connection);
      return connection;
    },
    /** Connects and logs in. @throws an Error if the server refuses, or the signal aborts */
    async open(signal: AbortSignal): Promise<SMTPConnection> {
      const connection = new SMTPConnection({
        connection: await connectSocket(signal),
        host,
        name,
        secure: tls === "from_start",
        secured: tls === "from_start",
        requireTLS: tls === "starttls",
        ignoreTLS: tls === "none",
        socketTimeout: SILENCE_MS,
        socketCloseTimeout: 0,
        ...(ca && { tls: { ca } }),
      });
      connections.add(connection);
      // Without a listener, an error of an idle connection would end the process.
      connection.on("error", () => {});
      connection.once("end", () => {
        connections.delete(connection);
        unpark(connection);
      });
      if (closing.signal.aborted) connection.close();
      await untilDone(connection, signal, (done) => connection.connect(done));
      if (login) {
        const { user, password: pass } = login;
        await untilDone(connection, signal, (done) => connection.login({ user, pass }, done));
      }
      return connection;
    },
    /** Keeps an idle connection for the next letter. */
    park(connection: SMTPConnection): void {
      if (closing.signal.aborted || connection.destroyed) return connection.close();
      const timer = setTimeout(() => {
        idle.delete(connection);
        connection.quit();
      }, IDLE_MS).unref();
      idle.set(connection, timer);
    },
    close(): void {
      closing.abort(new Error("The service is stopping"));
      for (const connection of connections) connection.close();
    },
  };
}

type Done = (error?: Error | null) => void;

/**
 * Waits for a step of a connection. Listens for the end of the connection as well, because nodemailer calls no
 * callback when the connection fails or is closed.
 */
async function untilDone(
  connection: SMTPConnection,
  signal: AbortSignal,
  step: (done: Done) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Rejects a little later, because nodemailer may call the callback with the cause right after the event `end`.
  const ended = () => queueMicrotask(() => reject(new Error("The connection was closed")));
  const abort = () => connection.close();
  connection.on("error", reject).on("end", ended);
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (signal.aborted) abort();
    step((error) => error ? reject(error) : resolve());
    await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    connection.off("end", ended).off("error", reject);
  }
}

/** Whether the server, or nodemailer before it, refused the letter, so that the connection can take the next letter. */
const isRefusal = ({ code, responseCode }: SmtpError): boolean =>
  (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== CLOSING;

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
  const reason = reasonWithout(recipient, response);
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
