/**
 * Asks one host of `KV_URL` about itself, on a connection that stays open for this purpose. `hosts.ts` decides when the
 * host is asked, and chooses among the hosts. @module
 */
import { DeadlineError, withDeadline } from "../../../runtime/mod.ts";
import { timelineKey } from "../keys.ts";
import {
  CONNECT_MS,
  Connection,
  type ConnectionOptions,
  hostAddress,
  type StoredRow,
} from "./connection.ts";
import { encodeKey } from "./encoded_keys.ts";
import { NO_ANSWER, type PolledReport } from "./host_health.ts";
import type { Lineage } from "./primary.ts";
import { RECORDED_TIMELINE, recordTimelineQuery, WAITING_FOR_STANDBY } from "./table.ts";

/** How long the host may take to give a report, in milliseconds. */
const REPORT_MS = CONNECT_MS;

/** How long the host may take to say which commits wait for a standby, in milliseconds. */
const STUCK_REPORT_MS = 1_000;

export class HostMonitor {
  readonly #options: ConnectionOptions;
  /** The connection on which the host is asked; `undefined` after an error, until the next request for a report. */
  #connection: Connection | undefined;
  #lastAnswer: PolledReport | Error = new Error(NO_ANSWER);
  /** The request for a report that the host has not answered yet. */
  #openRequest: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The last answer of the host: a report, or the error because of which there is no report. */
  get lastAnswer(): PolledReport | Error {
    return this.#lastAnswer;
  }

  /**
   * Asks the host for a report, and resolves once `lastAnswer` has the answer. If the host has not answered an earlier
   * request yet, waits for the answer to that request.
   */
  ask(): Promise<void> {
    return this.#openRequest ??= this.#updateLastAnswer().finally(() =>
      this.#openRequest = undefined
    );
  }

  /** Asks the host, and notes its answer. After an error, ends the connection. */
  async #updateLastAnswer(): Promise<void> {
    try {
      this.#lastAnswer = await this.#requestReport();
    } catch (error) {
      this.#lastAnswer = error as Error;
      this.#dropConnection();
    }
  }

  /** Requests a report. If there is no open connection to the host, makes a new one. */
  #requestReport(): Promise<PolledReport> {
    const { location, hostIndex } = this.#options;
    return withDeadline(REPORT_MS, async (signal) => {
      const earlierConnection = this.#connection;
      const connection = earlierConnection && !earlierConnection.hasEnded
        ? earlierConnection
        : await Connection.open(this.#options);
      if (signal.aborted || this.#isClosed) {
        connection.destroy();
        throw new Error("The connection came too late");
      }
      this.#connection = connection;
      // A new connection has just read a report.
      const isNew = connection !== earlierConnection;
      const report = isNew ? connection.report : await connection.readReport();
      if (!report.hasTable) return { ...report, recordedTimeline: 0 };
      const key = encodeKey(timelineKey(report.system));
      const [[recordedTimeline] = []] = await connection.query(
        RECORDED_TIMELINE,
        [key],
        "recorded",
      );
      return { ...report, recordedTimeline: Number(recordedTimeline ?? 0) };
    }, `${hostAddress(location, hostIndex)} did not answer in time`);
  }

  #dropConnection(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  /**
   * Records a timeline in the store of this host, for a process that later reaches only this host. The host must be
   * stale: the given timeline is higher than the timeline of the host.
   */
  recordTimeline({ system, timeline }: Lineage): void {
    const report = this.#lastAnswer;
    if (report instanceof Error || !report.takesWrites || !report.hasTable) return;
    if (report.recordedTimeline >= timeline) return;
    const key = encodeKey(timelineKey(system)).toString("hex");
    // An error is ignored, because the next poll tries again.
    this.#connection?.query(recordTimelineQuery(key, timeline)).catch(() => this.#dropConnection());
  }

  /** Asks the host which connections have a commit that waits for a standby, and gives these connections. */
  async findStuckConnections(connections: Connection[]): Promise<Set<Connection>> {
    const ownConnection = this.#connection;
    if (!ownConnection) return new Set();
    const pids = connections.map(({ report }) => report.pid);
    let rows: StoredRow[] = [];
    try {
      rows = await withDeadline(
        STUCK_REPORT_MS,
        () => ownConnection.query(WAITING_FOR_STANDBY, [pids], "waiting"),
      );
    } catch (error) {
      // Any other error shows that the connection has ended, or that the server has refused the query.
      if (error instanceof DeadlineError) this.#dropConnection();
    }
    const stuckPids = new Set(rows.map(([pid]) => pid));
    return new Set(connections.filter(({ report }) => stuckPids.has(report.pid)));
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.end();
  }
}
