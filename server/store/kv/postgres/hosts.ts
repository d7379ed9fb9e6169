/**
 * Polls the hosts of `KV_URL`, and owns the choice of the host that is used. Every second, all hosts are asked at the
 * same time for a report about themselves. If there are several hosts, they are also asked before a new connection is
 * made.
 *
 * `host_monitor.ts` asks a single host, `primary.ts` has the rule that chooses among the answers, and `host_health.ts`
 * says what is wrong with the hosts. `connections.ts` ends the connections to a host that has become stale, because a
 * higher timeline than its own is known. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import type { StoreHealth } from "../engine.ts";
import { Connection } from "./connection.ts";
import {
  describeStaleHost,
  durabilityFaultOf,
  faultOf,
  healthOf,
  type PolledHosts,
  reportOfUsedHost,
  StaleServer,
} from "./host_health.ts";
import { HostMonitor } from "./host_monitor.ts";
import { type Choice, choosePrimary, isOlder, type Lineage } from "./primary.ts";

/** The time between two polls, in milliseconds. */
const POLL_MS = 1_000;

/**
 * How long a poll waits for late hosts if another host is current (accepts commits and is not stale), in milliseconds.
 */
const PATIENCE_MS = 500;

export interface HostsOptions {
  location: PostgresLocation;
  /** How long a statement may take, in milliseconds. */
  statementMs: number;
}

/** The hosts, polled from `start()` until `close()`. The index of a host is its position in `KV_URL`. */
export class Hosts {
  readonly #options: HostsOptions;
  /** The monitor of each host, in the order of `KV_URL`. */
  readonly #monitors: HostMonitor[];
  readonly #stopping = new AbortController();
  #onPoll: () => void = () => {};
  /** The poll that is under way. */
  #polling: Promise<Choice> | undefined;
  #choice: Choice = { isCurrent: false, staleIndexes: [] };
  /** The index of the last host that was current. */
  #lastCurrentIndex = 0;
  /** Whether the store's table was there at an earlier poll. */
  #hadTable = false;

  constructor(options: HostsOptions) {
    this.#options = options;
    this.#monitors = options.location.hosts.map((_, hostIndex) =>
      new HostMonitor({ ...options, hostIndex })
    );
  }

  /** The highest timeline that is known; `undefined` while no host has answered. */
  get knownLineage(): Lineage | undefined {
    return this.#choice.knownLineage;
  }

  /** Begins to poll every second. @param onPoll is called after each poll */
  start(onPoll: () => void): void {
    this.#onPoll = onPoll;
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
    await this.#askAll();
    this.#choice = this.#choose();
    const { isCurrent, hostIndex, staleIndexes, knownLineage } = this.#choice;
    if (isCurrent) this.#lastCurrentIndex = hostIndex!;
    this.#hadTable ||= reportOfUsedHost(this.#polledHosts)?.hasTable ?? false;
    // There is a known lineage, because a host counts as stale only if a higher timeline is known.
    for (const index of staleIndexes) this.#monitors[index]!.recordTimeline(knownLineage!);
    this.#onPoll();
    return this.#choice;
  }

  /** Asks all hosts. Does not wait for late hosts if another host is current. */
  async #askAll(): Promise<void> {
    const allAnswers = Promise.all(this.#monitors.map((monitor) => monitor.ask()));
    const patience = new AbortController();
    const areAllInTime = await Promise.race([
      allAnswers.then(() => true),
      delay(PATIENCE_MS, false, { signal: patience.signal }).catch(() => true),
    ]);
    patience.abort();
    const needsLateHosts = !this.#choose().isCurrent || !this.knownLineage;
    if (!areAllInTime && needsLateHosts) await allAnswers;
  }

  /** Chooses among the hosts by their last answers. */
  #choose(): Choice {
    const reports = this.#monitors.map(({ lastAnswer }) =>
      lastAnswer instanceof Error ? undefined : lastAnswer
    );
    return choosePrimary(reports, this.knownLineage, this.#lastCurrentIndex);
  }

  /** Opens a connection to the current host; if no host is current, to a host that can be read. */
  async connect(signal: AbortSignal): Promise<Connection> {
    // If there is only one host and its timeline is known, no poll is needed, because a new connection asks its own
    // host.
    const needsPoll = this.#monitors.length > 1 || this.knownLineage === undefined;
    const { hostIndex } = needsPoll ? await this.poll() : { hostIndex: 0 };
    signal.throwIfAborted();
    if (hostIndex === undefined) throw this.fault;
    const connection = await Connection.open({ ...this.#options, hostIndex });
    try {
      signal.throwIfAborted();
      if (isOlder(connection.report, this.knownLineage)) {
        throw new StaleServer(describeStaleHost(this.#polledHosts, hostIndex, connection.report));
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
    const isAnswering = !(this.#monitors[hostIndex]!.lastAnswer instanceof Error);
    return report.takesWrites && (hostIndex === this.#choice.hostIndex || !isAnswering);
  }

  /**
   * Asks a host which connections have a commit that waits for a standby, and gives these connections.
   * @param connections connections to this host
   */
  findStuckConnections(hostIndex: number, connections: Connection[]): Promise<Set<Connection>> {
    return this.#monitors[hostIndex]!.findStuckConnections(connections);
  }

  /** Gives a sentence if the settings of the used host let it lose acknowledged commits. */
  get durabilityFault(): string | undefined {
    return durabilityFaultOf(this.#polledHosts);
  }

  /** The troubles of the store that the hosts report about themselves. */
  get health(): StoreHealth {
    return healthOf(this.#polledHosts);
  }

  /** The error because of which no host is used. */
  get fault(): Error {
    return faultOf(this.#polledHosts);
  }

  get #polledHosts(): PolledHosts {
    return {
      location: this.#options.location,
      answers: this.#monitors.map(({ lastAnswer }) => lastAnswer),
      choice: this.#choice,
      hadTable: this.#hadTable,
    };
  }

  close(): void {
    this.#stopping.abort();
    for (const monitor of this.#monitors) monitor.close();
  }
}
