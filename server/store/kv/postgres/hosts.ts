/**
 * The hosts of `KV_URL`, and which of them is used: this is the only place that knows it. Each host is asked every
 * second about itself, all of them side by side, on one connection that is kept for that, and `primary.ts` chooses among
 * the answers. A new connection asks them first, too. What a host says counts from then on for all connections: those to
 * a host that has become stale are ended, with the calls on them. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import { DeadlineError, withDeadline } from "../../../runtime/mod.ts";
import type { StoreHealth } from "../engine.ts";
import { timelineKey } from "../keys.ts";
import { carelessness, codeOf, Connection, hostAddress, type StoredRow } from "./connection.ts";
import { CONNECT_MS, refusalCode, type ServerReport, UnfitServer } from "./connection.ts";
import { type Choice, choosePrimary, isOlder, type Lineage } from "./primary.ts";
import { encodeKey } from "./rows.ts";
import { NOTE, NOTED, WAITING } from "./table.ts";

/**
 * In milliseconds: between two looks, how long an answer may take, and how long a host that answers late keeps the others
 * waiting while one of them is current.
 */
const LOOK_MS = 1_000, ANSWER_MS = CONNECT_MS, PATIENCE_MS = 500;

/** The code with which a server says that there is no such database. */
const NO_DATABASE = "3D000";

/** All hosts that can be used are former primaries. */
export class StaleServer extends Error {}

export interface HostsOptions {
  location: PostgresLocation;
  /** How long a statement may take, in milliseconds. */
  limitMs: number;
}

