import { isDeepStrictEqual } from "node:util";
import { keptClientSchema } from "../../shared/backup_lines.ts";
import type { Client } from "../oauth/clients.ts";
import { DEADLINE_MS, untilKnown, withDeadline } from "./deadline.ts";
import { type EntryBatch, readEntries } from "./entries.ts";
import { clientKey, CLIENTS, CREDENTIALS } from "./keys.ts";

/** Stores a new client; throws where the id is taken, which 96 random bits rule out. */
export async function createClient(kv: Deno.Kv, client: Client): Promise<void> {
  const key = clientKey(client.clientId);
  let tried = false;
  const stored = await untilKnown(async () => {
    const triedBefore = tried;
    tried = true;
    const commit = kv.atomic().check({ key, versionstamp: null }).set(key, client);
    if ((await commit.set(CREDENTIALS, true).commit()).ok) return true;
    // A try before this one, whose commit gave no answer, may have stored it.
    return triedBefore && isDeepStrictEqual((await kv.get<Client>(key)).value, client);
  });
  if (!stored) throw new Error(`The client_id '${client.clientId}' is taken`);
}

/** A longer id is no client's; KV could not even hold it as a key, and it comes from a request. */
const MAX_CLIENT_ID_LENGTH = 128;

/**
 * Changes a client, whatever else changes it at the same time. Where a commit gives no answer, the client
 * is read again, so that a change that was made is never made twice or reported as failed.
 *
 * @param change is called again where another change has come first; `undefined` leaves the client as it is
 * @returns the client as it is then; `undefined` where there is none
 */
export async function changeClient(
  kv: Deno.Kv,
  clientId: string,
  change: (client: Client) => Client | undefined,
): Promise<Client | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  let attempt: { from: string; to: Client } | undefined;
  const { client } = await untilKnown(async () => {
    const entry = await kv.get<Client>(clientKey(clientId));
    if (!entry.value) return {};
    if (attempt && isDeepStrictEqual(entry.value, attempt.to)) return { client: attempt.to };
    // Tried again, the same change is committed, as the commit without an answer may yet go through.
    if (attempt?.from !== entry.versionstamp) {
      const to = change(entry.value);
      if (!to) return { client: entry.value };
      attempt = { from: entry.versionstamp, to };
    }
    const commit = kv.atomic().check(entry).set(entry.key, attempt.to).set(CREDENTIALS, true);
    return (await commit.commit()).ok ? { client: attempt.to } : undefined;
  });
  return client;
}

/** Clients that one read brings at the most. */
const CLIENTS_AT_ONCE = 200;

/** Reads all clients in the order of their ids, and names those that cannot be read. */
export function readClientBatches(kv: Deno.Kv): AsyncGenerator<EntryBatch<Client>> {
  return readEntries(kv, {
    prefix: CLIENTS.prefix,
    batchSize: CLIENTS_AT_ONCE,
    form: { schema: keptClientSchema, of: (_clientId, client) => client },
  });
}

/** All clients, in the order of their ids, without those that cannot be read. */
export async function readClients(kv: Deno.Kv): Promise<Client[]> {
  const batches = await withDeadline(DEADLINE_MS, () => Array.fromAsync(readClientBatches(kv)));
  return batches.flatMap(({ entries }) => entries.map(({ value }) => value));
}
