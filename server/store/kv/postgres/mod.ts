/**
 * PostgreSQL as an engine of the store: opens it, and makes its calls. A commit is one call of an SQL function, which
 * is one transaction. `connections.ts` and `hosts.ts` own the connections, and `table.ts` and `create_table.ts` own
 * the SQL. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import { DeadlineError, withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE } from "../calls.ts";
import {
  type Engine,
  type EngineTraits,
  type Key,
  type ListOptions,
  NoAnswer,
  type Selector,
  type StoreHealth,
  UnknownOutcome,
  type Version,
} from "../engine.ts";
import {
  type Connection,
  findDurabilityFault,
  hostAddress,
  refusalCode,
  type StoredRow,
  UnfitServer,
} from "./connection.ts";
import { Connections, Unacknowledged } from "./connections.ts";
import { CounterParts } from "./counter_parts.ts";
import { CREATE, IS_CREATED } from "./create_table.ts";
import { encodeKey, rangeOf } from "./encoded_keys.ts";
import { NO_ANSWER } from "./host_health.ts";
import { Hosts } from "./hosts.ts";
import { packCommit, type PackedCommit } from "./packed_commit.ts";
import { addUpRows, decodeRow } from "./rows.ts";
import { COMMIT, listQuery, PROCESS_ID, READ_ENTRIES, READ_PARTS } from "./table.ts";
import { Watches } from "./watches.ts";

/** How long the start of a process waits for a server, in milliseconds. */
const START_MS = 10_000;

/** The time between two tries to reach a server at the start of a process, in milliseconds. */
const RETRY_MS = 250;

/** How long a call may take, in milliseconds. */
const CALL_MS = 5_000;

/**
 * PostgreSQL's codes of errors that waiting does not mend: a wrong name or password, a missing database, missing
 * rights.
 */
const FINAL_CODES = /^(?:28|3D|42)/;

/** Whether waiting does not mend an error at the start. An error of TLS has none of these codes. */
const isFinal = (error: unknown) =>
  error instanceof UnfitServer || FINAL_CODES.test(refusalCode(error) ?? "") ||
  /certificate/i.test((error as Error).message);

/**
 * Opens the store, and makes its table if it is missing.
 * @param deadlineMs how long a call may take, in milliseconds
 * @throws {Error} with a message that names the place of the store and the document with the remedy
 */
export async function openPostgres(location: PostgresLocation, deadlineMs = CALL_MS) {
  const { hosts, database } = location;
  const name = `postgres://${hosts.map((_, index) => hostAddress(location, index))}/${database}`;
  // A statement may take one second less than a call, so that the server itself can end it before the deadline of the
  // call.
  const connections = new Connections(
    new Hosts({ location, statementMs: deadlineMs - 1_000 }),
    deadlineMs,
  );
  try {
    const processId = await prepareInTime(connections);
    return {
      engine: postgresEngine(connections, processId),
      name,
      health: () => healthOf(connections),
    };
  } catch (error) {
    connections.close();
    const { message } = error as Error;
    throw new Error(
      `KV_URL gives no store at ${name}: ${message}. See server/docs/deploy.md, "PostgreSQL"`,
      { cause: error },
    );
  }
}

/**
 * Prepares the store, and tries again until {@linkcode START_MS} have passed.
 * @returns a name for this process
 * @throws the error of the last try
 */
async function prepareInTime(connections: Connections): Promise<string> {
  let lastError: unknown = new Error(NO_ANSWER);
  try {
    return await withDeadline(START_MS, async (signal) => {
      for (;;) {
        try {
          await prepareStore(connections);
          return await createProcessId(connections);
        } catch (error) {
          lastError = error;
          if (isFinal(error)) throw error;
          await delay(RETRY_MS, undefined, { signal });
        }
      }
    });
  } catch {
    // The error of the deadline is dropped, because it does not say why the tries have failed.
    throw lastError;
  }
}

/** Makes the table if it is missing. @throws {Error} if the hosts cannot be used */
async function prepareStore(connections: Connections): Promise<void> {
  const [[isCreated] = []] = await connections.read((connection) => connection.query(IS_CREATED));
  const fault = connections.hosts.durabilityFault;
  if (fault) throw new UnfitServer(fault);
  // Polls a second time to find out whether a connection pool shares sessions. By now, such a pool has given the
  // session of the first poll to a later connection.
  const { hostIndex } = await connections.hosts.poll();
  if (hostIndex === undefined) throw connections.hosts.fault;
  if (isCreated !== "t") await connections.write((connection) => connection.query(CREATE));
}

