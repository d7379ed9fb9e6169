import type { AddressHash } from "./window_counts.ts";

const HASH_BYTES = 6;
const ENTRY_BYTES = HASH_BYTES + 2;

/** Entries that fit into one KV value of 65,536 bytes, with room for KV's own encoding. */
export const MAX_PACKED = 8_000;

/**
 * Packs at most {@linkcode MAX_PACKED} counts as processes share them: for each address, 6 bytes of its
 * hash and 2 bytes of its count.
 */
export function packCounts(counts: [AddressHash, number][]): Uint8Array {
  const bytes = new Uint8Array(counts.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, [hash, count]] of counts.entries()) {
    const offset = index * ENTRY_BYTES;
    view.setUint16(offset, Math.floor(hash / 2 ** 32));
    view.setUint32(offset + 2, hash % 2 ** 32);
    view.setUint16(offset + HASH_BYTES, count);
  }
  return bytes;
}

/** Adds packed counts to sums. */
export function addPackedCounts(packed: Uint8Array, sums: Map<AddressHash, number>): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let offset = 0; offset + ENTRY_BYTES <= packed.byteLength; offset += ENTRY_BYTES) {
    const hash = view.getUint16(offset) * 2 ** 32 + view.getUint32(offset + 2);
    sums.set(hash, (sums.get(hash) ?? 0) + view.getUint16(offset + HASH_BYTES));
  }
}
