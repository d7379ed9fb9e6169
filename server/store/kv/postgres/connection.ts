/**
 * One connection to a server of PostgreSQL. This file makes the connection and the settings of its session, and asks
 * the server about itself. `connections.ts` owns the pool of a process, and `hosts.ts` the choice among servers.
 * @module
 */
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import pg from "pg";
import type { PostgresLocation } from "../../../config/mod.ts";
import type { HostReport } from "./primary.ts";
import { REPORT, type ReportRow, settingsOf } from "./table.ts";

/** The columns of a row, as texts. */
export type StoredRow = (string | null)[];

interface Query {
  text: string;
  values?: unknown[];
  name?: string;
  /** If given, a row is an array; otherwise, it is an object with the names of the columns. */
  rowMode?: "array";
}

interface QueryResult<Row> {
  rows: Row[];
}

/**
 * The part of a client of `pg` that the engine uses, because `pg` has no types of its own. A client that fails emits
 * `error` first, and then `end`.
 */
interface Client {
  connect(): Promise<void>;
  /** Gives one result, or a result for each statement if the text has several statements. */
  query<Row>(query: Query): Promise<QueryResult<Row> | QueryResult<Row>[]>;
  on(event: "error" | "end", listener: () => void): void;
  on(event: "notice", listener: (notice: { code?: string }) => void): void;
  on(event: "notification", listener: (notification: { payload: string }) => void): void;
  end(): Promise<void>;
  connection: { stream: { destroy(): void } };
}

/** What a server says of itself, and of the session in which it was asked. */
export interface ServerReport extends Omit<HostReport, "recordedTimeline"> {
  synchronousCommit: string;
  /** Whether the store's table is there. */
  hasTable: boolean;
  /** Whether the role may write to the table. */
  mayWrite: boolean;
  /** The id of the server's process that works for the session. */
  pid: string;
}

/** Is thrown if a server cannot be used with its present settings, so that waiting does not help. */
export class UnfitServer extends Error {}

/**
 * PostgreSQL's codes of errors that are no refusals: the server is going down (57P), the connection was ended (08), or
 * the server has an inner fault (58, XX).
 */
const NO_REFUSAL_CODES = /^(?:57P|08|58|XX)/;

/** The beginning of PostgreSQL's codes of warnings. */
const WARNING_CLASS = "01";

/**
 * Gives the code of an error with which the server has refused a call as a whole; `undefined` if the server may have
 * made the call. The connection can be used again after a refusal.
 */
export function refusalCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code && !NO_REFUSAL_CODES.test(code) ? code : undefined;
}

/** Gives the code of an error of the server; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? (error as { code?: string }).code : undefined;
}

/** Gives a sentence if a setting of `synchronous_commit` lets the server lose acknowledged commits. */
export function findDurabilityFault(
  { synchronousCommit }: Pick<ServerReport, "synchronousCommit">,
) {
  if (synchronousCommit !== "off" && synchronousCommit !== "local") return undefined;
  return `synchronous_commit is '${synchronousCommit}', so a server that fails may lose what it has ` +
    "acknowledged. Set it to 'on' for the role of KV_URL";
}

/** How long it may take to make a connection, in milliseconds. There is a limit, because a host may not answer. */
export const CONNECT_MS = 2_000;

export interface ConnectionOptions {
  location: PostgresLocation;
  /** The index of the host in `KV_URL`. */
  hostIndex: number;
  /** How long a statement may take, in milliseconds. */
  statementMs: number;
}

/** A connection to one host of PostgreSQL. Each connection is a session of its own on the server. */
export class Connection {
  /** The index of the connection's host in `KV_URL`. */
  readonly hostIndex: number;
  /** Whether the connection has ended. */
  hasEnded = false;
  /**
   * The last report of the server; `open()` reads the first report. The timeline in the report of a primary stays right
   * as long as the connection lasts.
   */
  report!: ServerReport;
  readonly #client: Client;
  /** The name that the session was given at its start. */
  #session: string | undefined;
  /** Whether the server has sent a warning since the last call of `failOnWarning()`. */
  #hasWarned = false;
  readonly #address: string;

