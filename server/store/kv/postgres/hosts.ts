/**
 * Polls the hosts of `KV_URL`, and owns the choice of the host that is used. Every second, all hosts are asked at the
 * same time for a report about themselves. If there are several hosts, they are also asked before a new connection is
 * made. Each host is asked on a connection that stays open for this purpose.
 *
 * `primary.ts` has the rule that chooses among the answers, and `host_health.ts` says what is wrong with the hosts.
 * `connections.ts` ends the connections to a host that has become stale, because a higher timeline than its own is
 * known. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import { DeadlineError, withDeadline } from "../../../runtime/mod.ts";
import type { StoreHealth } from "../engine.ts";
import { timelineKey } from "../keys.ts";
import { CONNECT_MS, Connection, hostAddress, type StoredRow } from "./connection.ts";
import {
  describeStale,
  durabilityFaultOf,
  faultOf,
  healthOf,
  NO_ANSWER,
  type PolledHosts,
  type PolledReport,
  reportOfUsed,
  StaleServer,
} from "./host_health.ts";
import { type Choice, choosePrimary, isOlder, type Lineage } from "./primary.ts";
import { encodeKey } from "./rows.ts";
import { RECORDED_TIMELINE, recordTimelineQuery, WAITING_FOR_STANDBY } from "./table.ts";

/** The time between two polls, in milliseconds. */
const POLL_MS = 1_000;

/** How long the answer of a host may take, in milliseconds. */
const ANSWER_MS = CONNECT_MS;

/** How long a poll waits for the answers of late hosts if another host is current, in milliseconds. */
const PATIENCE_MS = 500;

export interface HostsOptions {
  location: PostgresLocation;
  /** How long a statement may take, in milliseconds. */
  statementMs: number;
}

