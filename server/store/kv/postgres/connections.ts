/**
 * The pool of connections of a process. Connections are made as calls need them, and a connection serves one call at a
 * time. If a call is late, the pool ends the connection of the call, so that the late answer is not taken for the
 * answer of another call. The exception is a late commit that waits for a standby (`stuck_commits.ts`): its connection
 * stays in the pool until the commit is answered.
 *
 * To drop a connection is to forget it and to end it without telling the server (`Connection.destroy()`). Only the end
 * of the whole pool, `close()`, tells the servers (`Connection.end()`). @module
 */
import { withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE, StoreClosed } from "../calls.ts";
import { type Connection, findDurabilityFault, refusalCode, type StoredRow } from "./connection.ts";
import type { Hosts } from "./hosts.ts";
import { CallPermits } from "./call_permits.ts";
import { type PooledCall, StuckCommits } from "./stuck_commits.ts";
import { WaitingList } from "./waiting_list.ts";

/**
 * How many connections the pool has at most. A process has further connections: one for watches, and one to each host
 * for the polls of `hosts.ts`.
 */
const MAX_CONNECTIONS = 7;

/**
 * How many connections of the pool write at a time at most, so that the other connections go on reading while commits
 * wait.
 */
const MAX_WRITES = 5;

/** The code with which a server refuses a write because it is a standby, or because its settings make it read-only. */
const READ_ONLY = "25006";

const WAITS_FOR_STANDBY =
  "The server waits for its synchronous standby, and so takes no writes. Bring the standby back, or let the " +
  'server go on without it (server/docs/deploy.md, "PostgreSQL with a standby")';

/** How a call uses its connection. */
interface UseOptions {
  /** Aborts when the call is late. */
  signal: AbortSignal;
  /**
   * Is called if the signal aborts before the work of the call has ended. Decides whether the connection ends at once,
   * or serves this work until the work ends.
   */
  onLate: (call: PooledCall) => void;
}

/** The pool of connections, and the connections of this process that are no part of the pool. */
export class Connections {
  readonly hosts: Hosts;
  readonly deadlineMs: number;
  /** The connections of the pool, whether a call uses them or not. */
  readonly #pool = new Set<Connection>();
  /** The connections of the pool that no call uses. */
  readonly #idleConnections: Connection[] = [];
  /** The number of connections of the pool that are being made. */
  #openingCount = 0;
  /**
   * The connections of `openOutside()`, which are no part of the pool. They end when `Hosts.isUpToDate()` is false for
   * them, or when their user drops them.
   */
  readonly #outsideConnections = new Set<Connection>();
  /**
   * The calls that wait for a connection. A call that is woken gets a free connection, or `undefined` if the call may
   * now take or open a connection itself.
   */
  readonly #waitingCalls = new WaitingList<Connection | undefined>();
  readonly #writePermits = new CallPermits(MAX_WRITES);
  readonly #stuckCommits: StuckCommits;
  #isClosed = false;