  private constructor(client: Client, { location, hostIndex }: ConnectionOptions) {
    this.#client = client;
    this.hostIndex = hostIndex;
    this.#address = hostAddress(location, hostIndex);
    const destroy = () => this.destroy();
    client.on("error", destroy);
    client.on("end", destroy);
    // A notice without a code counts as a warning, because a commit must not be acknowledged if it may be lost.
    client.on("notice", ({ code }) => this.#hasWarned ||= code?.startsWith(WARNING_CLASS) ?? true);
  }

  /** Connects, and makes the settings of the session in the same round trip as the first report. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { user, password, database, tls, hosts } = options.location;
    const { host, port } = hosts[options.hostIndex]!;
    const client: Client = new pg.Client({
      host,
      port,
      user,
      // A function, because in place of an empty text `pg` would take the password of `PGPASSWORD` or `~/.pgpass`.
      password: () => password,
      database,
      ssl: tls && {
        // For an IP address, there is no server name: the certificate must have the address itself.
        ...isIP(host) ? { host } : { servername: host },
        ...tls.ca && { ca: await readFile(tls.ca, "utf8") },
      },
      application_name: "waitlist",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      // All columns stay texts, because `rows.ts` decodes them.
      types: { getTypeParser: () => (text: string) => text },
    });
    const connection = new Connection(client, options);
    try {
      await client.connect();
      // The settings are sent as SQL, not as parameters of the connection, because a pool in front of the server (such
      // as PgBouncer) accepts few parameters.
      await connection.readReport(settingsOf(options.statementMs));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * Asks the server about itself.
   * @param settings a statement that the server runs first, in the same round trip
   * @throws {UnfitServer} if other clients share the session
   */
  async readReport(settings?: string): Promise<ServerReport> {
    const text = settings === undefined ? REPORT : `${settings}; ${REPORT}`;
    const rows = await this.#rowsOf<ReportRow>({ text });
    const row = rows[0]!;
    this.#session ??= row.session!;
    this.assertOwnSession(row.session);
    return this.report = {
      isStandby: row.isStandby === "t",
      takesWrites: row.isReadOnly !== "t",
      timeline: Number(row.timeline),
      system: row.system,
      synchronousCommit: row.synchronousCommit,
      hasTable: row.hasTable === "t",
      mayWrite: row.mayWrite === "t",
      pid: row.pid,
    };
  }

  /**
   * Checks that an answer came from the session of this connection.
   * @param session the name of the session that answered
   * @throws {UnfitServer} if another session answered
   */
  assertOwnSession(session: string | null): void {
    if (session === this.#session) return;
    throw new UnfitServer(
      `${this.#address} is a pool that gives a client the sessions of others, as PgBouncer does with ` +
        "pool_mode=transaction or statement. Set pool_mode=session for the service's database in the " +
        "pool, or connect to the server itself",
    );
  }

  /**
   * Does work on the connection.
   * @throws {Error} if the server has warned meanwhile, because a server warns when it gives up the wait for a standby
   */
  async failOnWarning<T>(work: () => Promise<T>): Promise<T> {
    this.#hasWarned = false;
    const result = await work();
    if (this.#hasWarned) throw new Error("The server has not waited for its standby");
    return result;
  }

  /**
   * Makes a query. If the query has a name, the server prepares it only once for this connection, and runs it faster
   * from then on.
   */
  query(text: string, values?: unknown[], name?: string): Promise<StoredRow[]> {
    return this.#rowsOf<StoredRow>({
      text,
      ...values && { values },
      ...name && { name },
      rowMode: "array",
    });
  }

  /** Makes a query, and gives the rows of its last statement. */
  async #rowsOf<Row>(query: Query): Promise<Row[]> {
    const result = await this.#client.query<Row>(query);
    return Array.isArray(result) ? result.at(-1)!.rows : result.rows;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on("notification", ({ payload }) => listener(payload));
  }

  onEnd(listener: () => void): void {
    this.#client.on("end", listener);
  }

  /** Ends the connection, and tells the server. */
  end(): void {
    this.hasEnded = true;
    this.#client.end().catch(() => {});
  }

  /** Ends the connection without telling the server. A call that is under way fails. */
  destroy(): void {
    this.hasEnded = true;
    this.#client.connection.stream.destroy();
  }
}

/** Gives the text by which messages name a host, such as `db.example.com:5432`. */
export const hostAddress = ({ hosts }: PostgresLocation, hostIndex: number): string =>
  `${hosts[hostIndex]!.host}:${hosts[hostIndex]!.port}`;
