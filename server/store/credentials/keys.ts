/**
 * Stores keys: the root keys, which sign access tokens; the keys for the links to self-service pages; and the key for
 * the console's URLs. The first key for links makes new links and opens links. The other keys for links only open
 * links, because they are older or came with a restored backup. `oauth/` decides how long a root key signs and verifies
 * tokens. @module
 */
import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { ANNOUNCE_MS, keyTermsOf, type RootKey, SLACK_MS } from "../../oauth/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { SELF_SERVICE_KEY_BYTES } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  Commit,
  commitChange,
  CONSOLE_KEY,
  CREDENTIALS_CHANGED,
  type Entry,
  type Kv,
  nameOf,
  readOne,
  readPage,
  ROOT_KEYS,
  rootKeyKey,
  SELF_SERVICE_KEYS,
} from "../kv/mod.ts";

/** The root keys, in no particular order, and the ids of the root keys that cannot be read. */
export interface StoredRootKeys {
  roots: RootKey[];
  unreadable: string[];
}

/**
 * Reads the root keys, and makes the first key if the store has no root key. Processes that start together get the same
 * key, because the commit checks that no key was made meanwhile.
 * @param now the present moment, in milliseconds since 1970, from which the first key signs
 */
export async function openRootKeys(
  kv: Kv,
  random: RandomBytes,
  now: number,
): Promise<RootKey[]> {
  if ((await readPage(kv, ROOT_KEYS)).length === 0) {
    const first: RootKey = { keyId: "1", secret: base64url.encode(random(32)), signsFrom: now };
    const key = rootKeyKey(first.keyId);
    await kv.commit(new Commit().check({ key, version: null }).set(key, first));
  }
  return (await readRootKeys(kv)).roots;
}

/** Reads the root keys. */
export async function readRootKeys(kv: Kv): Promise<StoredRootKeys> {
  const { entries, unreadable } = await listRootKeys(kv);
  return { roots: entries.map(({ value }) => value), unreadable };
}

/**
 * Reads the entries of root keys. All of them fit on one page, because keys that verify no token any more are removed.
 */
async function listRootKeys(kv: Kv): Promise<{ entries: Entry<RootKey>[]; unreadable: string[] }> {
  const page = await readPage<RootKey>(kv, ROOT_KEYS);
  const entries = page.flatMap((entry) => "fault" in entry ? [] : entry);
  const unreadable = page.flatMap((entry) => "fault" in entry ? nameOf(entry.key) : []);
  return { entries, unreadable };
}

/**
 * How many of the newest root keys are never removed. A process whose clock is ahead would otherwise remove a valid key
 * as an old key.
 */
const KEPT_KEYS = 2;

/**
 * Stores a new root key, which begins to sign once every process knows it, and removes keys that verify no token any
 * more. Two rotations within a minute give the same key, because no further key is made while a new key is announced.
 * If a clock that was ahead announced a key too far in the future, no new key is made. The announced key gets a new
 * `signsFrom`, because it may already have signed tokens.
 * @param now the present moment, in milliseconds since 1970
 */
export async function rotateRootKey(
  kv: Kv,
  now: number,
  random: RandomBytes,
  audit?: AuditEntry,
): Promise<RootKey> {
  const signsFrom = now + ANNOUNCE_MS;
  const secret = base64url.encode(random(32));
  return await commitChange(kv, async () => {
    const { entries, unreadable } = await listRootKeys(kv);
    const terms = keyTermsOf(entries.map(({ value }) => value));
    const newest = terms.at(-1)?.root;
    if (newest && newest.signsFrom > now && newest.signsFrom <= signsFrom + SLACK_MS) {
      return { result: () => newest };
    }

    const isStuck = newest !== undefined && newest.signsFrom > now;
    const ids = [...terms.map(({ root }) => root.keyId), ...unreadable];
    const highest = Math.max(0, ...ids.map(Number));
    const next: RootKey = isStuck
      ? { ...newest, signsFrom }
      : { keyId: String(highest + 1), secret, signsFrom };
    const stored = entries.find(({ value }) => value.keyId === next.keyId);
    const key = rootKeyKey(next.keyId);
    const commit = new Commit().check(stored ?? { key, version: null })
      .set(key, next)
      .set(CREDENTIALS_CHANGED, true);
    setAuditEntry(commit, audit && { ...audit, details: { keyId: next.keyId } });
    for (const { root, verifiesUntil } of terms.slice(0, -KEPT_KEYS)) {
      if (verifiesUntil > now) continue;
      // An unreadable key that is older than this key is removed as well, because it verifies no token any more either.
      const older = unreadable.filter((keyId) => Number(keyId) < Number(root.keyId));
      for (const keyId of [root.keyId, ...older]) commit.delete(rootKeyKey(keyId));
    }
    return { commit, result: () => next };
  });
}

