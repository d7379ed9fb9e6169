/**
 * Stores the root keys, which sign and verify access tokens. `oauth/` decides how long a root key signs and verifies
 * tokens. @module
 */
import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { ANNOUNCE_MS, type KeyTerm, keyTermsOf, type RootKey, SLACK_MS } from "../../oauth/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  Commit,
  commitChange,
  CREDENTIALS_CHANGED,
  type Entry,
  type Kv,
  nameOf,
  readPage,
  ROOT_KEYS,
  rootKeyKey,
} from "../kv/mod.ts";

/** The length of a root key's secret, in bytes. */
const SECRET_BYTES = 32;

/** The root keys, in no particular order, and the ids of the root keys that cannot be read. */
export interface StoredRootKeys {
  rootKeys: RootKey[];
  unreadableIds: string[];
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
    const firstKey: RootKey = {
      keyId: "1",
      secret: base64url.encode(random(SECRET_BYTES)),
      signsFrom: now,
    };
    const key = rootKeyKey(firstKey.keyId);
    await kv.commit(new Commit().check({ key, version: null }).set(key, firstKey));
  }
  return (await readRootKeys(kv)).rootKeys;
}

/** Reads the root keys. */
export async function readRootKeys(kv: Kv): Promise<StoredRootKeys> {
  const { entries, unreadableIds } = await listRootKeys(kv);
  return { rootKeys: entries.map(({ value }) => value), unreadableIds };
}

/**
 * Reads the entries of root keys. All of them fit on one page, because keys that verify no token any more are removed.
 */
async function listRootKeys(
  kv: Kv,
): Promise<{ entries: Entry<RootKey>[]; unreadableIds: string[] }> {
  const page = await readPage<RootKey>(kv, ROOT_KEYS);
  const entries = page.flatMap((entry) => "fault" in entry ? [] : entry);
  const unreadableIds = page.flatMap((entry) => "fault" in entry ? nameOf(entry.key) : []);
  return { entries, unreadableIds };
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
  const secret = base64url.encode(random(SECRET_BYTES));
  return await commitChange(kv, async () => {
    const { entries, unreadableIds } = await listRootKeys(kv);
    const terms = keyTermsOf(entries.map(({ value }) => value));
    const newestKey = terms.at(-1)?.root;
    const announcedKey = newestKey && newestKey.signsFrom > now ? newestKey : undefined;
    if (announcedKey && announcedKey.signsFrom <= signsFrom + SLACK_MS) {
      return { result: () => announcedKey };
    }

    // An announced key that begins to sign much later was announced by a clock that was ahead.
    const nextKey: RootKey = announcedKey
      ? { ...announcedKey, signsFrom }
      : { keyId: nextKeyId(terms, unreadableIds), secret, signsFrom };
    const key = rootKeyKey(nextKey.keyId);
    const entry = entries.find(({ value }) => value.keyId === nextKey.keyId);
    const commit = new Commit().check(entry ?? { key, version: null })
      .set(key, nextKey)
      .set(CREDENTIALS_CHANGED, true);
    setAuditEntry(commit, audit && { ...audit, details: { keyId: nextKey.keyId } });
    for (const keyId of endedKeyIds(terms, unreadableIds, now)) commit.delete(rootKeyKey(keyId));
    return { commit, result: () => nextKey };
  });
}

/** Gives the id of a new key: one more than the highest id of all keys, including the keys that cannot be read. */
function nextKeyId(terms: KeyTerm[], unreadableIds: string[]): string {
  const keyIds = [...terms.map(({ root }) => root.keyId), ...unreadableIds];
  return String(Math.max(0, ...keyIds.map(Number)) + 1);
}

/** Gives the ids of the keys that verify no token any more. Leaves out the newest {@linkcode KEPT_KEYS} keys. */
function endedKeyIds(terms: KeyTerm[], unreadableIds: string[], now: number): string[] {
  const endedTerms = terms.slice(0, -KEPT_KEYS)
    .filter(({ verifiesUntil }) => verifiesUntil <= now);
  const keyIds = endedTerms.map(({ root }) => root.keyId);
  // An unreadable key that is older than an ended key verifies no token any more either.
  const highestId = Math.max(0, ...keyIds.map(Number));
  return [...keyIds, ...unreadableIds.filter((keyId) => Number(keyId) < highestId)];
}