  constructor(hosts: Hosts, deadlineMs: number) {
    this.hosts = hosts;
    this.deadlineMs = deadlineMs;
    this.#stuckCommits = new StuckCommits({
      findStuckConnections: (hostIndex, connections) =>
        hosts.findStuckConnections(hostIndex, connections),
      drop: (connection) => this.drop(connection),
    });
    hosts.start(() => this.#afterPoll());
  }

  /** The reason why commits are not sent, as a sentence; `undefined` while commits are sent. */
  get refusal(): string | undefined {
    return this.#stuckCommits.hasAny ? WAITS_FOR_STANDBY : this.hosts.durabilityFault;
  }

  /** Makes a query, which the server prepares once for each connection. */
  query(name: string, text: string, values: unknown[] = []): Promise<StoredRow[]> {
    return this.read((connection) => connection.query(text, values, name));
  }

  /**
   * Does reads on a connection that no other call uses meanwhile.
   * @throws {DeadlineError} if the reads take too long together with the wait for a connection
   */
  read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return withDeadline(this.deadlineMs, async (signal) => {
      const connection = await this.#take(signal);
      return await this.#use(connection, work, { signal, onLate: () => this.drop(connection) });
    }, KV_IS_LATE);
  }

  /**
   * Does work that ends with a write, on a connection that no other call uses meanwhile.
   * @throws {DeadlineError} if the work takes too long together with the wait for a connection
   * @throws {WritesRefused} if no commits are sent now
   * @throws {Unacknowledged} if the write waits for a standby
   */
  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    /** Whether the write of a late call waits for a standby; `undefined` while the call is in time. */
    let waitsForStandby: Promise<boolean> | undefined;
    const onLate = (call: PooledCall) => {
      waitsForStandby = this.#stuckCommits.keepOrDrop(call);
    };
    try {
      return await withDeadline(
        this.deadlineMs,
        (signal) => this.#writeWithPermit(work, { signal, onLate }),
        KV_IS_LATE,
      );
    } catch (error) {
      if (await waitsForStandby) throw new Unacknowledged(WAITS_FOR_STANDBY, { cause: error });
      throw error;
    }
  }

  /** Does a write as soon as the call has a permit and a connection. */
  async #writeWithPermit<T>(
    work: (connection: Connection) => Promise<T>,
    options: UseOptions,
  ): Promise<T> {
    const { signal } = options;
    await this.#writePermits.take(signal);
    try {
      if (this.refusal) throw new WritesRefused(this.refusal);
      const connection = await this.#take(signal);
      return await this.#use(connection, () => this.#writeOn(connection, work), options);
    } finally {
      this.#writePermits.giveBack();
    }
  }

  /** Does a write, unless the settings of the connection's session let the server lose acknowledged commits. */
  async #writeOn<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const fault = findDurabilityFault(connection.report);
    if (!fault) return await work(connection);
    this.drop(connection);
    throw new Error(fault);
  }

  /**
   * Gives a connection of the pool to a call. No other call uses the connection until `#use()` has given it back.
   * @throws the reason of the signal if no connection is free before the signal aborts
   */
  async #take(signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw new StoreClosed();
      const idleConnection = this.#idleConnections.pop();
      if (idleConnection) return idleConnection;
      if (this.#pool.size + this.#openingCount < MAX_CONNECTIONS) return await this.#open(signal);
      const freedConnection = await this.#waitingCalls.wait(signal);
      if (freedConnection) return freedConnection;
    }
  }

  /** Opens a connection for the pool. */
  async #open(signal: AbortSignal): Promise<Connection> {
    this.#openingCount++;
    try {
      return this.#add(this.#pool, await this.hosts.connect(signal));
    } catch (error) {
      // There is room for another connection now, so the call that has waited the longest tries to open it.
      this.#waitingCalls.wakeFirst(undefined);
      throw error;
    } finally {
      this.#openingCount--;
    }
  }

  /** Does the work of a call on its connection, and then gives the connection back to the pool. */
  async #use<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    { signal, onLate }: UseOptions,
  ): Promise<T> {
    const call: PooledCall = { connection, isOver: false };
    try {
      signal.throwIfAborted();
      // The listener stays, because the signal is of this call only, and does not abort after the end of the work.
      signal.addEventListener("abort", () => onLate(call));
      return await connection.failOnWarning(() => work(connection));
    } catch (error) {
      if (!isUsableAfter(error)) this.drop(connection);
      throw error;
    } finally {
      call.isOver = true;
      this.#giveBack(connection);
    }
  }

  /** Gives a connection to the call that has waited the longest; keeps it for a later call if no call waits. */
  #giveBack(connection: Connection): void {
    // If a late commit has used this connection, the commit has its answer now.
    this.#stuckCommits.delete(connection);
    if (!this.#pool.has(connection)) return;
    if (!this.#waitingCalls.wakeFirst(connection)) this.#idleConnections.push(connection);
  }

  /** Opens a connection that is no part of the pool, for a use of any length. Its user ends it by `drop()`. */
  async openOutside(signal: AbortSignal): Promise<Connection> {
    return this.#add(this.#outsideConnections, await this.hosts.connect(signal));
  }

  /** Keeps a new connection in a set (the pool, or the connections outside of it) until the connection ends. */
  #add(set: Set<Connection>, connection: Connection): Connection {
    set.add(connection);
    connection.onEnd(() => this.drop(connection));
    if (connection.hasEnded || this.#isClosed) this.drop(connection);
    return connection;
  }

  #afterPoll(): void {
    for (const connection of [...this.#pool, ...this.#outsideConnections]) {
      if (!this.hosts.isUpToDate(connection)) this.drop(connection);
    }
    void this.#stuckCommits.dropAnswered();
  }

  /** Forgets and ends a connection, whether a call uses it or not. A waiting call may then open another connection. */
  drop(connection: Connection): void {
    const wasInPool = this.#pool.delete(connection);
    this.#outsideConnections.delete(connection);
    this.#stuckCommits.delete(connection);
    const index = this.#idleConnections.indexOf(connection);
    if (index >= 0) this.#idleConnections.splice(index, 1);
    connection.destroy();
    if (wasInPool) this.#waitingCalls.wakeFirst(undefined);
  }

  /** Ends the pool. Calls that wait for a connection fail; connections of `openOutside()` are left to their users. */
  close(): void {
    this.#isClosed = true;
    this.hosts.close();
    for (const connection of this.#pool) connection.end();
    this.#pool.clear();
    this.#waitingCalls.wakeAll(undefined);
  }
}

/**
 * Whether a connection can serve another call after an error: the server must have refused the call, and must still
 * accept writes. A read-only server is not used again, because another host may be the primary.
 */
function isUsableAfter(error: unknown): boolean {
  const code = refusalCode(error);
  return code !== undefined && code !== READ_ONLY;
}

/** Is thrown for a commit that was not sent, because no commits are sent now. The message says why. */
export class WritesRefused extends Error {}

/**
 * Is thrown for a commit that the server has made, or will make, but may still lose. No later call can find out whether
 * the commit is lost.
 */
export class Unacknowledged extends Error {}
