/**
 * OAuth clients, the keys that sign access tokens, and the keys of the links to self-service pages. Memory holds them all,
 * because each token request needs them. Every change writes the key {@linkcode CREDENTIALS_CHANGED}, which each process
 * watches. All are also read at intervals, because a watch may end without an error. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type Client, KeyRing, type RootKey } from "../../oauth/mod.ts";
import { inTime, type Runtime } from "../../runtime/mod.ts";
import { Batcher, CREDENTIALS_CHANGED, type Kv, noteTrouble } from "../kv/mod.ts";
import {
  changeClient,
  createClient,
  readClients,
  readClientUse,
  readClientUses,
  recordClientUses,
} from "./clients.ts";
import {
  openRootKeys,
  openSelfServiceKey,
  readRootKeys,
  readSelfServiceKeys,
  rotateRootKey,
  rotateSelfServiceKey,
} from "./keys.ts";
export { UnknownOutcome } from "../kv/mod.ts";
export { type BaseUrlWatch, watchBaseUrls } from "./base_urls.ts";
export { addClient, readClientBatches } from "./clients.ts";
export { addSelfServiceKey, openConsoleKey, type StoredLinkKey } from "./keys.ts";

/** The time between two reads, in milliseconds. */
const POLL_MS = 15_000;

/** The shortest time between two reads by `reload`, in milliseconds. */
const RELOAD_MS = 1_000;

/** How long clients and keys count as current after a read, in milliseconds. */
const CURRENT_MS = 60_000;

/** The clients and keys that the service uses. */
export interface ServiceCredentials {
  /** The root keys, which sign and verify access tokens. */
  keyRing: KeyRing;
  /** The bytes of the key that makes links. */
  linkKey: () => Uint8Array;
  /**
   * Finds a client. It knows no client unless clients were read within the last minute, so that a process without KV
   * issues no token.
   */
  findClient: (clientId: string) => Client | undefined;
  /**
   * Reads clients and keys again, at most once a second. A caller does so before it refuses an unknown client or key.
   * @throws {DeadlineError} where KV does not answer in time
   */
  reload: () => Promise<void>;
  /** Resolves once memory has the changes that this process has stored, or holds no clients at all. */
  changed: () => Promise<void>;
  /** Whether clients and keys were read within the last minute. */
  isCurrent: () => boolean;
  /** Notes that a client has got a token. */
  noteUse: (clientId: string) => void;
  /** Reads the keys that open links now, in base64url. */
  readSelfServiceKeys: (kv: Kv) => Promise<string[]>;
  /** Ends the reads, and stores the last uses of clients. */
  close: () => Promise<void>;
}

/** Makes the first keys if there are none, and keeps clients and keys up to date. */
export async function startCredentials(
  { kv, runtime }: { kv: Kv; runtime: Runtime },
): Promise<ServiceCredentials> {
  const { now, monotonic, random, repeat, log } = runtime;
  const keyRing = new KeyRing(await openRootKeys(kv, random, now()), { now });
  let readAt = -Infinity;
  let clients: ReadonlyMap<string, Client> = new Map();
  let linkKey: Uint8Array | undefined;

  const warned = new Set<string>();
  function warnOf(unreadable: string[]): void {
    for (const keyId of unreadable.filter((each) => !warned.has(each))) {
      warned.add(keyId);
      log.warn("a root key cannot be read, so tokens that it signed may be refused", { keyId });
    }
  }

  const reader = new Batcher<void, void>({
    async run(_callers, signal) {
      const { roots, unreadable } = await readRootKeys(kv);
      const read = await readClients(kv);
      const link = await openSelfServiceKey(kv, random).catch((error) => {
        // Tokens do not need the key of links, and the known key goes on making links.
        if (!linkKey) throw error;
        log.warn("the key of links stays as it is, because it cannot be read", {
          error: error.message,
        });
        return linkKey;
      });
      // The deadline of this read has passed, and a later read may have newer values.
      if (signal.aborted) return;
      clients = new Map(read.map((client) => [client.clientId, client]));
      keyRing.replace(roots, unreadable);
      warnOf(unreadable);
      linkKey = link;
      readAt = monotonic();
    },
    // Each of the three reads has a deadline of its own, which comes first if KV does not answer.
    deadlineMs: 3 * kv.deadlineMs,
    monotonic,
  });
  // The batcher refuses no call, because it has no limit of those that wait.
  const read = () => reader.add()!;
  await read();

  const outage = noteTrouble(
    log,
    "clients and keys stay as they are, because KV did not answer",
    "clients and keys are read again",
  );
  const readOrWarn = async () => void await outage.during(read);
  const poll = repeat(POLL_MS, readOrWarn);
  const watch = kv.watch(CREDENTIALS_CHANGED, readOrWarn);

  const uses = recordClientUses({ kv, now, log });
  let lastReload = { at: -Infinity, done: Promise.resolve() };
  const isCurrent = () => monotonic() - readAt < CURRENT_MS;
  return {
    keyRing,
    // The first read has set the key.
    linkKey: () => linkKey!,
    findClient: (clientId) => isCurrent() ? clients.get(clientId) : undefined,
    reload() {
      if (monotonic() - lastReload.at >= RELOAD_MS) {
        lastReload = { at: monotonic(), done: read() };
      }
      // The read may have to wait for one that is under way.
      return inTime(kv.deadlineMs, lastReload.done);
    },
    changed: () =>
      read().catch(() => {
        // The next token request reads clients again, because none is known and no earlier read counts.
        clients = new Map();
        lastReload = { at: -Infinity, done: Promise.resolve() };
      }),
    isCurrent,
    noteUse: uses.note,
    readSelfServiceKeys: (kv) => readSelfServiceKeys(kv, now()),
    async close() {
      await Promise.all([poll.close(), watch.close()]);
      await reader.flush();
      await uses.flush();
    },
  };
}