/** Makes a name for this process, which no other process has. */
async function createProcessId(connections: Connections): Promise<string> {
  const [[processId] = []] = await connections.read((connection) => connection.query(PROCESS_ID));
  return processId!;
}

function healthOf(connections: Connections): StoreHealth {
  const { refusal } = connections;
  return { ...refusal && { refusal }, ...connections.hosts.health };
}

/**
 * Commits that are under way together share the server's writes to the disk. Gathering sign-ups for two milliseconds
 * while other commits are under way makes commits larger. This saves a tenth to a fifth of the CPU time of a sign-up.
 */
const TRAITS: EngineTraits = {
  checksPerCommit: 299,
  commitsInFlight: 4,
  busyGatherMs: 2,
  readsUnconfirmed: true,
  system: "postgresql",
};

/** PostgreSQL's codes of errors for a statement, or a wait for a row, that took too long. */
const LATE_CODES = ["57014", "55P03"];

function postgresEngine(connections: Connections, processId: string): Engine {
  const watches = new Watches(connections);
  const counterParts = new CounterParts(connections);

  /** Makes a read. @throws {DeadlineError} if the call is late, or the server has given up the statement */
  async function query(name: string, text: string, values: unknown[]): Promise<StoredRow[]> {
    try {
      return await connections.query(name, text, values);
    } catch (error) {
      throw toCallError(error);
    }
  }

  /** Makes a commit. @returns its version, "0" if a check failed */
  async function sendCommit(connection: Connection, packedCommit: PackedCommit): Promise<Version> {
    const part = await counterParts.take(connection);
    try {
      const [row = []] = await connection.query(COMMIT, [...packedCommit, part], "commit");
      const [version, synchronousCommit, session] = row;
      connection.assertOwnSession(session!);
      const fault = findDurabilityFault({ synchronousCommit: synchronousCommit! });
      if (fault) throw new Unacknowledged(fault);
      return version!;
    } finally {
      // Other commits may use this part of the counters from now on, even if this commit got no answer and the server
      // is still at work on it. In this case, the next commit with the part waits until the server has made this
      // commit.
      counterParts.giveBack(part);
    }
  }

  return {
    traits: TRAITS,
    deadlineMs: connections.deadlineMs,
    async get<T>(keys: readonly Key[]) {
      if (keys.length === 0) return [];
      const encodedKeys = keys.map(encodeKey);
      const rowsByKey = Map.groupBy(
        await query("get", READ_ENTRIES, [encodedKeys]),
        ([keyInHex]) => keyInHex,
      );
      return encodedKeys.map((encodedKey, index) => {
        const key = keys[index]!;
        const rows = rowsByKey.get(`\\x${encodedKey.toString("hex")}`);
        if (!rows) return { key, value: null, version: null };
        return decodeRow<T>(rows.length === 1 ? rows[0]! : addUpRows(rows), key);
      });
    },
    async list<T>(selector: Selector, { limit, reverse = false }: ListOptions) {
      const order = reverse ? "desc" : "asc";
      const values = [...rangeOf(selector), limit];
      return (await query(`list_${order}`, listQuery(order), values)).map((row) =>
        decodeRow<T>(row)
      );
    },
    async commit(commit) {
      const packedCommit = packCommit(commit);
      let isSent = false;
      try {
        const version = await connections.write((connection) => {
          isSent = true;
          return sendCommit(connection, packedCommit);
        });
        return version === "0" ? "conflict" : version;
      } catch (error) {
        if (error instanceof Unacknowledged) throw new UnknownOutcome(error);
        const isRefused = refusalCode(error) !== undefined;
        throw isSent && !isRefused ? new NoAnswer(error) : toCallError(error);
      }
    },
    processId: () => Promise.resolve(processId),
    watch: (key, onChange) => watches.add(key, onChange),
    sweep: async () => await counterParts.foldUnusedParts(await query("parts", READ_PARTS, [])),
    close() {
      watches.close();
      connections.close();
    },
  };
}

/** Gives the error that callers get for an error of the server. */
function toCallError(error: unknown): unknown {
  return LATE_CODES.includes(refusalCode(error) ?? "") ? new DeadlineError(KV_IS_LATE) : error;
}