export class Hosts {
  readonly #options: HostsOptions;
  readonly #sentinels: (Connection | undefined)[] = [];
  /** What each host has answered last: a report, or why there is none. */
  readonly #answers: (ServerReport | Error)[];
  readonly #asking = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #listeners: (() => void)[] = [];
  #looking: Promise<Choice> | undefined;
  #choice: Choice = { isCurrent: false, stale: [] };
  #last = 0;
  /** Whether the table was there at an earlier look. */
  #hadTable = false;

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#answers = options.location.hosts.map(() => new Error("no server answers"));
  }

  get known(): Lineage | undefined {
    return this.#choice.known;
  }

  /** Looks every second until it is closed. @param onLook is called after each look */
  start(onLook: () => void): void {
    this.#listeners.push(onLook);
    const { signal } = this.#stopping;
    void (async () => {
      while (!signal.aborted) {
        await delay(LOOK_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) await this.look();
      }
    })();
  }

  /** Asks all hosts, and chooses; calls at the same time share one look. */
  look(): Promise<Choice> {
    return this.#looking ??= this.#look().finally(() => this.#looking = undefined);
  }

  async #look(): Promise<Choice> {
    const all = Promise.all(this.#options.location.hosts.map((_, host) => this.#ask(host)));
    const patience = new AbortController();
    const inTime = await Promise.race([
      all.then(() => true),
      delay(PATIENCE_MS, false, { signal: patience.signal }).catch(() => true),
    ]);
    patience.abort();
    if (!inTime && !(this.#choose().isCurrent && this.#choice.known)) await all;
    this.#choice = this.#choose();
    if (this.#choice.isCurrent) this.#last = this.#choice.host!;
    const { host } = this.#choice;
    if (host !== undefined) this.#hadTable ||= (this.#answers[host] as ServerReport).hasTable;
    for (const stale of this.#choice.stale) this.#note(stale);
    for (const listener of this.#listeners) listener();
    return this.#choice;
  }

  #choose(): Choice {
    const reports = this.#answers.map((each) => each instanceof Error ? undefined : each);
    return choosePrimary(reports, this.#choice.known, this.#last);
  }

  /** Asks a host, unless it has not yet answered an earlier question. */
  #ask(host: number): Promise<void> {
    const asking = this.#asking.get(host) ?? this.#question(host).then(
      (report) => void (this.#answers[host] = report),
      (error) => {
        this.#answers[host] = error;
        this.#dropSentinel(host);
      },
    ).finally(() => this.#asking.delete(host));
    this.#asking.set(host, asking);
    return asking;
  }

  #question(host: number): Promise<ServerReport> {
    const { location } = this.#options;
    return withDeadline(ANSWER_MS, async (signal) => {
      const kept = this.#sentinels[host];
      const sentinel = kept && !kept.isOver ? kept : await this.#connectTo(host);
      if (signal.aborted || this.#stopping.signal.aborted) {
        sentinel.drop();
        throw new Error("The connection came too late");
      }
      this.#sentinels[host] = sentinel;
      const report = sentinel === kept ? await sentinel.look() : sentinel.report;
      if (!report.hasTable) return report;
      const key = encodeKey(timelineKey(report.system));
      const [[noted] = []] = await sentinel.query(NOTED, [key], "noted");
      return { ...report, notedTimeline: Number(noted ?? 0) };
    }, `${hostAddress(location, host)} did not answer in time`);
  }

  #connectTo(host: number): Promise<Connection> {
    return Connection.open({ ...this.#options, host });
  }

  #dropSentinel(host: number): void {
    this.#sentinels[host]?.drop();
    this.#sentinels[host] = undefined;
  }

  /** Notes in a stale server's store what it does not know, so that a process that finds it alone is told. */
  #note(host: number): void {
    const report = this.#answers[host] as ServerReport;
    const { system, timeline } = this.known!;
    if (!report.takesWrites || !report.hasTable || report.notedTimeline >= timeline) return;
    const key = encodeKey(timelineKey(system)).toString("hex");
    // The next look tries again.
    this.#sentinels[host]?.query(NOTE(key, timeline)).catch(() => this.#dropSentinel(host));
  }

  /** Opens a connection to the current host; where there is none, to one that can be read. */
  async connect(signal: AbortSignal): Promise<Connection> {
    // One host alone is asked by the connection itself.
    const isAlone = this.#answers.length === 1 && this.known !== undefined;
    const { host } = isAlone ? { host: 0 } : await this.look();
    signal.throwIfAborted();
    if (host === undefined) throw this.fault;
    const connection = await this.#connectTo(host);
    try {
      signal.throwIfAborted();
      if (isOlder(connection.report, this.known)) {
        throw new StaleServer(this.#describeStale(host, connection.report));
      }
      return connection;
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  /** Whether a connection may still be used: not one to a stale server, nor one to a standby once there is a primary. */
  isUpToDate({ report, host }: Connection): boolean {
    if (isOlder(report, this.known)) return false;
    if (!this.#choice.isCurrent) return true;
    return report.takesWrites && (host === this.#choice.host || !this.#isAnswering(host));
  }

  #isAnswering(host: number): boolean {
    return !(this.#answers[host] instanceof Error);
  }

  /** Which connections to a host have a commit that waits for a standby. */
  async areWaiting(host: number, connections: Connection[]): Promise<Set<Connection>> {
    const pids = connections.map(({ report }) => report.pid);
    const sentinel = this.#sentinels[host];
    if (!sentinel) return new Set();
    let rows: StoredRow[] = [];
    try {
      rows = await withDeadline(LOOK_MS, () => sentinel.query(WAITING, [pids], "waiting"));
    } catch (error) {
      if (error instanceof DeadlineError) this.#dropSentinel(host);
    }
    const waiting = new Set(rows.map(([pid]) => pid));
    return new Set(connections.filter(({ report }) => waiting.has(report.pid)));
  }

  /** Why no commit of this store would be safe, if that is so. */
  get carelessness(): string | undefined {
    const { host } = this.#choice;
    return host === undefined ? undefined : carelessness(this.#answers[host] as ServerReport);
  }

  /** The health of the store by what the hosts report of themselves, because the answers to calls do not tell it. */
  get health(): StoreHealth {
    const { host, isCurrent, stale } = this.#choice;
    const health: StoreHealth = {};
    if (stale.length > 0) health.warning = stale.map((each) => this.#describeStale(each)).join(" ");
    if (host === undefined) {
      const { fault } = this;
      if (fault instanceof StaleServer) health.refusal = fault.message;
      if (codeOf(fault) === NO_DATABASE) health.vanished = VANISHED("database");
      return health;
    }
    const report = this.#answers[host] as ServerReport;
    if (this.#hadTable && !report.hasTable) health.vanished = VANISHED("schema or its table");
    else if (!isCurrent) health.refusal = "No server of KV_URL takes writes";
    else if (this.carelessness) health.refusal = this.carelessness;
    else if (this.#hadTable && !report.mayWrite) {
      health.refusal = "The role of KV_URL may not write to the table waitlist.kv. Grant it the " +
        'rights of server/docs/deploy.md, "Rights and settings"';
    }
    return health;
  }

  /** Why no host is used: what waiting does not change comes first. */
  get fault(): Error {
    if (this.#choice.stale.length > 0) {
      return new StaleServer(
        `All servers that answer are former primaries: ${
          this.#describeStale(this.#choice.stale[0]!)
        }`,
      );
    }
    const faults = this.#answers.filter((each) => each instanceof Error);
    return faults.find((each) => each instanceof UnfitServer) ??
      faults.find((each) => refusalCode(each)) ??
      faults.find((each) => !(each instanceof DeadlineError)) ?? faults[0] ??
      new Error("no server answers");
  }

  #describeStale(host: number, { timeline } = this.#answers[host] as ServerReport): string {
    return `${hostAddress(this.#options.location, host)} is a former primary: its timeline is ` +
      `${timeline}, and ${this.known?.timeline} is known. Stop it, and set it up anew as a standby.`;
  }

  close(): void {
    this.#stopping.abort();
    for (const sentinel of this.#sentinels) sentinel?.end();
  }
}

const VANISHED = (what: string) =>
  `The ${what} is gone, so nothing is stored any more. Stop the service, and restore the ` +
  "server's own backup; if there is none, make a new database and restore a backup of the service into it";