/**
 * What the operator's operations do with OAuth clients and keys. Each change resolves once this process knows it. The
 * other processes know it within a second.
 * @throws {UnknownOutcome} from each change, where KV did not say whether the change was stored
 */
export interface ClientStore {
  /** Reads all clients but those that cannot be read. */
  readClients: () => Promise<Client[]>;
  /** Reads the UTC day of the last use of each client that was used, by `client_id`. */
  readClientUses: () => Promise<ReadonlyMap<string, string>>;
  /** Reads the UTC day of a client's last use; `undefined` for a client that was never used. */
  readClientUse: (clientId: string) => Promise<string | undefined>;
  /** Stores a new client. @throws {Error} where the id belongs to another client, which 96 random bits rule out */
  createClient: (client: Client, audit: AuditEntry) => Promise<void>;
  /**
   * Changes a client. @returns the client as it is afterwards, or the client that was removed; `undefined` for an
   * unknown id
   * @param change gives the changed client, `null` to remove the client, or `undefined` to leave it
   */
  changeClient: (
    clientId: string,
    change: (client: Client) => Client | null | undefined,
    audit: AuditEntry,
  ) => Promise<Client | undefined>;
  /** Announces a new root key, which begins to sign once every process knows it. @param at milliseconds since 1970 */
  rotateRootKey: (at: number, audit: AuditEntry) => Promise<RootKey>;
  /** Lets a new key make the links to self-service pages. @param until the date-time up to which older links open */
  rotateSelfServiceKey: (until: string, audit: AuditEntry) => Promise<void>;
}

/** What the store of clients needs. */
export interface ClientStoreOptions extends Pick<Runtime, "random"> {
  kv: Kv;
  /** Resolves once this process knows a client or a key that was changed in KV. */
  credentialsChanged: () => Promise<void>;
}

/** Makes the store for one call of an operator, on the KV of the call. */
export function createClientStore(
  { kv, random, credentialsChanged }: ClientStoreOptions,
): ClientStore {
  async function thenLearn<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    await credentialsChanged();
    return result;
  }

  return {
    readClients: () => readClients(kv),
    readClientUses: () => readClientUses(kv),
    readClientUse: (clientId) => readClientUse(kv, clientId),
    createClient: (client, audit) => thenLearn(createClient(kv, client, audit)),
    changeClient: (clientId, change, audit) => thenLearn(changeClient(kv, clientId, change, audit)),
    rotateRootKey: (at, audit) => thenLearn(rotateRootKey(kv, at, random, audit)),
    rotateSelfServiceKey: (until, audit) =>
      thenLearn(rotateSelfServiceKey(kv, { random, until, audit })),
  };
}
