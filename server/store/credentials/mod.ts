/**
 * OAuth clients, the keys that sign access tokens, and the keys of the links to people's pages. Memory holds them all.
 * Every change writes one key ({@linkcode CREDENTIALS_CHANGED}), which each process watches. As a watch may end without
 * an error, all are also read at intervals. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type Client, KeyRing, type RootKey } from "../../oauth/mod.ts";
import { inTime, type Runtime } from "../../runtime/mod.ts";
import { Batcher, CREDENTIALS_CHANGED, type Kv, noteTrouble } from "../kv/mod.ts";
import { changeClient, createClient, readClients, readClientUse } from "./clients.ts";
import { readClientUses, recordClientUses } from "./clients.ts";
import { openRootKeys, openSelfServiceKey, readRootKeys, readSelfServiceKeys } from "./keys.ts";
import { rotateRootKey, rotateSelfServiceKey } from "./keys.ts";
export { addClient, readClientBatches } from "./clients.ts";
export { type BaseUrlWatch, watchBaseUrls } from "./base_urls.ts";
export { UnknownOutcome } from "../kv/mod.ts";
export { addSelfServiceKey, openConsoleKey, type StoredLinkKey } from "./keys.ts";

/** In milliseconds: between two reads, between two looks for what is unknown, and how long what was read is current. */
const POLL_MS = 15_000, LOOK_MS = 1_000, CURRENT_MS = 60_000;

export type ServiceCredentials = Awaited<ReturnType<typeof startCredentials>>;

/** Makes the first key where there is none, and keeps clients and keys up to date. */
export async function startCredentials({ kv, runtime }: { kv: Kv; runtime: Runtime }) {
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
        // Where it cannot be read, tokens go on, and so do links with the key that is known.
        if (!linkKey) throw error;
        log.warn("the key of links stays as it is", { error: error.message });
        return linkKey;
      });
      // The deadline of this read has passed, and a later read may have stored newer values.
      if (signal.aborted) return;
      clients = new Map(read.map((client) => [client.clientId, client]));
      keyRing.replace(roots, unreadable);
      warnOf(unreadable);
      linkKey = link;
      readAt = monotonic();
    },
    // Each read has a deadline of its own, which ends the batch first where KV does not answer.
    deadlineMs: 3 * kv.deadlineMs,
    monotonic,
  });
  const read = () => reader.add() as Promise<void>;
  await read();

  const outage = noteTrouble(
    log,
    "clients and keys stay as they are, as KV did not answer",
    "clients and keys are read again",
  );
  const readOrWarn = async () => void await outage.during(read);
  const poll = repeat(POLL_MS, readOrWarn);
  const watch = kv.watch(CREDENTIALS_CHANGED, readOrWarn);

  const uses = recordClientUses({ kv, now, log });
  let look = { at: -Infinity, done: Promise.resolve() };
  const isCurrent = () => monotonic() - readAt < CURRENT_MS;
  return {
    keyRing,
    linkKey: () => linkKey!,
    /** Knows no client unless they were read within the last minute: cut off from KV, a process issues no token. */
    findClient: (clientId: string) => isCurrent() ? clients.get(clientId) : undefined,
    /** Reads again before something unknown is refused, at most once a second. Rejects where KV does not answer. */
    reload() {
      if (monotonic() - look.at >= LOOK_MS) look = { at: monotonic(), done: read() };
      // The look may have to wait for one that is under way.
      return inTime(kv.deadlineMs, look.done);
    },
    /** Resolves once memory has the changes of this process, or holds no clients at all. */
    changed: () =>
      read().catch(() => {
        // An earlier look does not count, so that clients are read again before one of them gets a token.
        clients = new Map();
        look = { at: -Infinity, done: Promise.resolve() };
      }),
    isCurrent,
    noteUse: uses.note,
    readSelfServiceKeys: (kv: Kv) => readSelfServiceKeys(kv, now()),
    /** Writes the last uses of clients. */
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

export interface ClientStoreOptions extends Pick<Runtime, "random"> {
  kv: Kv;
  /** Resolves once this process knows a client or a key that was changed in KV. */
  credentialsChanged: () => Promise<void>;
}

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