/**
 * A key for links, in base64url. A key with `opensUntil`, a date-time, opens links until then; a key without
 * `opensUntil` opens links for ever.
 */
export type StoredLinkKey = string | { key: string; opensUntil: string };

const linkKeyOf = (stored: StoredLinkKey): { key: string; opensUntil?: string } =>
  typeof stored === "string" ? { key: stored } : stored;

/**
 * Gives the key that makes links. Makes the first key if there is none. Processes that start together get the same key.
 * @returns the bytes of the key
 */
export async function openSelfServiceKey(kv: Kv, random: RandomBytes): Promise<Uint8Array> {
  const newKey = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  const [first = newKey] = await changeEntry<StoredLinkKey[], StoredLinkKey[]>(
    kv,
    SELF_SERVICE_KEYS,
    (stored) => stored ? { result: stored } : { newValue: [newKey], result: [newKey] },
  );
  return base64url.decode(linkKeyOf(first).key);
}

/**
 * Reads the keys that are valid at `now` for links to self-service pages, in base64url. All of them open links; the
 * first key also makes new links.
 * @param now in milliseconds since 1970
 */
export async function readSelfServiceKeys(kv: Kv, now: number): Promise<string[]> {
  const { value } = await readOne<StoredLinkKey[]>(kv, SELF_SERVICE_KEYS);
  const at = new Date(now).toISOString();
  const keys = (value ?? []).map(linkKeyOf);
  return keys.filter(({ opensUntil = at }) => opensUntil >= at).map(({ key }) => key);
}

/**
 * Makes a new key, which makes links from now on. An older key opens links until the earlier of two moments: `until`,
 * and the end that the key already has.
 * @param options.until a date-time
 */
export async function rotateSelfServiceKey(
  kv: Kv,
  { random, until, audit }: { random: RandomBytes; until: string; audit: AuditEntry },
): Promise<void> {
  const newKey = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  await changeEntry<StoredLinkKey[], void>(
    kv,
    SELF_SERVICE_KEYS,
    (stored = []) => {
      const older = stored.map(linkKeyOf).map(({ key, opensUntil = until }) => {
        return { key, opensUntil: opensUntil < until ? opensUntil : until };
      });
      const newValue = [newKey, ...older.filter(({ opensUntil }) => opensUntil > audit.at)];
      return { newValue, result: undefined };
    },
    (commit) => setAuditEntry(commit.set(CREDENTIALS_CHANGED, true), audit),
  );
}

/** Adds a key for links from a backup, so that it opens links here. @returns whether the key is new in this store */
export async function addSelfServiceKey(
  kv: Kv,
  added: StoredLinkKey,
  { random, audit }: { random: RandomBytes; audit?: AuditEntry | undefined },
): Promise<boolean> {
  // Makes the store's own key first if there is none, because the running processes already make links with it.
  await openSelfServiceKey(kv, random);
  const { key } = linkKeyOf(added);
  return await changeEntry<StoredLinkKey[], boolean>(
    kv,
    SELF_SERVICE_KEYS,
    (stored = []) =>
      stored.some((linkKey) => linkKeyOf(linkKey).key === key)
        ? { result: false }
        : { newValue: [...stored, added], result: true },
    (commit) => setAuditEntry(commit, audit),
  );
}

const CONSOLE_KEY_BYTES = 32;

/**
 * Gives the key of the console's URLs. Makes the key if there is none. Processes that start together get the same key.
 * @returns the bytes of the key
 */
export async function openConsoleKey(kv: Kv, random: RandomBytes): Promise<Uint8Array> {
  const newKey = base64url.encode(random(CONSOLE_KEY_BYTES));
  const key = await changeEntry<string, string>(
    kv,
    CONSOLE_KEY,
    (stored) => stored ? { result: stored } : { newValue: newKey, result: newKey },
  );
  return base64url.decode(key);
}
