/** Stores OAuth clients, and the UTC days of their last uses. `oauth/` decides what a client may do. @module */
import { storedClientSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Client } from "../../oauth/mod.ts";
import { DAY, type Runtime } from "../../runtime/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  changeEntry,
  CLIENT_USES,
  clientKey,
  CLIENTS,
  clientUseKey,
  Commit,
  commitChange,
  CREDENTIALS_CHANGED,
  type EntryBatch,
  findValue,
  type Kv,
  nameOf,
  readEntries,
  readMany,
  withinDeadline,
} from "../kv/mod.ts";

/**
 * How many characters an id has at most. A longer id comes from a request and is not looked up, because KV refuses keys
 * of more than 2,048 bytes.
 */
const MAX_CLIENT_ID_LENGTH = 128;

/** Completes the commit of a client's change: adds the signal that all processes watch, and the audit entry. */
function completeChange(commit: Commit, audit: AuditEntry | undefined): void {
  setAuditEntry(commit.set(CREDENTIALS_CHANGED, true), audit);
}

/**
 * Stores a new client.
 * @throws {Error} if another client has the same id, which is practically impossible with 96 random bits
 */
export async function createClient(kv: Kv, client: Client, audit?: AuditEntry): Promise<void> {
  if (await addClient(kv, client, audit)) return;
  throw new Error(`The client_id '${client.clientId}' belongs to another client`);
}

/** Stores a client, unless another client has its id. @returns whether the client was stored */
export function addClient(kv: Kv, client: Client, audit?: AuditEntry): Promise<boolean> {
  return addEntry(
    kv,
    clientKey(client.clientId),
    client,
    (commit) => completeChange(commit, audit),
  );
}

/**
 * Changes a client.
 * @param change gives the changed client, `null` to remove the client, or `undefined` to leave it as it is
 * @returns the client as it is afterwards, or the removed client; `undefined` for an unknown id
 */
export async function changeClient(
  kv: Kv,
  clientId: string,
  change: (client: Client) => Client | null | undefined,
  audit?: AuditEntry,
): Promise<Client | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  /** What the last call of `change` gave. */
  let changedClient: Client | null | undefined;
  return await changeEntry<Client, Client | undefined>(kv, clientKey(clientId), (client) => {
    changedClient = client && change(client);
    return { newValue: changedClient, result: changedClient ?? client };
  }, (commit) => {
    completeChange(commit, audit);
    if (changedClient === null) commit.delete(clientUseKey(clientId));
  });
}

/** Reads all clients, a batch at a time. */
export function readClientBatches(kv: Kv): AsyncGenerator<EntryBatch<Client>> {
  return readEntries(kv, { ...CLIENTS, form: { schema: storedClientSchema } });
}

/** Reads all clients; a client that cannot be read is left out. */
export async function readClients(kv: Kv): Promise<Client[]> {
  const batches = await Array.fromAsync(readClientBatches(kv));
  return batches.flatMap(({ entries }) => entries.map(({ value }) => value));
}

/** Stores the last uses of clients. */
export interface ClientUses {
  /** Notes that a client has got a token. Returns at once, whatever KV does. */
  note: (clientId: string) => void;
  /** Resolves once all uses that were noted so far are stored. */
  flush: () => Promise<void>;
}

/**
 * Makes the functions that store the UTC day of each client's last use. A process stores each day of a client only
 * once. If KV does not store a use, the client's next use is stored in its place.
 */
export function recordClientUses(
  { kv, now, log }: Pick<Runtime, "now" | "log"> & { kv: Kv },
): ClientUses {
  /** The number of the UTC day on which this process last noted a use, by `client_id`. */
  const lastNoted = new Map<string, number>();
  /** The writes that are under way. */
  const writes = new Set<Promise<void>>();

  async function storeOrWarn(clientId: string, day: string): Promise<void> {
    try {
      await withinDeadline(kv, (kv) => storeUse(kv, clientId, day));
    } catch (error) {
      lastNoted.delete(clientId);
      log.warn(
        "could not store when an OAuth client was last used; will store the client's next use",
        { error: String(error) },
      );
    }
  }

  return {
    note(clientId) {
      const moment = now();
      // Nearly every call returns after this comparison. The text of the day is therefore made only once a day.
      const dayNumber = Math.floor(moment / DAY);
      if (lastNoted.get(clientId) === dayNumber) return;
      lastNoted.set(clientId, dayNumber);
      const write = storeOrWarn(clientId, utcDay(moment)).finally(() => writes.delete(write));
      writes.add(write);
    },
    async flush() {
      await Promise.all(writes);
    },
  };
}

/**
 * Stores a UTC day as the last use, unless a later day is stored. Stores nothing for a client that was removed
 * meanwhile.
 */
function storeUse(kv: Kv, clientId: string, day: string): Promise<void> {
  return commitChange(kv, async () => {
    const keys = [clientKey(clientId), clientUseKey(clientId)];
    const [clientEntry, useEntry] = await readMany<unknown>(kv, keys);
    const result = () => {};
    if (!clientEntry?.value || !useEntry || String(useEntry.value ?? "") >= day) return { result };
    const commit = new Commit().check(clientEntry, useEntry).set(useEntry.key, day);
    return { commit, result };
  });
}

/** Reads the UTC day of the last use of each client that was used, by `client_id`. */
export async function readClientUses(kv: Kv): Promise<ReadonlyMap<string, string>> {
  const uses = await Array.fromAsync(readEntries<string>(kv, CLIENT_USES));
  return new Map(
    uses.flatMap(({ entries }) => entries.map(({ key, value }) => [nameOf(key), value])),
  );
}

/** Reads the UTC day of a client's last use; `undefined` for a client that was never used. */
export async function readClientUse(kv: Kv, clientId: string): Promise<string | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  return await findValue<string>(kv, clientUseKey(clientId));
}
