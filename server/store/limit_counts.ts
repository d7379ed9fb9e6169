import { hmacSha256 } from "../digest.ts";
import type { Limiter, SharedCounts } from "../limits/limiter.ts";
import type { AddressHash } from "../limits/window_counts.ts";
import type { ClientAddress } from "../client_address.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import { ADDRESS_KEY, limitCountsKey, limitCountsOf, limitCountsSelector } from "./keys.ts";

/** How long shared counts are kept, in milliseconds: their window and one more. */
const KEEP_MS = 120_000;

/**
 * Writes a process's counts of the current window and lets it learn those of all others. Writing again
 * replaces, so a repeated or lost answer counts nothing twice.
 */
export async function exchangeCounts(
  kv: Deno.Kv,
  processId: string,
  limiter: Limiter,
  signal?: AbortSignal,
): Promise<void> {
  const { window, packed } = limiter.share();
  const commit = kv.atomic();
  for (const [limit, counts] of packed) {
    const key = limitCountsKey({ window, processId, limit });
    if (counts.byteLength > 0) commit.set(key, counts, { expireIn: KEEP_MS });
  }
  await commit.commit();

  const others: SharedCounts = { window, packed: [] };
  for await (const { key, value } of kv.list<Uint8Array>(limitCountsSelector(window))) {
    const { processId: owner, limit } = limitCountsOf(key);
    if (owner !== processId) others.packed.push([limit, value]);
  }
  // Another exchange has begun since, and knows more.
  if (signal?.aborted) return;
  limiter.learn(others);
}

/**
 * A keyed hash of source addresses, with a key that is made once and kept (decisions, "Limits"). All
 * processes get the same one.
 */
export async function openAddressHash(
  kv: Deno.Kv,
  random: RandomBytes,
): Promise<(source: ClientAddress) => AddressHash> {
  const made = random(32);
  await kv.atomic().check({ key: ADDRESS_KEY, versionstamp: null }).set(ADDRESS_KEY, made).commit();
  const { value } = await kv.get<Uint8Array>(ADDRESS_KEY);
  if (!value) throw new Error("The key that hashes source addresses was not kept");
  const digest = hmacSha256(value);
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, 6);
}
