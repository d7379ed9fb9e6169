/** The connections to a mail server: opened when a letter needs one, kept for the next letter for a while. @module */
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { connect as connectTls } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailTarget } from "../../config/mod.ts";

/** In milliseconds: how long an idle connection is kept, less than servers do, and a server may be silent. */
const IDLE_MS = 15_000, SILENCE_MS = 60_000;

export interface SmtpConnectionsOptions {
  server: Extract<MailTarget, { kind: "smtp" }>;
  /** The name by which the service greets the server. */
  name: string;
  /** Certificates of authorities to trust in place of the well-known ones, in PEM. */
  ca?: string;
}

export function createSmtpConnections({ server, name, ca }: SmtpConnectionsOptions) {
  const { tls, host, port, login } = server;
  const closing = new AbortController();
  const connections = new Set<SMTPConnection>();
  /** Connections without a letter, and the timer that ends each of them. */
  const idle = new Map<SMTPConnection, ReturnType<typeof setTimeout>>();

  function unpark(connection: SMTPConnection): void {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
  }

  /** Nodemailer would read the names of the machine and its networks first, which the service may not do. */
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
    /** Takes a connection that waits for a letter; the server may have closed it meanwhile. */
    takeIdle(): SMTPConnection | undefined {
      const connection = [...idle.keys()].at(-1);
      if (connection) unpark(connection);
      return connection;
    },
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
      // An error of an idle connection only ends the connection; without a listener it would end the process.
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

/** Waits for a step, and for the events of a connection that fails or is closed: no callback comes then. */
export async function untilDone(
  connection: SMTPConnection,
  signal: AbortSignal,
  step: (done: Done) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // A callback with the reason may follow the event.
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
