/** PostgreSQL as an engine: opens the store of a location. @module */
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresLocation } from "../../../config/mod.ts";
import { withDeadline } from "../../../runtime/mod.ts";
import { Connections, refusalCode, UnfitServer } from "./connections.ts";
import { postgresKv } from "./postgres_kv.ts";
import { IS_MADE, MAKE } from "./table.ts";

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
  const name = `postgres://${hosts.map(({ host, port }) => `${host}:${port}`)}/${database}`;
  const connections = new Connections(location, deadlineMs);
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
    return { kv: postgresKv(connections), name };
  } catch {
    connections.close();
    throw new Error(
      `KV_URL gives no store at ${name}: ${fault.message}. See server/README.md, "Outgrow one machine"`,
      { cause: fault },
    );
  }
}

async function prepare(connections: Connections): Promise<void> {
  await connections.use(async (connection) => {
    const { rows: [[isMade] = []] } = await connection.query({ text: IS_MADE, rowMode: "array" });
    if (isMade !== "t") await connection.query({ text: MAKE, rowMode: "array" });
  });
}
