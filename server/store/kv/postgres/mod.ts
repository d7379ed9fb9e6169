/**
 * PostgreSQL as an engine of the store: opens it, and makes its calls. A commit is one call of a function, which is a
 * transaction. Each that is under way has a slot of its own, a row that it checks and writes: where it gives no answer,
 * to rewrite the slot tells whether it has gone through, and keeps it from doing so later. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import { DeadlineError, withDeadline } from "../../../runtime/mod.ts";
import { KV_IS_LATE, retry } from "../calls.ts";
import { type Commit, type EngineTraits, type Key, type Kv, UnknownOutcome } from "../engine.ts";
import type { ListOptions, Selector, StoreHealth, Version } from "../engine.ts";
import { carelessness, type Connection, refusalCode } from "./connection.ts";
import { hostAddress, type StoredRow, UnfitServer } from "./connection.ts";
import { Connections, Unacknowledged } from "./connections.ts";
import { Hosts } from "./hosts.ts";
import { decodeRow, encodeKey, joinRows, packCommit, rangeOf } from "./rows.ts";
import { COMMIT, FOLD, GET, IS_MADE, LIST, MAKE, NEW_SLOT, SETTLE, SLOTS } from "./table.ts";
import { Watches } from "./watches.ts";

/** In milliseconds: how long a start waits for a server, between its tries, and what a call may take. */
const READY_MS = 10_000, PAUSE_MS = 250, CALL_MS = 5_000;

/** Codes of what waiting does not change: a wrong name or password, a missing database, missing rights. */
const FINAL = /^(?:28|3D|42)/;

const isFinal = (error: unknown) =>
  error instanceof UnfitServer || FINAL.test(refusalCode(error) ?? "") ||
  /certificate/i.test((error as Error).message);

/** Opens the store, and makes its table where it is missing. @throws {Error} with a remedy */
export async function openPostgres(location: PostgresLocation, deadlineMs = CALL_MS) {
  const { hosts, database } = location;
  const name = `postgres://${hosts.map((_, host) => hostAddress(location, host))}/${database}`;
  // The server gives a statement up before its call does.
  const connections = new Connections(
    new Hosts({ location, limitMs: deadlineMs - 1_000 }),
    deadlineMs,
  );
  let fault = new Error("no server answers");
  try {
    await withDeadline(READY_MS, async (signal) => {
      for (;;) {
        try {
          return await prepare(connections);
        } catch (error) {
          fault = error as Error;
          if (isFinal(error)) throw error;
          await delay(PAUSE_MS, undefined, { signal });
        }
      }
    });
    return { kv: postgresKv(connections), name, health: () => healthOf(connections) };
  } catch {
    connections.close();
    throw new Error(
      `KV_URL gives no store at ${name}: ${fault.message}. See server/docs/deploy.md, "PostgreSQL"`,
      { cause: fault },
    );
  }
}

async function prepare(connections: Connections): Promise<void> {
  const [[isMade] = []] = await connections.read((connection) => connection.query(IS_MADE));
  const fault = connections.hosts.carelessness;
  if (fault) throw new UnfitServer(fault);
  // A pool that shares sessions has given that of the first look to the connection that came behind it.
  const { host } = await connections.hosts.look();
  if (host === undefined) throw connections.hosts.fault;
  if (isMade !== "t") await connections.write((connection) => connection.query(MAKE));
}

function healthOf(connections: Connections): StoreHealth {
  const { refusal } = connections;
  return { ...refusal && { refusal }, ...connections.hosts.health };
}

/**
 * Commits share the server's writes to the disk. To gather sign-ups for two milliseconds while others are written makes
 * commits larger: it saves a tenth to a fifth of the CPU time of a sign-up.
 */
const TRAITS: EngineTraits = {
  checksPerCommit: 299,
  commitsInFlight: 4,
  busyGatherMs: 2,
  system: "postgresql",
};

/** How long no commit has used a slot that is ended, in milliseconds. */
const UNUSED_MS = 60 * 60 * 1000;

/** A statement or the wait for a row took too long; two commits waited for each other. */
const LATE = ["57014", "55P03"], DEADLOCKED = ["40P01", "40001"];

/** How often a commit may be one that the server ends because it waits for another. */
const MAX_DEADLOCKS = 5;

interface Slot {
  id: string;
  version: Version;
}

