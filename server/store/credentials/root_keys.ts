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
    const first: RootKey = {
      keyId: "1",
      secret: base64url.encode(random(SECRET_BYTES)),
      signsFrom: now,
    };
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
  const secret = base64url.encode(random(SECRET_BYTES));
  return await commitChange(kv, async () => {
    const { entries, unreadable } = await listRootKeys(kv);
    const terms = keyTermsOf(entries.map(({ value }) => value));
    const newest = terms.at(-1)?.root;
    if (newest && newest.signsFrom > now && newest.signsFrom <= signsFrom + SLACK_MS) {
      return { result: () => newest };
    }

    // A newest key that begins to sign much later was announced by a clock that was ahead.
    const rotated: RootKey = newest && newest.signsFrom > now
      ? { ...newest, signsFrom }
      : { keyId: nextKeyId(terms, unreadable), secret, signsFrom };
    const key = rootKeyKey(rotated.keyId);
    const entry = entries.find(({ value }) => value.keyId === rotated.keyId);
    const commit = new Commit().check(entry ?? { key, version: null })
      .set(key, rotated)
      .set(CREDENTIALS_CHANGED, true);
    setAuditEntry(commit, audit && { ...audit, details: { keyId: rotated.keyId } });
    for (const keyId of endedKeyIds(terms, unreadable, now)) commit.delete(rootKeyKey(keyId));
    return { commit, result: () => rotated };
  });
}

/** Gives the id of a new key: one more than the highest id of all keys, including the keys that cannot be read. */
function nextKeyId(terms: KeyTerm[], unreadable: string[]): string {
  const keyIds = [...terms.map(({ root }) => root.keyId), ...unreadable];
  return String(Math.max(0, ...keyIds.map(Number)) + 1);
}

/** Gives the ids of the keys that verify no token any more. Leaves out the newest {@linkcode KEPT_KEYS} keys. */
function endedKeyIds(terms: KeyTerm[], unreadable: string[], now: number): string[] {
  const ended = terms.slice(0, -KEPT_KEYS).filter(({ verifiesUntil }) => verifiesUntil <= now);
  const keyIds = ended.map(({ root }) => root.keyId);
  // An unreadable key that is older than an ended key verifies no token any more either.
  const highestId = Math.max(0, ...keyIds.map(Number));
  return [...keyIds, ...unreadable.filter((keyId) => Number(keyId) < highestId)];
}
