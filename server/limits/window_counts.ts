/** Counts the requests of client addresses under one limit in one window. @module */
import { mixBits } from "../runtime/mod.ts";
import type { ClientAddress } from "./client_address.ts";

/** The keyed hash of an address. It has 48 bits, which a number holds exactly. */
export type AddressHash = number;

/** How many addresses have a count in memory at most; see {@linkcode WindowCounts} for what happens with more. */
const MAX_ADDRESSES = 500_000;

/** The number of slots in a new hash table, a power of two. */
const FIRST_CAPACITY = 1_024;

/** What the counts of a window need. */
export interface WindowCountsOptions {
  /** Gives the keyed hash of an address. Other processes get this hash, because the store must not hold addresses. */
  hash: (address: ClientAddress) => AddressHash;
  /** A secret number of 32 bits, so that nobody can choose addresses that fall into the same slot of the hash table. */
  seed: number;
  /** How many addresses have a count in memory at most. The default is {@linkcode MAX_ADDRESSES}. */
  maxAddresses?: number;
}

/**
 * The counts of one limit in one window. They are a hash table with open addressing in typed arrays, because a `Map`
 * takes ten times the memory and, in a flood of addresses, several times the time.
 *
 * If the table has `maxAddresses` addresses and another address comes, the addresses with the smallest counts are
 * deleted, at least half of all addresses. A deleted address starts again from zero, so it may send more requests in
 * the window than the limit allows.
 *
 * Other processes get only the counts above a floor, because one KV value may not hold all counts. The table knows how
 * many addresses have each count, so that the time to find the floor does not depend on the number of addresses.
 */
export class WindowCounts {
  readonly #maxRequests: number;
  readonly #options: WindowCountsOptions;
  /** The sums of the counts of other processes, by address hash. The limiter replaces them at each exchange. */
  sumsOfOthers: ReadonlyMap<AddressHash, number> = new Map();
  /** The addresses by slot. Each address takes two elements, `high` and `low`. */
  #addresses = new Uint32Array(2 * FIRST_CAPACITY);
  /** The counts by slot. A free slot has the count zero. */
  #counts = new Uint16Array(FIRST_CAPACITY);
  /** The hashes by slot. A hash is zero until it is needed. */
  #hashes = new Float64Array(FIRST_CAPACITY);
  /** The number of addresses in the table. */
  #size = 0;
  /** The number of addresses that have each count. The index in the array is the count. */
  readonly #histogram: Uint32Array;
  /** The floor: other processes get only counts that are larger than this number. */
  #floor = 0;

  /** @param limit the limit under which requests are counted */
  constructor({ maxRequests }: { maxRequests: number }, options: WindowCountsOptions) {
    this.#maxRequests = maxRequests;
    this.#options = options;
    this.#histogram = new Uint32Array(maxRequests + 1);
  }

  /** The number of addresses that have a count. */
  get size(): number {
    return this.#size;
  }

  /** Gives how many more requests of an address the limit allows. Counts nothing. */
  availableTo(address: ClientAddress): number {
    return this.#availableAt(this.#findSlot(address), address);
  }

