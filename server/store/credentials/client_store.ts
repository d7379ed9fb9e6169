/**
 * What the operator's operations do with OAuth clients and keys. `clients.ts`, `root_keys.ts` and
 * `self_service_keys.ts` store them, and `mod.ts` keeps them in memory. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Client, RootKey } from "../../oauth/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Kv } from "../kv/mod.ts";
import {
  changeClient,
  createClient,
  readClients,
  readClientUse,
  readClientUses,
} from "./clients.ts";
import { rotateRootKey } from "./root_keys.ts";
import { rotateSelfServiceKey } from "./self_service_keys.ts";

/**
 * The functions for operators. Each change resolves once this process has read the change. If this read fails, the
 * change resolves nevertheless, and the next token request reads the clients again. As a rule, the other processes know
 * the change within a second.
 * @throws {UnknownOutcome} from each change, if KV did not say whether the change was stored
 */
export interface ClientStore {
  /** Reads all clients; a client that cannot be read is left out. */
  readClients: () => Promise<Client[]>;
  /** Reads the UTC day of the last use of each client that was used, by `client_id`. */
  readClientUses: () => Promise<ReadonlyMap<string, string>>;
  /** Reads the UTC day of a client's last use; `undefined` for a client that was never used. */
  readClientUse: (clientId: string) => Promise<string | undefined>;
  /**
   * Stores a new client.
   * @throws {Error} if another client has the same id, which is practically impossible with 96 random bits
   */
  createClient: (client: Client, audit: AuditEntry) => Promise<void>;
  /**
   * Changes a client.
   * @returns the client as it is afterwards, or the client that was removed; `undefined` for an unknown id
   * @param change gives the changed client, `null` to remove the client, or `undefined` to leave it as it is
   */
  changeClient: (
    clientId: string,
    change: (client: Client) => Client | null | undefined,
    audit: AuditEntry,
  ) => Promise<Client | undefined>;
  /** Announces a new root key, which begins to sign once every process knows it. @param at milliseconds since 1970 */
  rotateRootKey: (at: number, audit: AuditEntry) => Promise<RootKey>;
  /** Makes a new self-service key. @param until the date-time until which older links open */
  rotateSelfServiceKey: (until: string, audit: AuditEntry) => Promise<void>;
}

/** What the store of clients needs. */
export interface ClientStoreOptions extends Pick<Runtime, "random"> {
  kv: Kv;
  /** Reads clients and keys again. Resolves once this process knows the changes that were stored in KV. */
  learnCredentials: () => Promise<void>;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createClientStore(
  { kv, random, learnCredentials }: ClientStoreOptions,
): ClientStore {
  /** Waits for a change, and then until this process knows the change. */
  async function learnAfter<T>(change: Promise<T>): Promise<T> {
    const changed = await change;
    await learnCredentials();
    return changed;
  }

  return {
    readClients: () => readClients(kv),
    readClientUses: () => readClientUses(kv),
    readClientUse: (clientId) => readClientUse(kv, clientId),
    createClient: (client, audit) => learnAfter(createClient(kv, client, audit)),
    changeClient: (clientId, change, audit) =>
      learnAfter(changeClient(kv, clientId, change, audit)),
    rotateRootKey: (at, audit) => learnAfter(rotateRootKey(kv, at, random, audit)),
    rotateSelfServiceKey: (until, audit) =>
      learnAfter(rotateSelfServiceKey(kv, { random, until, audit })),
  };
}
