import { AddressTable, type ClientAddress } from "./address_table.ts";

/** The most addresses that are counted; beyond it, those with the fewest requests are forgotten. */
const MAX_ADDRESSES = 500_000;

/** What the counts of a window are made with. */
export interface WindowCountsOptions {
  /** A keyed hash of an address. */
  hash: (address: ClientAddress) => AddressHash;
  /** See {@linkcode AddressTable}. */
  seed: number;
  maxAddresses?: number;
}

/**
 * One limit's counts of one window.
 *
 * Only addresses whose counts are above a floor are shared with other processes. To find the floor in a
 * time that does not grow with the number of addresses, the table counts how many addresses have each
 * count.
 */
export class WindowCounts {
  readonly #hash: (address: ClientAddress) => AddressHash;
  readonly #limit: number;
  readonly #maxAddresses: number;
  /** The counts of all other processes. */
  others: ReadonlyMap<AddressHash, number> = new Map();
  readonly #table: AddressTable;
  /** How many addresses have a count of n, by n. */
  readonly #addressesByCount: Uint32Array;
  #floor = 0;

  constructor(
    limit: { requests: number },
    { hash, seed, maxAddresses = MAX_ADDRESSES }: WindowCountsOptions,
  ) {
    this.#limit = limit.requests;
    this.#hash = hash;
    this.#maxAddresses = maxAddresses;
    this.#table = new AddressTable(seed);
    this.#addressesByCount = new Uint32Array(limit.requests + 1);
  }

  /** How many addresses are counted. */
  get size(): number {
    return this.#table.size;
  }

  /** An address is shared once its count is above this. */
  get floor(): number {
    return this.#floor;
  }

  /** The count of an address in this and the other processes. */
  count(address: ClientAddress): number {
    const slot = this.#table.find(address);
    return this.#table.count(slot) + this.#countOfOthers(slot, address);
  }

  /**
   * Adds one to an address's count, unless the count is at the limit.
   *
   * @returns how many requests were left before
   */
  take(address: ClientAddress): number {
    let slot = this.#table.find(address);
    const count = this.#table.count(slot);
    // A refused request costs no more than this.
    if (count >= this.#limit) return 0;
    const left = this.#limit - count - this.#countOfOthers(slot, address);
    if (left <= 0) return 0;
    if (count > 0) {
      this.#move(count, -1);
    } else if (this.#table.size >= this.#maxAddresses) {
      this.#forgetSmallest();
      slot = this.#table.find(address);
    }
    this.#table.set(slot, address, count + 1);
    this.#move(count + 1, 1);
    return left;
  }

  #countOfOthers(slot: number, address: ClientAddress): number {
    if (this.others.size === 0) return 0;
    const counted = this.#table.count(slot) > 0;
    const hash = counted ? this.#table.note(slot, this.#hash) : this.#hash(address);
    return this.others.get(hash) ?? 0;
  }

  /**
   * Gives the hashes and own counts of the addresses above the floor. The floor rises until there are at
   * most `max` of them, and does not fall within the window.
   */
  shared(max: number): [AddressHash, number][] {
    while (this.#addressesAbove(this.#floor) > max) this.#floor++;
    const slots = this.#table.above(this.#floor, this.#addressesAbove(this.#floor));
    return slots.map((slot) => [this.#table.note(slot, this.#hash), this.#table.count(slot)]);
  }

  /** Forgets at least half of the addresses, those with the smallest counts. */
  #forgetSmallest(): void {
    let largest = 0;
    while (this.#addressesAbove(largest) > this.#maxAddresses / 2) largest++;
    this.#table.forget(largest);
    this.#addressesByCount.fill(0, 0, largest + 1);
  }

  #addressesAbove(count: number): number {
    let addresses = 0;
    for (let n = count + 1; n < this.#addressesByCount.length; n++) {
      addresses += this.#addressesByCount[n] ?? 0;
    }
    return addresses;
  }

  #move(count: number, by: number): void {
    this.#addressesByCount[count] = (this.#addressesByCount[count] ?? 0) + by;
  }
}

/** The hash of an address: 48 bits, which a number holds exactly. */
export type AddressHash = number;

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
  let offset = 0;
  for (const [hash, count] of counts) {
    view.setUint16(offset, Math.floor(hash / 2 ** 32));
    view.setUint32(offset + 2, hash % 2 ** 32);
    view.setUint16(offset + HASH_BYTES, count);
    offset += ENTRY_BYTES;
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
