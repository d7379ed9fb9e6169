/**
 * Connections to the server that takes writes, made as calls need them. A call ends in time: its connection ends with
 * it, so that no answer of one call is taken for that of another. @module
 */
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import pg from "pg";
import type { PostgresLocation } from "../../../config/mod.ts";
import { withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE } from "../calls.ts";
import { LOOK } from "./table.ts";

/** The columns as texts. */
export type StoredRow = (string | null)[];

/** What the engine uses of a client; `pg` has no types of its own. */
export interface Connection {
  connect(): Promise<void>;
  query(
    query: { text: string; values?: unknown[]; name?: string; rowMode: "array" },
  ): Promise<{ rows: StoredRow[] }>;
  on(event: "error" | "end", listener: () => void): void;
  on(event: "notice", listener: (notice: { code?: string }) => void): void;
  on(event: "notification", listener: (notification: { payload: string }) => void): void;
  end(): Promise<void>;
  /** Ends the connection without a word to the server. */
  connection: { stream: { destroy(): void } };
  /** Whether the server has warned, as where it no longer waits for a standby. */
  hasWarned?: boolean;
}

/** The most that one process opens, besides the one that watches. */
const MAX_CONNECTIONS = 8;

/** In milliseconds, for a host that does not answer. */
const CONNECT_MS = 2_000;

/** All queries look rows up by the index, also while the table is new and has no statistics. */
const OPTIONS = ["seqscan", "hashjoin", "mergejoin", "bitmapscan"]
  .map((plan) => `-c enable_${plan}=off`).concat(
    "-c jit=off",
    "-c plan_cache_mode=force_generic_plan",
  )
  .join(" ");

/** The server cannot be used as it is, which waiting does not change. */
export class UnfitServer extends Error {}

const READ_ONLY = "25006";

/** Gives the code of an error with which the server has refused a call as a whole; the connection goes on. */
export function refusalCode(error: unknown): string | undefined {
  const code: string | undefined = error instanceof pg.DatabaseError
    ? (error as { code?: string }).code
    : undefined;
  // The server is going down, the connection was ended, or there is an inner fault.
  return code && !/^(?:57P|08|58|XX)/.test(code) ? code : undefined;
}

export class Connections {
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /** Calls that wait in their order; each gets a connection, or may open one. */
  readonly #waiting: ((connection?: Connection) => void)[] = [];
  #opening = 0;
  #isClosed = false;
  readonly #keep = (connection?: Connection) => void this.#idle.push(connection!);
  /** The host that took writes last. */
  #host = 0;

  readonly location: PostgresLocation;
  readonly deadlineMs: number;

  constructor(location: PostgresLocation, deadlineMs: number) {
    this.location = location;
    this.deadlineMs = deadlineMs;
  }

  /** Does work on a connection of its own. @throws {DeadlineError} where it takes too long, also to get one */
  use<T>(work: (connection: Connection) => Promise<T>, ms = this.deadlineMs): Promise<T> {
    return withDeadline(ms, async (signal) => {
      const connection = await this.#take(signal);
      try {
        signal.throwIfAborted();
        signal.addEventListener("abort", () => this.drop(connection));
        connection.hasWarned = false;
        const result = await work(connection);
        if (connection.hasWarned) throw new Error("The server has not waited for its standby");
        return result;
      } catch (error) {
        if ([undefined, READ_ONLY].includes(refusalCode(error))) this.drop(connection);
        throw error;
      } finally {
        if (this.#all.has(connection)) (this.#waiting.shift() ?? this.#keep)(connection);
      }
    }, KV_IS_LATE);
  }

  /** Makes a query, which the server prepares once for each connection. */
  query(name: string, text: string, values: unknown[] = []): Promise<StoredRow[]> {
    const query = { name, text, values, rowMode: "array" } as const;
    return this.use(async (connection) => (await connection.query(query)).rows);
  }

  async #take(signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw new Error("The store is closed");
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#all.size + this.#opening < MAX_CONNECTIONS) {
        this.#opening++;
        try {
          const opened = await this.open(signal);
          this.#all.add(opened);
          return opened;
        } finally {
          this.#opening--;
        }
      }
      const given = await new Promise<Connection | undefined>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => {
          const at = this.#waiting.indexOf(resolve);
          if (at >= 0) this.#waiting.splice(at, 1);
        });
      });
      if (given) return given;
    }
  }

  /** Opens a connection to the host that takes writes; where there is none, to one that answers. */
  async open(signal: AbortSignal): Promise<Connection> {
    const { hosts } = this.location;
    let readable: Connection | undefined;
    let fault: unknown;
    for (let n = 0; n < hosts.length && !signal.aborted; n++) {
      const index = (this.#host + n) % hosts.length;
      let connection: Connection | undefined;
      try {
        connection = await this.#connect(hosts[index]!);
        const { rows: [[isReadOnly, synchronous] = []] } = await connection.query(LOOK);
        if (synchronous === "off" || synchronous === "local") {
          throw new UnfitServer(
            `synchronous_commit is '${synchronous}', so a server that fails may lose what it has ` +
              "acknowledged. Set it to 'on' for the role of KV_URL",
          );
        }
        if (isReadOnly === "t" && !readable) readable = connection;
        else if (isReadOnly === "t") this.drop(connection);
        else {
          if (readable) this.drop(readable);
          this.#host = index;
          return connection;
        }
      } catch (error) {
        if (connection) this.drop(connection);
        if (!fault || error instanceof UnfitServer) fault = error;
      }
    }
    if (readable) return readable;
    throw fault ?? signal.reason;
  }

  async #connect({ host, port }: PostgresLocation["hosts"][number]): Promise<Connection> {
    const { user, password, database, tls } = this.location;
    const limits = this.deadlineMs - 1_000;
    const client: Connection = new pg.Client({
      host,
      port,
      user,
      password: () => password,
      database,
      ssl: tls && {
        // An address has no server name, and is compared with those in the certificate.
        ...isIP(host) ? { host } : { servername: host },
        ...tls.ca && { ca: await readFile(tls.ca, "utf8") },
      },
      application_name: "waitlist",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      statement_timeout: limits,
      lock_timeout: limits,
      idle_in_transaction_session_timeout: limits,
      options: OPTIONS,
      types: { getTypeParser: () => (text: string) => text },
    });
    client.on("notice", ({ code }) => client.hasWarned ||= code?.startsWith("01") ?? true);
    const forget = () => this.drop(client);
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.drop(client);
      throw error;
    }
  }

  drop(connection: Connection): void {
    this.#all.delete(connection);
    const idle = this.#idle.indexOf(connection);
    if (idle >= 0) this.#idle.splice(idle, 1);
    connection.connection.stream.destroy();
    this.#waiting.shift()?.();
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) {
      this.#all.delete(connection);
      connection.end().catch(() => {});
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
