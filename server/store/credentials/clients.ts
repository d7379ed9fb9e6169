/** Stores OAuth clients, and the days on which they were last used. @module */
import { keptClientSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { DAY, type Runtime } from "../../runtime/mod.ts";
import type { Client } from "../../oauth/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { Batcher, changeEntry, CLIENT_USES, clientKey, CLIENTS, clientUseKey } from "../kv/mod.ts";
import { Commit, CREDENTIALS_CHANGED, type EntryBatch, type Kv, pages } from "../kv/mod.ts";
import { findValue, readAll, readEntries, readMany } from "../kv/mod.ts";

/** A longer id comes from a request, and KV rejects keys of more than 2,048 bytes. */
const MAX_CLIENT_ID_LENGTH = 128;

/** Tells all processes of a change. */
const tellOfChange = (audit?: AuditEntry) => (commit: Commit) => {
  setAuditEntry(commit.set(CREDENTIALS_CHANGED, true), audit);
};

/** Throws where the id is taken, which 96 random bits rule out. */
export async function createClient(kv: Kv, client: Client, audit?: AuditEntry): Promise<void> {
  if (await addClient(kv, client, audit)) return;
  throw new Error(`The client_id '${client.clientId}' is taken`);
}

/** False where the id is taken; the client that has it stays. */
export function addClient(kv: Kv, client: Client, audit?: AuditEntry): Promise<boolean> {
  return changeEntry<Client, boolean>(
    kv,
    clientKey(client.clientId),
    (known) => known ? { result: false } : { to: client, result: true },
    tellOfChange(audit),
  );
}

/** Changes a client; `undefined` from `change` leaves it, `null` removes it. Gives the client as it is then, or was. */
export async function changeClient(
  kv: Kv,
  clientId: string,
  change: (client: Client) => Client | null | undefined,
  audit?: AuditEntry,
): Promise<Client | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  let to: Client | null | undefined;
  return await changeEntry<Client, Client | undefined>(kv, clientKey(clientId), (client) => {
    to = client && change(client);
    return { to, result: to ?? client };
  }, (commit) => {
    tellOfChange(audit)(commit);
    if (to === null) commit.delete(clientUseKey(clientId));
  });
}

export function readClientBatches(kv: Kv): AsyncGenerator<EntryBatch<Client>> {
  return readEntries(kv, { ...CLIENTS, form: { schema: keptClientSchema } });
}

/** Those that cannot be read are left out. */
export async function readClients(kv: Kv): Promise<Client[]> {
  const batches = await Array.fromAsync(readClientBatches(kv));
  return batches.flatMap(({ entries }) => entries.map(({ value }) => value));
}

/** There are fewer clients. */
const MAX_WAITING_USES = 100;

/**
 * Writes the UTC day on which a client was last used, in the background, once a day for each client and process. A day
 * that KV did not take is written at the client's next use.
 */
export function recordClientUses(
  { kv, now, monotonic, log }: Pick<Runtime, "now" | "monotonic" | "log"> & { kv: Kv },
) {
  /** The number of the UTC day that was noted last, by `client_id`. */
  const noted = new Map<string, number>();
  const batcher = new Batcher<[clientId: string, day: string], void>({
    run: (uses, signal) => storeUses(kv, new Map(uses), signal),
    maxBatch: Math.floor(kv.traits.checksPerCommit / 2),
    maxWaiting: MAX_WAITING_USES,
    deadlineMs: kv.deadlineMs,
    monotonic,
  });
  return {
    /** Notes that a client has got a token; returns at once, whatever KV does. */
    note(clientId: string) {
      const moment = now();
      // Nearly every call returns here, before the text of the day is made.
      const dayNumber = Math.floor(moment / DAY);
      if (noted.get(clientId) === dayNumber) return;
      const written = batcher.add([clientId, utcDay(moment)]);
      if (!written) return;
      noted.set(clientId, dayNumber);
      written.catch((error) => {
        noted.delete(clientId);
        log.warn("a client's last use was not written", { error: String(error) });
      });
    },
    flush: () => batcher.flush(),
  };
}

/**
 * Writes days, and leaves later ones as they are: a commit that was given up may come after them. A client that was
 * removed meanwhile gets none.
 */
async function storeUses(kv: Kv, uses: ReadonlyMap<string, string>, signal: AbortSignal) {
  for (let isStored = false; !isStored;) {
    signal.throwIfAborted();
    const ids = [...uses.keys()];
    const clients = await readMany<Client>(kv, ids.map(clientKey));
    const entries = await readAll<string>(kv, ids.map(clientUseKey));
    const commit = new Commit();
    for (const [index, day] of [...uses.values()].entries()) {
      const client = clients[index], entry = entries[index]!;
      if (!client?.value || entry.value && entry.value >= day) continue;
      commit.check(client, entry).set(entry.key, day);
    }
    isStored = await kv.commit(commit) !== "conflict";
  }
}

export async function readClientUses(kv: Kv): Promise<Map<string, string>> {
  const uses = (await Array.fromAsync(pages<string>(kv, CLIENT_USES))).flat();
  return new Map(uses.map(({ key, value }) => [String(key[1]), value]));
}

export async function readClientUse(kv: Kv, clientId: string): Promise<string | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  return await findValue<string>(kv, clientUseKey(clientId));
}
