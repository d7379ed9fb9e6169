/** Hashes client addresses, because the store must not hold addresses. @module */
import { base64url } from "jose";
import type { AddressHash, ClientAddress } from "../../limits/mod.ts";
import { hmacSha256, type RandomBytes } from "../../runtime/mod.ts";
import { ADDRESS_KEY, changeEntry, type Kv } from "../kv/mod.ts";

/** The length of a hash, in bytes. A number of JavaScript holds six bytes exactly. */
const HASH_BYTES = 6;

/** The length of the key, in bytes. */
const KEY_BYTES = 32;

/**
 * Makes the function that hashes client addresses with a key. All processes of a store use the same key, which the
 * first process makes and stores.
 */
export async function openAddressHash(
  kv: Kv,
  random: RandomBytes,
): Promise<(address: ClientAddress) => AddressHash> {
  const newKey = base64url.encode(random(KEY_BYTES));
  const key = await changeEntry<string, string>(kv, ADDRESS_KEY, (stored) => {
    return stored ? { result: stored } : { newValue: newKey, result: newKey };
  });
  const digest = hmacSha256(base64url.decode(key));
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, HASH_BYTES);
}
