/**
 * OAuth clients, the root keys, which sign access tokens, and the self-service keys, which make and open the links to
 * self-service pages. Memory holds the clients, the root keys, and the self-service key that makes links, because reads
 * for each request would cost time.
 *
 * A change writes the key {@linkcode CREDENTIALS_CHANGED}, which each process watches. Each process also reads clients
 * and keys at intervals, because a watch may end without an error. @module
 */
import { type Client, KeyRing } from "../../oauth/mod.ts";
import { inTime, type Runtime } from "../../runtime/mod.ts";
import { Batcher, CREDENTIALS_CHANGED, errorOf, followTrouble, type Kv } from "../kv/mod.ts";
import { readClients, recordClientUses } from "./clients.ts";
import { openRootKeys, readRootKeys } from "./root_keys.ts";
import { openSelfServiceKey, readSelfServiceKeys } from "./self_service_keys.ts";
export { UnknownOutcome } from "../kv/mod.ts";
export { type BaseUrlWatch, watchBaseUrls } from "./base_urls.ts";
export { type ClientStore, createClientStore } from "./client_store.ts";
export { addClient, readClientBatches } from "./clients.ts";
export { openConsoleKey } from "./console_key.ts";
export {
  addSelfServiceKey,
  fromStoredKey,
  type StoredSelfServiceKey,
} from "./self_service_keys.ts";

/** The time between two reads, in milliseconds. */
const POLL_MS = 15_000;

/** The shortest time between two reads by `reload`, in milliseconds. Not every unknown id may cause a read. */
const RELOAD_MS = 1_000;

/** How long clients and keys count as current after a read, in milliseconds. */
const CURRENT_MS = 60_000;

/** The clients and keys that the service uses. */
export interface ServiceCredentials {
  /** The root keys, which sign and verify access tokens. */
  keyRing: KeyRing;
  /** Gives the bytes of the self-service key that makes links. */
  selfServiceKey: () => Uint8Array;
  /**
   * Finds a client by its id. Finds no client if clients were last read more than a minute ago, so that a process
   * without KV issues no token.
   */
  findClient: (clientId: string) => Client | undefined;
  /**
   * Reads clients and keys again, at most once a second. A caller does this before it refuses an unknown client or key.
   * @throws {DeadlineError} if KV does not answer in time
   */
  reload: () => Promise<void>;
  /**
   * Resolves once memory has the changes that this process has stored. Also resolves if the changes cannot be read;
   * memory then holds no clients.
   */
  learnCredentials: () => Promise<void>;
  /** Whether clients and keys were read within the last minute. */
  isCurrent: () => boolean;
  /** Notes that a client has got a token. */
  noteUse: (clientId: string) => void;
  /** Reads the self-service keys that open links now, in base64url. The caller's `kv` sets the deadline of the read. */
  readSelfServiceKeys: (kv: Kv) => Promise<string[]>;
  /** Ends the reads, and stores the last uses of clients. */
  close: () => Promise<void>;
}

/** Makes the first keys if there are none, and keeps the clients and keys in memory up to date. */
export async function startCredentials(
  { kv, runtime }: { kv: Kv; runtime: Runtime },
): Promise<ServiceCredentials> {
  const { now, monotonic, random, repeat, log } = runtime;
  const keyRing = new KeyRing(await openRootKeys(kv, random, now()), { now });
  /** When clients and keys were last read, on the monotonic clock. */
  let lastReadAt = -Infinity;
  let clients: ReadonlyMap<string, Client> = new Map();
  let selfServiceKey: Uint8Array | undefined;

  /** The ids of the root keys that the log has named as unreadable. */
  const warnedIds = new Set<string>();
  function warnOfKeys(unreadableIds: string[]): void {
    for (const keyId of unreadableIds.filter((id) => !warnedIds.has(id))) {
      warnedIds.add(keyId);
      log.warn("a root key cannot be read, so tokens that it signed may be refused", { keyId });
    }
  }

  /**
   * Reads the self-service key that makes links. If this key cannot be read, gives the last known key, so that the
   * clients and root keys of the same read are used nevertheless.
   */
  async function readSelfServiceKey(): Promise<Uint8Array> {
    try {
      return await openSelfServiceKey(kv, random);
    } catch (error) {
      if (!selfServiceKey) throw error;
      log.warn(
        "cannot read the key for links to the self-service page; new links use the last known key",
        { error: (error as Error).message },
      );
      return selfServiceKey;
    }
  }

  /** Reads clients and keys into memory. @param signal aborts after the deadline */
  async function readIntoMemory(signal: AbortSignal): Promise<void> {
    const { rootKeys, unreadableIds } = await readRootKeys(kv);
    const newClients = await readClients(kv);
    const newSelfServiceKey = await readSelfServiceKey();
    // The result is dropped after the deadline, because a later read may already have newer values.
    if (signal.aborted) return;
    clients = new Map(newClients.map((client) => [client.clientId, client]));
    keyRing.replace(rootKeys, unreadableIds);
    warnOfKeys(unreadableIds);
    selfServiceKey = newSelfServiceKey;
    lastReadAt = monotonic();
  }

  // All reads into memory go through this batcher: at the start, by the poll and the watch (`readOrWarn`), for an
  // unknown client or key (`reload`), and after a change by this process (`learnCredentials`).
  const reader = new Batcher<void, void>({
    run: (_callers, signal) => readIntoMemory(signal),
    // The deadlines of the three reads together. If KV does not answer, the deadline of a single read passes first.
    deadlineMs: 3 * kv.deadlineMs,
    monotonic,
  });
  // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
  const readCredentials = () => reader.add()!;
  await readCredentials();

  const outage = followTrouble(
    log,
    "cannot read OAuth clients and keys, because KV did not answer; the service uses the clients and keys that it read before",
    "OAuth clients and keys can be read again",
  );
  const readOrWarn = async () => outage.report(await errorOf(readCredentials()));
  const poll = repeat(POLL_MS, readOrWarn);
  const watch = kv.watch(CREDENTIALS_CHANGED, readOrWarn);

  const uses = recordClientUses({ kv, now, log });
  /** When `reload` last began a read, on the monotonic clock, and the end of this read. */
  let lastReload = { at: -Infinity, done: Promise.resolve() };
  const isCurrent = () => monotonic() - lastReadAt < CURRENT_MS;
  return {
    keyRing,
    // The `!` holds, because the first read has set the key.
    selfServiceKey: () => selfServiceKey!,
    findClient: (clientId) => isCurrent() ? clients.get(clientId) : undefined,
    reload() {
      if (monotonic() - lastReload.at >= RELOAD_MS) {
        lastReload = { at: monotonic(), done: readCredentials() };
      }
      // The wait has a deadline, because this read may have to wait for a read that is under way.
      return inTime(kv.deadlineMs, lastReload.done);
    },
    learnCredentials: () =>
      readCredentials().catch(() => {
        // Forgets all clients, so that the next token request reads them again.
        clients = new Map();
        lastReload = { at: -Infinity, done: Promise.resolve() };
      }),
    isCurrent,
    noteUse: uses.note,
    readSelfServiceKeys: (callerKv) => readSelfServiceKeys(callerKv, now()),
    async close() {
      await Promise.all([poll.close(), watch.close()]);
      await reader.flush();
      await uses.flush();
    },
  };
}