function postgresKv(connections: Connections): Kv {
  /** A slot whose commit has no known outcome does not come back. */
  const free: Slot[] = [];
  const watches = new Watches(connections);
  let isClosed = false;
  let looked = { at: -Infinity, slots: new Map<string, Version>() };

  /** Reads: what the server gives up is late. */
  async function query(name: string, text: string, values: unknown[]): Promise<StoredRow[]> {
    try {
      return await connections.query(name, text, values);
    } catch (error) {
      throw describe(error);
    }
  }

  async function makeSlot(connection: Connection): Promise<Slot> {
    const [[id] = []] = await connection.query(NEW_SLOT);
    return { id: id!, version: "0" };
  }

  /** Finds out what became of a commit; gives its version if it has gone through. */
  function settle(slot: Slot): Promise<Version | undefined> {
    const isFinal = (error: unknown) => isClosed || error instanceof Unacknowledged;
    return retry(async () => {
      const [[done, after] = []] = await rewrite("settle", SETTLE, [slot.id]);
      // Versions grow, and a try whose answer was lost has changed nothing that is looked at.
      const version = BigInt(done!) > BigInt(slot.version) ? done! : undefined;
      slot.version = after!;
      free.push(slot);
      return version;
    }, isFinal);
  }

  /** Rewrites a slot: what the server gives up is late. */
  async function rewrite(name: string, text: string, values: unknown[]): Promise<StoredRow[]> {
    try {
      return await connections.write((connection) => connection.query(text, values, name));
    } catch (error) {
      throw describe(error);
    }
  }

  /** Gives the version, "0" for a conflict, or "-1" where the slot was ended meanwhile. */
  async function call(packed: unknown[], used: { slot?: Slot }): Promise<Version> {
    return await connections.write(async (connection) => {
      const { id, version } = used.slot = free.pop() ?? await makeSlot(connection);
      const [row = []] = await connection.query(COMMIT, [...packed, id, version], "commit");
      const [done, synchronousCommit, session] = row;
      connection.assertOwnSession(session!);
      const fault = carelessness({ synchronousCommit: synchronousCommit! });
      if (fault) throw new Unacknowledged(fault);
      return done!;
    });
  }

  async function commit(given: Commit): Promise<Version | "conflict"> {
    const packed = packCommit(given);
    for (let deadlocks = 0;;) {
      const used: { slot?: Slot } = {};
      try {
        const version = await call(packed, used);
        if (version === "-1") continue;
        if (version !== "0") used.slot!.version = version;
        free.push(used.slot!);
        return version === "0" ? "conflict" : version;
      } catch (error) {
        const { slot } = used;
        if (!slot) throw describe(error);
        if (error instanceof Unacknowledged) throw new UnknownOutcome(error);
        const code = refusalCode(error);
        if (!code) {
          const version = await settle(slot).catch(() => {
            throw new UnknownOutcome(error);
          });
          if (version) return version;
          throw error;
        }
        free.push(slot);
        if (!DEADLOCKED.includes(code) || ++deadlocks === MAX_DEADLOCKS) throw describe(error);
      }
    }
  }

  return {
    traits: TRAITS,
    deadlineMs: connections.deadlineMs,
    async get<T>(keys: readonly Key[]) {
      if (keys.length === 0) return [];
      const bytes = keys.map(encodeKey);
      const found = Map.groupBy(await query("get", GET, [bytes]), ([key]) => key);
      return bytes.map((each, at) => {
        const key = keys[at]!;
        const rows = found.get(`\\x${each.toString("hex")}`);
        if (!rows) return { key, value: null, version: null };
        return decodeRow<T>(rows.length === 1 ? rows[0]! : joinRows(rows), key);
      });
    },
    async list<T>(selector: Selector, { limit, reverse = false }: ListOptions) {
      const order = reverse ? "desc" : "asc";
      const values = [...rangeOf(selector), limit];
      return (await query(`list_${order}`, LIST(order), values)).map((row) => decodeRow<T>(row));
    },
    commit,
    watch: (key, onChange) => watches.add(key, onChange),
    async sweep(now) {
      if (Math.abs(now - looked.at) < UNUSED_MS) return;
      const slots = await query("slots", SLOTS, []) as [string, Version][];
      const unused = slots.filter(([id, version]) => looked.slots.get(id) === version);
      looked = { at: now, slots: new Map(slots) };
      for (const slot of unused) await rewrite("fold", FOLD, slot);
    },
    close() {
      isClosed = true;
      watches.close();
      connections.close();
    },
  };
}

/** Gives the error that tells what became of a call. */
function describe(error: unknown): unknown {
  return LATE.includes(refusalCode(error) ?? "") ? new DeadlineError(KV_IS_LATE) : error;
}
