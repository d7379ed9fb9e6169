/**
 * The connections of commits that still wait for a standby after the deadline of their calls. Such a commit goes on
 * waiting in the server even if its connection ends. So its connection stays open, and the answer to the commit shows
 * that the standby is back. `connections.ts` owns the pool, and sends no other commit while there is such a connection.
 * @module
 */
import type { Connection } from "./connection.ts";

/** A call, and the connection of the pool that no other call uses meanwhile. */
export interface PooledCall {
  readonly connection: Connection;
  /** Whether the call has its answer. If so, the connection may serve another call. */
  isOver: boolean;
}

export interface StuckCommitsOptions {
  /** Asks a host which connections have a commit that waits for a standby, and gives these connections. */
  findStuckConnections: (hostIndex: number, connections: Connection[]) => Promise<Set<Connection>>;
  /** Ends a connection of the pool. */
  drop: (connection: Connection) => void;
}

/** The connections of the late commits that wait for a standby. */
export class StuckCommits {
  readonly #findStuckConnections: StuckCommitsOptions["findStuckConnections"];
  readonly #drop: StuckCommitsOptions["drop"];
  readonly #connections = new Set<Connection>();

  constructor({ findStuckConnections, drop }: StuckCommitsOptions) {
    this.#findStuckConnections = findStuckConnections;
    this.#drop = drop;
  }

  /** Whether a late commit waits for a standby. */
  get hasAny(): boolean {
    return this.#connections.size > 0;
  }

  /**
   * Decides about the connection of a commit whose call is late: keeps the connection if the commit waits for a
   * standby, and ends it otherwise. The connection stays as it is if the commit has been answered meanwhile, because
   * another call may use the connection by then.
   * @returns whether the commit waited for a standby when the host was asked
   */
  async keepOrDrop(call: PooledCall): Promise<boolean> {
    const { connection } = call;
    const stuckConnections = await this.#findStuckConnections(connection.hostIndex, [connection]);
    const isStuck = stuckConnections.has(connection);
    if (!call.isOver) {
      if (isStuck && !connection.hasEnded) this.#connections.add(connection);
      else this.#drop(connection);
    }
    return isStuck;
  }

  /** Forgets a connection, because its commit has been answered, or because the connection has ended. */
  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /**
   * Asks the hosts which commits still wait for a standby, and ends the connections of the other commits. The answers
   * to these commits were lost.
   */
  async dropAnswered(): Promise<void> {
    const connectionsByHost = Map.groupBy(this.#connections, ({ hostIndex }) => hostIndex);
    await Promise.all(Array.from(connectionsByHost, async ([hostIndex, connections]) => {
      const stuckConnections = await this.#findStuckConnections(hostIndex, connections);
      for (const connection of connections) {
        // If a commit was answered while the host was asked, its connection is not in `#connections` any more.
        const isAnswerLost = !stuckConnections.has(connection) && this.#connections.has(connection);
        if (isAnswerLost) this.#drop(connection);
      }
    }));
  }
}
