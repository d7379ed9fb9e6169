/**
 * The pool of connections of a process. Connections are made as calls need them. The connection of a call that is late
 * ends with the call, so that its answer is not taken for the answer of another call.
 *
 * There is one exception: a commit that waits for a standby goes on waiting in the server, even when its connection
 * ends. So its connection stays open and counts as one of the pool. While there is such a connection, no other commit
 * is sent. The answer to the waiting commit shows that the standby is back. @module
 */
import { withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE, StoreClosed } from "../calls.ts";
import { type Connection, durabilityFault, refusalCode, type StoredRow } from "./connection.ts";
import type { Hosts } from "./hosts.ts";

/**
 * How many connections the pool has at most. A process has two more connections, for watches and for the polls of
 * `hosts.ts`.
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

export class Connections {
  readonly hosts: Hosts;
  readonly deadlineMs: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /**
   * The connections of `lend()`, which are no part of the pool. They end when their host becomes stale, or when their
   * user drops them.
   */
  readonly #lent = new Set<Connection>();
  /**
   * A callback for each call that waits for a connection, the longest wait first. It is called with a free connection,
   * or with nothing if the call may open a connection itself.
   */
  readonly #waiting: ((connection?: Connection) => void)[] = [];
  readonly #writes = new Permits(MAX_WRITES);
  /** The connections whose commit waits for a standby though its call has ended. */
  readonly #stuck = new Set<Connection>();
  #opening = 0;
  #isClosed = false;
  readonly #keep = (connection?: Connection) => void this.#idle.push(connection!);

  constructor(hosts: Hosts, deadlineMs: number) {
    this.hosts = hosts;
    this.deadlineMs = deadlineMs;
    hosts.start(() => this.#afterPoll());
  }

  /** The reason why commits are not sent, as a sentence; `undefined` while commits are sent. */
  get refusal(): string | undefined {
    return this.#stuck.size > 0 ? WAITS_FOR_STANDBY : this.hosts.durabilityFault;
  }

  /**
   * Does reads on a connection that no other call uses meanwhile.
   * @param ms how long the reads may take together with the wait for a connection, in milliseconds
   * @throws {DeadlineError} if they take longer
   */
  read<T>(work: (connection: Connection) => Promise<T>, ms = this.deadlineMs): Promise<T> {
    return withDeadline(ms, async (signal) => {
      return await this.#use(await this.#take(signal), work, {
        signal,
        onLate: (connection) => this.drop(connection),
      });
    }, KV_IS_LATE);
  }

  /**
   * Does work that ends with a write, on a connection that no other call uses meanwhile.
   * @throws {DeadlineError} if the work takes too long together with the wait for a connection
   * @throws {Unacknowledged} if the write waits for a standby
   */
  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    let late: Promise<boolean> | undefined;
    try {
      return await withDeadline(this.deadlineMs, async (signal) => {
        await this.#writes.enter(signal);
        try {
          this.#assertWritable();
          const connection = await this.#take(signal);
          return await this.#use(connection, (used) => {
            const fault = durabilityFault(used.report);
            if (fault) this.drop(used);
            if (fault) throw new Error(fault);
            return work(used);
          }, { signal, onLate: (used) => late = this.#keepIfItWaits(used) });
        } finally {
          this.#writes.leave();
        }
      }, KV_IS_LATE);
    } catch (error) {
      if (await late) throw new Unacknowledged(WAITS_FOR_STANDBY, { cause: error });
      throw error;
    }
  }

  #assertWritable(): void {
    if (this.refusal) throw new WritesRefused(this.refusal);
  }

  async #use<T>(
    connection: Connection,
    work: (connection: Connection) => Promise<T>,
    { signal, onLate }: { signal: AbortSignal; onLate: (connection: Connection) => void },
  ): Promise<T> {
    try {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => onLate(connection));
      connection.hasWarned = false;
      const result = await work(connection);
      if (connection.hasWarned) throw new Error("The server has not waited for its standby");
      return result;
    } catch (error) {
      if ([undefined, READ_ONLY].includes(refusalCode(error))) this.drop(connection);
      throw error;
    } finally {
      this.#stuck.delete(connection);
      if (this.#all.has(connection)) (this.#waiting.shift() ?? this.#keep)(connection);
    }
  }

  /** Keeps the connection of a late commit that waits for a standby, and ends the connection of any other late call. */
  async #keepIfItWaits(connection: Connection): Promise<boolean> {
    // The connection counts as one in use until the server has answered.
    const waiting = await this.hosts.areWaiting(connection.host, [connection]);
    const isKept = waiting.has(connection) && this.#all.has(connection);
    if (isKept) this.#stuck.add(connection);
    else this.drop(connection);
    return waiting.has(connection);
  }

  /** Makes a query, which the server prepares once for each connection. */
  query(name: string, text: string, values: unknown[] = []): Promise<StoredRow[]> {
    return this.read((connection) => connection.query(text, values, name));
  }

  async #take(signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw new StoreClosed();
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#all.size + this.#opening < MAX_CONNECTIONS) return await this.#open(signal);
      const given = await this.#wait(signal);
      if (given) return given;
    }
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    this.#opening++;
    try {
      return this.#add(this.#all, await this.hosts.connect(signal));
    } catch (error) {
      // There is room for another connection now, so the call that has waited the longest tries to open it.
      this.#waiting.shift()?.();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /**
   * Waits for a connection that another call gives back. Gives `undefined` if the call may open a connection instead.
   * @throws the reason of the signal if the signal aborts first
   */
  #wait(signal: AbortSignal): Promise<Connection | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => {
        const at = this.#waiting.indexOf(resolve);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      });
    });
  }

  /** Opens a connection that is no part of the pool, for a use of any length. */
  async lend(signal: AbortSignal): Promise<Connection> {
    return this.#add(this.#lent, await this.hosts.connect(signal));
  }

  #add(to: Set<Connection>, connection: Connection): Connection {
    to.add(connection);
    connection.onEnd(() => this.drop(connection));
    if (connection.hasEnded || this.#isClosed) this.drop(connection);
    return connection;
  }

  #afterPoll(): void {
    for (const connection of [...this.#all, ...this.#lent]) {
      if (!this.hosts.isUpToDate(connection)) this.drop(connection);
    }
    for (const [host, stuck] of Map.groupBy(this.#stuck, ({ host }) => host)) {
      void this.#dropIdle(host, stuck);
    }
  }

  /**
   * Ends the stuck connections whose commit, as the server says, does not wait for a standby any more. The answer to
   * such a commit was lost.
   */
  async #dropIdle(host: number, stuck: Connection[]): Promise<void> {
    const waiting = await this.hosts.areWaiting(host, stuck);
    for (const each of stuck) if (!waiting.has(each) && this.#stuck.has(each)) this.drop(each);
  }

  drop(connection: Connection): void {
    const wasHere = this.#all.delete(connection);
    this.#lent.delete(connection);
    this.#stuck.delete(connection);
    const idle = this.#idle.indexOf(connection);
    if (idle >= 0) this.#idle.splice(idle, 1);
    connection.destroy();
    if (wasHere) this.#waiting.shift()?.();
  }

  close(): void {
    this.#isClosed = true;
    this.hosts.close();
    for (const connection of this.#all) connection.end();
    this.#all.clear();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** The error of a commit that was not sent, because no commits are sent now. The message says why. */
export class WritesRefused extends Error {}

/**
 * The error of a commit that the server has made, or will make, but may still lose. No later call can tell whether the
 * commit is lost.
 */
export class Unacknowledged extends Error {}

/** Admits a number of calls at a time, in the order in which they come. */
class Permits {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(number: number) {
    this.#free = number;
  }

  /** Resolves once the call is admitted. @throws the reason of the signal if the signal aborts first */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) return void this.#free--;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => {
        const at = this.#waiting.indexOf(resolve);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      });
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
