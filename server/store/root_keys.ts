import type { RandomBytes } from "../oauth/clients.ts";
import type { RootKey } from "../oauth/signing_keys.ts";
import { FIRST_ROOT_KEY, ROOT_KEYS, rootKeyKey } from "./keys.ts";

/**
 * The root keys, the first one made where there is none. Processes that start together on an empty
 * store end with the same key: only one commit passes the check, and all read afterwards.
 */
export async function openRootKeys(kv: Deno.Kv, random: RandomBytes): Promise<RootKey[]> {
  const key = rootKeyKey(FIRST_ROOT_KEY);
  const first: RootKey = { keyId: FIRST_ROOT_KEY, secret: random(32), signsFrom: 0 };
  await kv.atomic().check({ key, versionstamp: null }).set(key, first).commit();
  return await readRootKeys(kv);
}

/** All root keys, in no certain order. */
export async function readRootKeys(kv: Deno.Kv): Promise<RootKey[]> {
  const entries = await Array.fromAsync(kv.list<RootKey>(ROOT_KEYS));
  return entries.map((entry) => entry.value);
}
