/**
 * Shares the counts of the limits between processes.
 *
 * @module
 */
import { hmacSha256 } from "../digest.ts";
import type { Limiter, SharedCounts } from "../limits/limiter.ts";
import type { AddressHash } from "../limits/window_counts.ts";
import type { ClientAddress } from "../limits/address_table.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import { ADDRESS_KEY, limitCountsKey, limitCountsOf, limitCountsSelector } from "./keys.ts";

/** How long shared counts are kept, in milliseconds: for their window and the next one. */
const KEEP_MS = 120_000;

/**
 * Writes a process's counts of the current window, and reads those of all others. Each write replaces the
 * one before, so that nothing is counted twice where the answer of a commit was lost.
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
  // A later exchange has begun, which knows more.
  if (signal?.aborted) return;
  limiter.learn(others);
}

/**
 * Makes the keyed hash of client addresses. Its key is made once and stored, so that all processes have the
 * same hash (decisions, "Limits").
 */
export async function openAddressHash(
  kv: Deno.Kv,
  random: RandomBytes,
): Promise<(address: ClientAddress) => AddressHash> {
  const made = random(32);
  await kv.atomic().check({ key: ADDRESS_KEY, versionstamp: null }).set(ADDRESS_KEY, made).commit();
  const { value } = await kv.get<Uint8Array>(ADDRESS_KEY);
  if (!value) throw new Error("The key that hashes client addresses was not stored");
  const digest = hmacSha256(value);
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, 6);
}
