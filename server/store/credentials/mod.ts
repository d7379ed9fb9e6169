/** OAuth clients, the keys that sign access tokens, and the keys of the links to people's pages. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Client } from "../../oauth/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { OpenKv } from "../kv/mod.ts";
import { openCredentials } from "./cache.ts";
import { changeClient, createClient, readClients, readClientUse } from "./clients.ts";
import { readClientUses, recordClientUses } from "./clients.ts";
import { readSelfServiceKeys, rotateRootKey, rotateSelfServiceKey } from "./keys.ts";
export { addClient, readClientBatches } from "./clients.ts";
export { UnknownOutcome } from "../kv/mod.ts";
export { addSelfServiceKey, type StoredLinkKey } from "./keys.ts";

export type ServiceCredentials = Awaited<ReturnType<typeof startCredentials>>;

/** Closing writes the last uses of clients. */
export async function startCredentials(options: Pick<OpenKv, "kv"> & Runtime) {
  const { kv, now } = options;
  const cache = await openCredentials(kv, options);
  const uses = recordClientUses(options);
  return {
    ...cache,
    noteUse: uses.note,
    readSelfServiceKeys: () => readSelfServiceKeys(kv, now()),
    async close() {
      await cache.close();
      await uses.flush();
    },
  };
}

export interface ClientStoreOptions extends Pick<OpenKv, "kv">, Pick<Runtime, "random"> {
  /** Resolves once this process knows a client or root key that was changed in KV. */
  credentialsChanged: () => Promise<void>;
}

/** Gives what the operator's operations do with clients and root keys. */
export function createClientStore({ kv, random, credentialsChanged }: ClientStoreOptions) {
  async function changing<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    await credentialsChanged();
    return result;
  }

  return {
    readClients: () => readClients(kv),
    readClientUses: () => readClientUses(kv),
    readClientUse: (clientId: string) => readClientUse(kv, clientId),
    createClient: (client: Client, audit: AuditEntry) => changing(createClient(kv, client, audit)),
    changeClient: (
      clientId: string,
      change: (client: Client) => Client | null | undefined,
      audit: AuditEntry,
    ) => changing(changeClient(kv, clientId, change, audit)),
    rotateRootKey: (at: number, audit: AuditEntry) =>
      changing(rotateRootKey(kv, at, random, audit)),
    rotateSelfServiceKey: (until: string, audit: AuditEntry) =>
      changing(rotateSelfServiceKey(kv, { random, until, audit })),
  };
}
