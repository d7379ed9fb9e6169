/** Packs the counts of one process under one limit into bytes, in which form processes exchange counts. @module */
import type { AddressHash } from "./window_counts.ts";

/** The length of an address's hash in packed counts, in bytes. */
const HASH_BYTES = 6;

/** The length of one entry of packed counts, in bytes: a hash and a count of two bytes. */
const ENTRY_BYTES = HASH_BYTES + 2;

/**
 * How many counts one KV value holds at most. A value has at most 65,536 bytes, of which the encoding of KV needs
 * some.
 */
export const MAX_PACKED = 8_000;

/** Packs counts into bytes: 6 bytes for the hash of each address, and 2 bytes for its count. */
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

/** Adds the packed counts of another process to `sums`, which has the sum of such counts for each address hash. */
export function addPackedCounts(packed: Uint8Array, sums: Map<AddressHash, number>): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let offset = 0; offset + ENTRY_BYTES <= packed.byteLength; offset += ENTRY_BYTES) {
    const hash = view.getUint16(offset) * 2 ** 32 + view.getUint32(offset + 2);
    sums.set(hash, (sums.get(hash) ?? 0) + view.getUint16(offset + HASH_BYTES));
  }
}