/** The hosts, polled from `start()` until `close()`. */
export class Hosts {
  readonly #options: HostsOptions;
  /** For each host, the connection on which the host is asked for reports. */
  readonly #monitors: (Connection | undefined)[] = [];
  /** The last answer of each host: a report, or the error because of which there is no report. */
  readonly #answers: (PolledReport | Error)[];
  /** The requests for a report that the hosts have not answered yet. The key is the index of the host. */
  readonly #openRequests = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #listeners: (() => void)[] = [];
  #polling: Promise<Choice> | undefined;
  #choice: Choice = { isCurrent: false, stale: [] };
  /** The index of the last host that was current. */
  #lastCurrent = 0;
  /** Whether the store's table was there at an earlier poll. */
  #hadTable = false;

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#answers = options.location.hosts.map(() => new Error(NO_ANSWER));
  }

  /** The highest timeline that is known; `undefined` while no host has answered. */
  get knownLineage(): Lineage | undefined {
    return this.#choice.knownLineage;
  }

  /** Begins to poll every second. @param onPoll is called after each poll */
  start(onPoll: () => void): void {
    this.#listeners.push(onPoll);
    const { signal } = this.#stopping;
    void (async () => {
      while (!signal.aborted) {
        await delay(POLL_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) await this.poll();
      }
    })();
  }

  /** Asks all hosts, and chooses one. Calls at the same time share a poll. */
  poll(): Promise<Choice> {
    return this.#polling ??= this.#poll().finally(() => this.#polling = undefined);
  }

  async #poll(): Promise<Choice> {
    const answered = Promise.all(this.#options.location.hosts.map((_, host) => this.#ask(host)));
    const patience = new AbortController();
    const areAllInTime = await Promise.race([
      answered.then(() => true),
      delay(PATIENCE_MS, false, { signal: patience.signal }).catch(() => true),
    ]);
    patience.abort();
    const needsLateHosts = !this.#choose().isCurrent || !this.knownLineage;
    if (!areAllInTime && needsLateHosts) await answered;
    this.#choice = this.#choose();
    if (this.#choice.isCurrent) this.#lastCurrent = this.#choice.host!;
    this.#hadTable ||= reportOfUsed(this.#polled)?.hasTable ?? false;
    for (const stale of this.#choice.stale) this.#recordTimeline(stale);
    for (const listener of this.#listeners) listener();
    return this.#choice;
  }

  #choose(): Choice {
    const reports = this.#answers.map((answer) => answer instanceof Error ? undefined : answer);
    return choosePrimary(reports, this.#choice.knownLineage, this.#lastCurrent);
  }

  /**
   * Asks a host for a report. If the host has not answered an earlier request yet, waits for the answer to that
   * request.
   */
  #ask(host: number): Promise<void> {
    const request = this.#openRequests.get(host) ?? this.#requestReport(host).then(
      (report) => void (this.#answers[host] = report),
      (error) => {
        this.#answers[host] = error;
        this.#dropMonitor(host);
      },
    ).finally(() => this.#openRequests.delete(host));
    this.#openRequests.set(host, request);
    return request;
  }

  /**
   * Requests a report on the connection that stays open for reports. If there is no such connection, or it has ended,
   * makes a new connection.
   */
  #requestReport(host: number): Promise<PolledReport> {
    const { location } = this.#options;
    return withDeadline(ANSWER_MS, async (signal) => {
      const earlier = this.#monitors[host];
      const monitor = earlier && !earlier.hasEnded ? earlier : await this.#connectTo(host);
      if (signal.aborted || this.#stopping.signal.aborted) {
        monitor.destroy();
        throw new Error("The connection came too late");
      }
      this.#monitors[host] = monitor;
      const report = monitor === earlier ? await monitor.readReport() : monitor.report;
      if (!report.hasTable) return { ...report, recordedTimeline: 0 };
      const key = encodeKey(timelineKey(report.system));
      const [[recorded] = []] = await monitor.query(RECORDED_TIMELINE, [key], "recorded");
      return { ...report, recordedTimeline: Number(recorded ?? 0) };
    }, `${hostAddress(location, host)} did not answer in time`);
  }

  #connectTo(hostIndex: number): Promise<Connection> {
    return Connection.open({ ...this.#options, hostIndex });
  }

  #dropMonitor(host: number): void {
    this.#monitors[host]?.destroy();
    this.#monitors[host] = undefined;
  }

  /** Records the known timeline in the store of a stale server, for a process that later reaches only this server. */
  #recordTimeline(host: number): void {
    // The `!` and the cast hold, because only a host that has answered can be stale.
    const report = this.#answers[host] as PolledReport;
    const { system, timeline } = this.knownLineage!;
    if (!report.takesWrites || !report.hasTable || report.recordedTimeline >= timeline) return;
    const key = encodeKey(timelineKey(system)).toString("hex");
    // An error is ignored, because the next poll tries again.
    this.#monitors[host]?.query(recordTimelineQuery(key, timeline)).catch(() =>
      this.#dropMonitor(host)
    );
  }

  /** Opens a connection to the current host; if no host is current, to a host that can be read. */
  async connect(signal: AbortSignal): Promise<Connection> {
    // If there is only one host and its timeline is known, no poll is needed, because a new connection asks its own
    // host.
    const needsNoPoll = this.#answers.length === 1 && this.knownLineage !== undefined;
    const { host } = needsNoPoll ? { host: 0 } : await this.poll();
    signal.throwIfAborted();
    if (host === undefined) throw this.fault;
    const connection = await this.#connectTo(host);
    try {
      signal.throwIfAborted();
      if (isOlder(connection.report, this.knownLineage)) {
        throw new StaleServer(describeStale(this.#polled, host, connection.report));
      }
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * Whether a connection may still be used. Its server must not be stale. While a host is current, the connection must
   * also accept writes, and must lead to the current host or to a host that does not answer now.
   */
  isUpToDate({ report, hostIndex }: Connection): boolean {
    if (isOlder(report, this.knownLineage)) return false;
    if (!this.#choice.isCurrent) return true;
    return report.takesWrites && (hostIndex === this.#choice.host || !this.#isAnswering(hostIndex));
  }

  #isAnswering(host: number): boolean {
    return !(this.#answers[host] instanceof Error);
  }

  /** Asks a host which connections have a commit that waits for a standby, and gives these connections. */
  async findWaiting(host: number, connections: Connection[]): Promise<Set<Connection>> {
    const pids = connections.map(({ report }) => report.pid);
    const monitor = this.#monitors[host];
    if (!monitor) return new Set();
    let rows: StoredRow[] = [];
    try {
      rows = await withDeadline(
        POLL_MS,
        () => monitor.query(WAITING_FOR_STANDBY, [pids], "waiting"),
      );
    } catch (error) {
      if (error instanceof DeadlineError) this.#dropMonitor(host);
    }
    const waiting = new Set(rows.map(([pid]) => pid));
    return new Set(connections.filter(({ report }) => waiting.has(report.pid)));
  }

  /** Gives a sentence if the settings of the used host let it lose acknowledged commits. */
  get durabilityFault(): string | undefined {
    return durabilityFaultOf(this.#polled);
  }

  /** The troubles of the store that the hosts report about themselves. */
  get health(): StoreHealth {
    return healthOf(this.#polled);
  }

  /** The error because of which no host is used. */
  get fault(): Error {
    return faultOf(this.#polled);
  }

  get #polled(): PolledHosts {
    return {
      location: this.#options.location,
      answers: this.#answers,
      choice: this.#choice,
      hadTable: this.#hadTable,
    };
  }

  close(): void {
    this.#stopping.abort();
    for (const monitor of this.#monitors) monitor?.end();
  }
}
