/**
 * The connections to a mail server: opens a connection when a letter needs one, and keeps the idle connections for a
 * while. `smtp.ts` sends the letters. @module
 */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { connect as connectTls } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailTarget, Sender } from "../../config/mod.ts";

/** How long an idle connection is kept, in milliseconds. Mail servers close idle connections later. */
const IDLE_MS = 15_000;

/** How long a mail server may be silent on a connection, in milliseconds. */
const SILENCE_MS = 60_000;

/** What {@linkcode createSmtpConnections} needs. */
export interface SmtpConnectionOptions {
  server: Extract<MailTarget, { kind: "smtp" }>;
  /** The sender of letters. The service greets the server (EHLO) with the domain of the sender's address. */
  from: Sender;
  /** The certificate authorities to trust in place of the well-known authorities, in PEM. */
  ca?: string;
}

/** The connections to one mail server. */
export interface SmtpConnections {
  /** Takes one of the idle connections, if there is one. The server may have closed this connection meanwhile. */
  takeIdle: () => SMTPConnection | undefined;
  /** Connects and logs in. @throws an Error if the server refuses, or the signal aborts */
  open: (signal: AbortSignal) => Promise<SMTPConnection>;
  /** Keeps an idle connection for the next letter. */
  park: (connection: SMTPConnection) => void;
  /** Closes all connections; a connection that is being opened closes as well. */
  close: () => void;
}

/** Makes the connections to one mail server. */
export function createSmtpConnections(
  { server, from, ca }: SmtpConnectionOptions,
): SmtpConnections {
  const { tls, host, port, login } = server;
  const ownDomain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const closing = new AbortController();
  const connections = new Set<SMTPConnection>();
  /** For each idle connection, the timer that closes it. */
  const idleTimers = new Map<SMTPConnection, ReturnType<typeof setTimeout>>();

  /** Removes a connection from the idle connections. */
  function unpark(connection: SMTPConnection): void {
    clearTimeout(idleTimers.get(connection));
    idleTimers.delete(connection);
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
    takeIdle() {
      const connection = [...idleTimers.keys()].at(-1);
      if (connection) unpark(connection);
      return connection;
    },
    async open(signal) {
      const connection = new SMTPConnection({
        connection: await connectSocket(signal),
        host,
        name: ownDomain,
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
    park(connection) {
      if (closing.signal.aborted || connection.destroyed) return connection.close();
      const timer = setTimeout(() => {
        idleTimers.delete(connection);
        connection.quit();
      }, IDLE_MS).unref();
      idleTimers.set(connection, timer);
    },
    close() {
      closing.abort(new Error("The service is stopping"));
      for (const connection of connections) connection.close();
    },
  };
}

/** The callback that nodemailer calls at the end of a step. */
type Done = (error?: Error | null) => void;

/**
 * Waits for a step of a connection. Listens for the end of the connection as well, because nodemailer calls no
 * callback when the connection fails or is closed.
 */
export async function untilDone(
  connection: SMTPConnection,
  signal: AbortSignal,
  step: (done: Done) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Rejects a little later, because nodemailer may call the callback with the cause right after the event `end`.
  const rejectAtEnd = () => queueMicrotask(() => reject(new Error("The connection was closed")));
  const close = () => connection.close();
  connection.on("error", reject).on("end", rejectAtEnd);
  signal.addEventListener("abort", close, { once: true });
  try {
    if (signal.aborted) close();
    step((error) => error ? reject(error) : resolve());
    await promise;
  } finally {
    signal.removeEventListener("abort", close);
    connection.off("end", rejectAtEnd).off("error", reject);
  }
}
