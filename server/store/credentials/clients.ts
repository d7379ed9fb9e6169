/** Stores OAuth clients, and the days on which they were last used. @module */
import { keptClientSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { DAY, type Runtime } from "../../runtime/mod.ts";
import type { Client } from "../../oauth/mod.ts";
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
  readEntries,
  readMany,
  withinDeadline,
} from "../kv/mod.ts";

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
  return addEntry(kv, clientKey(client.clientId), client, tellOfChange(audit));
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

/** Writes the UTC day of a client's last use, once a day and process; one that KV did not take, at the next use. */
export function recordClientUses({ kv, now, log }: Pick<Runtime, "now" | "log"> & { kv: Kv }) {
  /** The number of the UTC day that was noted last, by `client_id`. */
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write(clientId: string, day: string): Promise<void> {
    try {
      await withinDeadline(kv, (kv) => storeUse(kv, clientId, day));
    } catch (error) {
      noted.delete(clientId);
      log.warn("a client's last use was not written", { error: String(error) });
    }
  }

  return {
    /** Notes that a client has got a token; returns at once, whatever KV does. */
    note(clientId: string) {
      const moment = now();
      // Nearly every call returns here, before the text of the day is made.
      const dayNumber = Math.floor(moment / DAY);
      if (noted.get(clientId) === dayNumber) return;
      noted.set(clientId, dayNumber);
      const written = write(clientId, utcDay(moment)).finally(() => writing.delete(written));
      writing.add(written);
    },
    flush: () => Promise.all(writing),
  };
}

/** Writes a day, and leaves a later one as it is. A client that was removed meanwhile gets none. */
function storeUse(kv: Kv, clientId: string, day: string) {
  return commitChange(kv, async () => {
    const keys = [clientKey(clientId), clientUseKey(clientId)];
    const [client, use] = await readMany<unknown>(kv, keys);
    const result = () => {};
    if (!client?.value || !use || String(use.value ?? "") >= day) return { result };
    return { commit: new Commit().check(client, use).set(use.key, day), result };
  });
}

export async function readClientUses(kv: Kv): Promise<Map<string, string>> {
  const uses = await Array.fromAsync(readEntries<string>(kv, CLIENT_USES));
  return new Map(
    uses.flatMap(({ entries }) => entries.map(({ key, value }) => [String(key[1]), value])),
  );
}

export async function readClientUse(kv: Kv, clientId: string): Promise<string | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  return await findValue<string>(kv, clientUseKey(clientId));
}
