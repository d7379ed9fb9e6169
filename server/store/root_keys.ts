import type { RandomBytes } from "../oauth/clients.ts";
import { ANNOUNCE_MS, keyTerms } from "../oauth/key_ring.ts";
import type { RootKey } from "../oauth/signing_keys.ts";
import { FIRST_ROOT_KEY, ROOT_KEYS, rootKeyKey } from "./keys.ts";

/**
 * The root keys, the first one made where there is none. Processes that start together on an empty
 * store end with the same key: only one commit passes the check, and all read afterwards.
 */
export async function openRootKeys(kv: Deno.Kv, random: RandomBytes): Promise<RootKey[]> {
  const roots = await readRootKeys(kv);
  if (roots.length > 0) return roots;
  const first: RootKey = { keyId: FIRST_ROOT_KEY, secret: random(32), signsFrom: 0 };
  await storeNew(kv, first, []);
  return await readRootKeys(kv);
}

/** All root keys, in no certain order. */
export async function readRootKeys(kv: Deno.Kv): Promise<RootKey[]> {
  const entries = await Array.fromAsync(kv.list<RootKey>(ROOT_KEYS));
  return entries.map((entry) => entry.value);
}

/**
 * Stores a new root key that begins to sign once every process knows it, and removes the ones that
 * verify nothing any more. While a key waits to sign there is no other new one: of two rotations at
 * the same time, or within a minute, both give that key.
 *
 * @param now milliseconds since 1970
 */
export async function rotateRootKey(
  kv: Deno.Kv,
  now: number,
  random: RandomBytes,
): Promise<RootKey> {
  const terms = keyTerms(await readRootKeys(kv));
  const newest = terms.at(-1)?.root;
  if (newest && newest.signsFrom > now) return newest;
  const next: RootKey = {
    keyId: newest ? String(Number(newest.keyId) + 1) : FIRST_ROOT_KEY,
    secret: random(32),
    signsFrom: now + ANNOUNCE_MS,
  };
  const retired = terms.filter(({ verifiesUntil }) => verifiesUntil <= now);
  if (await storeNew(kv, next, retired.map(({ root }) => root))) return next;
  // The other rotation took the id, and its key waits to sign.
  return await rotateRootKey(kv, now, random);
}

/** Stores a key under an id that was free, in one commit with the removals; false where it was not. */
async function storeNew(kv: Deno.Kv, root: RootKey, retired: RootKey[]): Promise<boolean> {
  const key = rootKeyKey(root.keyId);
  const commit = kv.atomic().check({ key, versionstamp: null }).set(key, root);
  for (const { keyId } of retired) commit.delete(rootKeyKey(keyId));
  return (await commit.commit()).ok;
}
