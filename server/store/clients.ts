import type { Client } from "../oauth/clients.ts";
import type { Soon } from "../soon.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { clientKey, CLIENTS } from "./keys.ts";

/** Stores a new client; throws where the id is taken, which 96 random bits rule out. */
export async function createClient(kv: Deno.Kv, client: Client): Promise<void> {
  const key = clientKey(client.clientId);
  const commit = kv.atomic().check({ key, versionstamp: null }).set(key, client);
  const { ok } = await withDeadline(DEADLINE_MS, () => commit.commit());
  if (!ok) throw new Error(`The client_id '${client.clientId}' is taken`);
}

/** Finds a client by its id. */
export async function findClient(kv: Deno.Kv, clientId: string): Promise<Client | undefined> {
  // The id comes from the request: one that KV could not even hold as a key is no client's.
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  const entry = await withDeadline(DEADLINE_MS, () => kv.get<Client>(clientKey(clientId)));
  return entry.value ?? undefined;
}

const MAX_CLIENT_ID_LENGTH = 128;

/**
 * Changes a client, whatever else changes it at the same time.
 *
 * @param change is called again where another change has come first
 * @returns the changed client; `undefined` where there is none
 */
export async function changeClient(
  kv: Deno.Kv,
  clientId: string,
  change: (client: Client) => Client,
): Promise<Client | undefined> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
  return await withDeadline(DEADLINE_MS, async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const entry = await kv.get<Client>(clientKey(clientId));
      if (!entry.value) return undefined;
      const client = change(entry.value);
      const { ok } = await kv.atomic().check(entry).set(entry.key, client).commit();
      if (ok) return client;
    }
  });
}

/** All clients, in the order of their ids. */
export async function readClients(kv: Deno.Kv): Promise<Client[]> {
  const entries = await withDeadline(
    DEADLINE_MS,
    () => Array.fromAsync(kv.list<Client>(CLIENTS)),
  );
  return entries.map(({ value }) => value);
}

/** How long a client is remembered, in milliseconds: a disabled one gets no token after that. */
const REMEMBER_MS = 5_000;

/** How many clients are remembered at the most; past that, all are forgotten. */
const REMEMBER_AT_MOST = 1_000;

/**
 * Remembers the clients that `find` finds, each for at most 5 s (decisions, "Tokens"). An id without
 * a client is not remembered, so a new client works at once.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function rememberClients(
  find: (clientId: string) => Promise<Client | undefined>,
  now: () => number,
): (clientId: string) => Soon<Client | undefined> {
  const remembered = new Map<string, { client: Client; until: number }>();
  const findAgain = async (clientId: string) => {
    // The age counts from before the read: what it returns may have changed while it ran.
    const until = now() + REMEMBER_MS;
    const client = await find(clientId);
    if (remembered.size >= REMEMBER_AT_MOST) remembered.clear();
    if (client) remembered.set(clientId, { client, until });
    else remembered.delete(clientId);
    return client;
  };
  return (clientId) => {
    const known = remembered.get(clientId);
    return known && now() < known.until ? known.client : findAgain(clientId);
  };
}
