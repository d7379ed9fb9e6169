/**
 * The connections of a process, made as calls need them. A call ends in time: its connection ends with it, so that no
 * answer of one call is taken for that of another. There is one exception. A commit that waits for a standby goes on
 * waiting in the server, whatever becomes of its connection. So that connection stays and counts, and while there is
 * one, no other commit is sent: its answer tells that the standby is back. @module
 */
import { withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE, StoreClosed } from "../calls.ts";
import { carelessness, type Connection, refusalCode, type StoredRow } from "./connection.ts";
import type { Hosts } from "./hosts.ts";

/**
 * The most that a process opens to one server, besides one that watches and one that looks, and how many of them write:
 * the others go on reading while commits wait.
 */
const MAX_CONNECTIONS = 7, MAX_WRITES = 5;

const READ_ONLY = "25006";

const WAITS_FOR_STANDBY =
  "The server waits for its synchronous standby, and so takes no writes. Bring the standby back, or let the " +
  'server go on without it (server/docs/deploy.md, "PostgreSQL with a standby")';

export class Connections {
  readonly hosts: Hosts;
  readonly deadlineMs: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /** Those that others opened here for themselves. */
  readonly #lent = new Set<Connection>();
  /** Calls that wait in their order; each gets a connection, or may open one. */
  readonly #waiting: ((connection?: Connection) => void)[] = [];
  readonly #writes = new Permits(MAX_WRITES);
  /** Those whose commit waits for a standby, though its call has ended. */
  readonly #stuck = new Set<Connection>();
  #opening = 0;
  #isClosed = false;
  readonly #keep = (connection?: Connection) => void this.#idle.push(connection!);

  constructor(hosts: Hosts, deadlineMs: number) {
    this.hosts = hosts;
    this.deadlineMs = deadlineMs;
    hosts.start(() => this.#afterLook());
  }

  /** Why commits are not sent, if they are not. */
  get refusal(): string | undefined {
    return this.#stuck.size > 0 ? WAITS_FOR_STANDBY : this.hosts.carelessness;
  }

  /** Does reads on a connection of its own. @throws {DeadlineError} where they take too long, also to get one */
  read<T>(work: (connection: Connection) => Promise<T>, ms = this.deadlineMs): Promise<T> {
    return withDeadline(ms, async (signal) => {
      return await this.#use(await this.#take(signal), work, {
        signal,
        onLate: (connection) => this.drop(connection),
      });
    }, KV_IS_LATE);
  }

  /**
   * Does a write on a connection of its own, which must be the last call of the work.
   * @throws {DeadlineError} where it takes too long, also to get one
   * @throws {Unacknowledged} where it waits for a standby
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
            const fault = carelessness(used.report);
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

  /** Keeps the connection of a late commit that waits for a standby, and ends that of any other. */
  async #keepIfItWaits(connection: Connection): Promise<boolean> {
    // Until the server has said so, the connection counts as well, as it is still in use.
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
      if (this.#all.size + this.#opening < MAX_CONNECTIONS) {
        this.#opening++;
        try {
          return this.#add(this.#all, await this.hosts.connect(signal));
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

  /** Opens a connection that is no part of the pool; it is ended as the others are. */
  async lend(signal: AbortSignal): Promise<Connection> {
    return this.#add(this.#lent, await this.hosts.connect(signal));
  }

  #add(to: Set<Connection>, connection: Connection): Connection {
    to.add(connection);
    connection.onEnd(() => this.drop(connection));
    if (connection.isOver || this.#isClosed) this.drop(connection);
    return connection;
  }

  #afterLook(): void {
    for (const connection of [...this.#all, ...this.#lent]) {
      if (!this.hosts.isUpToDate(connection)) this.drop(connection);
    }
    for (const [host, stuck] of Map.groupBy(this.#stuck, ({ host }) => host)) {
      void this.#dropIdle(host, stuck);
    }
  }

  /** Ends stuck connections of which the server says that they do not wait: their answers were lost. */
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
    connection.drop();
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

/** Commits are not sent, for a reason that its message gives. */
export class WritesRefused extends Error {}

/** A commit is done, or will be, and what is done may still be lost: no further call tells. */
export class Unacknowledged extends Error {}

/** Lets a number of holders in at a time, in their order. */
class Permits {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(number: number) {
    this.#free = number;
  }

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