  /**
   * Counts a request of an address, unless the limit is reached.
   * @returns how many requests the limit still allowed before this request
   */
  countRequest(address: ClientAddress): number {
    let slot = this.#findSlot(address);
    const available = this.#availableAt(slot, address);
    if (available === 0) return 0;
    const count = this.#counts[slot]!;
    if (count > 0) {
      this.#histogram[count]!--;
    } else {
      if (this.#makeRoom()) slot = this.#findSlot(address);
      this.#addresses[2 * slot] = address.high;
      this.#addresses[2 * slot + 1] = address.low;
      this.#size++;
    }
    this.#counts[slot] = count + 1;
    this.#histogram[count + 1]!++;
    return available;
  }

  /**
   * Raises the floor until at most `maxCounts` counts are above the floor. The floor is never lowered before the window
   * ends.
   */
  raiseFloor(maxCounts: number): void {
    while (this.#countAddressesAbove(this.#floor) > maxCounts) this.#floor++;
  }

  /** Gives the counts of this process above the floor, by address hash. */
  countsAboveFloor(): [AddressHash, number][] {
    const addressCount = this.#countAddressesAbove(this.#floor);
    const counts: [AddressHash, number][] = [];
    for (let slot = 0; counts.length < addressCount; slot++) {
      const count = this.#counts[slot]!;
      if (count > this.#floor) counts.push([this.#hashAt(slot), count]);
    }
    return counts;
  }

  /** Finds the slot of an address. If the address has no count yet, this is the free slot for its count. */
  #findSlot({ high, low }: ClientAddress): number {
    const addresses = this.#addresses;
    const counts = this.#counts;
    // The number of slots is a power of two, so this mask keeps the bits that are the number of a slot.
    const mask = counts.length - 1;
    let slot = mixBits(mixBits(high ^ this.#options.seed) ^ low) & mask;
    while (
      counts[slot] !== 0 && (addresses[2 * slot] !== high || addresses[2 * slot + 1] !== low)
    ) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Gives how many more requests the limit allows to the address whose slot is `slot`. */
  #availableAt(slot: number, address: ClientAddress): number {
    const count = this.#counts[slot]!;
    // If the counted requests of this process alone reach the limit, the function returns here, so that a flood of
    // requests costs as little as possible.
    if (count >= this.#maxRequests) return 0;
    return Math.max(this.#maxRequests - count - this.#countOfOthers(slot, address), 0);
  }

  /** Gives the sum of the counts of other processes for the address whose slot is `slot`. */
  #countOfOthers(slot: number, address: ClientAddress): number {
    if (this.sumsOfOthers.size === 0) return 0;
    const hasCount = this.#counts[slot] !== 0;
    return this.sumsOfOthers.get(hasCount ? this.#hashAt(slot) : this.#options.hash(address)) ?? 0;
  }

  /** Gives the hash of the address in a slot, and stores this hash in `#hashes`. */
  #hashAt(slot: number): AddressHash {
    return this.#hashes[slot] ||= this.#options.hash({
      high: this.#addresses[2 * slot]!,
      low: this.#addresses[2 * slot + 1]!,
    });
  }

  /** Gives the number of addresses whose count is above `count`. */
  #countAddressesAbove(count: number): number {
    let sum = 0;
    for (const addressCount of this.#histogram.subarray(count + 1)) sum += addressCount;
    return sum;
  }

  /** Makes sure that there is a free slot for one more address. @returns whether addresses have moved to other slots */
  #makeRoom(): boolean {
    const { maxAddresses = MAX_ADDRESSES } = this.#options;
    if (this.#size >= maxAddresses) {
      // Deletes the addresses with the smallest counts, at least half of all addresses.
      let largestDeleted = 0;
      while (this.#countAddressesAbove(largestDeleted) > maxAddresses / 2) largestDeleted++;
      this.#rebuild(this.#counts.length, largestDeleted);
      this.#histogram.fill(0, 0, largestDeleted + 1);
      return true;
    }
    if (2 * this.#size >= this.#counts.length) {
      this.#rebuild(2 * this.#counts.length, 0);
      return true;
    }
    return false;
  }

  /** Makes new arrays with `capacity` slots, and moves the addresses with counts above `largestDeleted` to them. */
  #rebuild(capacity: number, largestDeleted: number): void {
    const addresses = this.#addresses;
    const counts = this.#counts;
    const hashes = this.#hashes;
    this.#addresses = new Uint32Array(2 * capacity);
    this.#counts = new Uint16Array(capacity);
    this.#hashes = new Float64Array(capacity);
    this.#size = 0;
    for (let oldSlot = 0; oldSlot < counts.length; oldSlot++) {
      const count = counts[oldSlot]!;
      if (count <= largestDeleted) continue;
      const high = addresses[2 * oldSlot]!;
      const low = addresses[2 * oldSlot + 1]!;
      const slot = this.#findSlot({ high, low });
      this.#addresses[2 * slot] = high;
      this.#addresses[2 * slot + 1] = low;
      this.#counts[slot] = count;
      this.#hashes[slot] = hashes[oldSlot]!;
      this.#size++;
    }
  }
}
