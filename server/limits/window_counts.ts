/**
 * Counts by client address. Requests are counted under an IPv4 address, or the /64 network of an IPv6 address, as two
 * unsigned 32-bit words. In a flood of addresses, numbers take less memory than texts. @module
 */
import { mixBits } from "../runtime/mod.ts";

/** The 64 bits by which one client address differs from another. */
export interface ClientAddress {
  readonly high: number;
  readonly low: number;
}

/** An IPv4 address of 32 bits. It has the form of an IPv6 network that is never assigned. */
export const ipv4Address = (address: number): ClientAddress => ({ high: 0xffff, low: address });

/** The /64 network of an IPv6 address, from the first four of the address's 16-bit parts. */
export function ipv6Network([a = 0, b = 0, c = 0, d = 0]: number[]): ClientAddress {
  return { high: (a << 16 | b) >>> 0, low: (c << 16 | d) >>> 0 };
}

/** What a connection without an IP address is counted under. */
export const UNKNOWN_ADDRESS: ClientAddress = { high: 0xffffffff, low: 0xffffffff };

/** The hash of an address: 48 bits, which a number holds exactly. */
export type AddressHash = number;

/** The most addresses that are counted; beyond it, those with the fewest requests are forgotten. */
const MAX_ADDRESSES = 500_000;

const FIRST_CAPACITY = 1_024;

export interface WindowCountsOptions {
  /** A keyed hash of an address, so that shared counts hold no address. */
  hash: (address: ClientAddress) => AddressHash;
  /** 32 bits that are secret, so that nobody can choose addresses that collide in one slot. */
  seed: number;
  maxAddresses?: number;
}

/**
 * One limit's counts of one window: a hash table with open addressing in typed arrays. A `Map` takes ten times the
 * memory and, in a flood of new addresses, several times the time, most of it for the garbage collector.
 *
 * Only addresses whose counts are above a floor are shared with other processes. To find the floor in a time that does
 * not grow with the number of addresses, the table counts how many addresses have each count.
 */
export class WindowCounts {
  readonly #limit: number;
  readonly #options: WindowCountsOptions;
  others: ReadonlyMap<AddressHash, number> = new Map();
  /** The addresses, two words each. */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  /** The addresses' counts; zero where a slot is free. */
  #counts = new Uint16Array(FIRST_CAPACITY);
  /** The addresses' hashes, once they were needed; zero before. */
  #hashes = new Float64Array(FIRST_CAPACITY);
  #size = 0;
  /** How many addresses have a count of n, by n. */
  readonly #addressesByCount: Uint32Array;
  /** An address is shared once its count is above this. */
  #floor = 0;

  constructor(limit: { requests: number }, options: WindowCountsOptions) {
    this.#limit = limit.requests;
    this.#options = options;
    this.#addressesByCount = new Uint32Array(limit.requests + 1);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds one to an address's count, unless it is at the limit or told not to. @returns how many were left before */
  take(address: ClientAddress, counts = true): number {
    let slot = this.#find(address);
    const count = this.#counts[slot]!;
    // A refused request costs no more than this.
    if (count >= this.#limit) return 0;
    const left = this.#limit - count - this.#countOfOthers(slot, address);
    if (left <= 0 || !counts) return Math.max(left, 0);
    if (count > 0) this.#addressesByCount[count]!--;
    else {
      if (this.#makeRoom()) slot = this.#find(address);
      this.#words[2 * slot] = address.high;
      this.#words[2 * slot + 1] = address.low;
      this.#size++;
    }
    this.#counts[slot] = count + 1;
    this.#addressesByCount[count + 1]!++;
    return left;
  }

  /**
   * Gives the hashes and own counts of the addresses above the floor. The floor rises until there are at
   * most `max` of them, and does not fall within the window.
   */
  shared(max: number): [AddressHash, number][] {
    while (this.#addressesAbove(this.#floor) > max) this.#floor++;
    const size = this.#addressesAbove(this.#floor);
    const shared: [AddressHash, number][] = [];
    for (let slot = 0; shared.length < size; slot++) {
      const count = this.#counts[slot]!;
      if (count > this.#floor) shared.push([this.#hashAt(slot), count]);
    }
    return shared;
  }

  /** Finds the slot that holds the count of an address, or would hold it while the count is zero. */
  #find({ high, low }: ClientAddress): number {
    const words = this.#words;
    const counts = this.#counts;
    const last = counts.length - 1;
    let slot = mixBits(mixBits(high ^ this.#options.seed) ^ low) & last;
    while (counts[slot] !== 0 && (words[2 * slot] !== high || words[2 * slot + 1] !== low)) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  #countOfOthers(slot: number, address: ClientAddress): number {
    if (this.others.size === 0) return 0;
    const isCounted = this.#counts[slot] !== 0;
    return this.others.get(isCounted ? this.#hashAt(slot) : this.#options.hash(address)) ?? 0;
  }

  /** Gives the hash of the address in a slot, which is made once. */
  #hashAt(slot: number): AddressHash {
    return this.#hashes[slot] ||= this.#options.hash({
      high: this.#words[2 * slot]!,
      low: this.#words[2 * slot + 1]!,
    });
  }

  #addressesAbove(count: number): number {
    return this.#addressesByCount.subarray(count + 1).reduce((sum, some) => sum + some, 0);
  }

  /** Makes room for an address; true where others got other slots by it. */
  #makeRoom(): boolean {
    const { maxAddresses = MAX_ADDRESSES } = this.#options;
    if (this.#size >= maxAddresses) {
      // At least half of the addresses are forgotten, those with the smallest counts.
      let largest = 0;
      while (this.#addressesAbove(largest) > maxAddresses / 2) largest++;
      this.#rebuild(this.#counts.length, largest);
      this.#addressesByCount.fill(0, 0, largest + 1);
    } else if (2 * this.#size >= this.#counts.length) this.#rebuild(2 * this.#counts.length, 0);
    else return false;
    return true;
  }

  /** Moves the addresses whose counts are larger than `forgotten` to new arrays. */
  #rebuild(capacity: number, forgotten: number): void {
    const [words, counts, hashes] = [this.#words, this.#counts, this.#hashes];
    this.#words = new Uint32Array(2 * capacity);
    this.#counts = new Uint16Array(capacity);
    this.#hashes = new Float64Array(capacity);
    this.#size = 0;
    for (let old = 0; old < counts.length; old++) {
      const count = counts[old]!;
      if (count <= forgotten) continue;
      const [high, low] = [words[2 * old]!, words[2 * old + 1]!];
      const slot = this.#find({ high, low });
      this.#words[2 * slot] = high;
      this.#words[2 * slot + 1] = low;
      this.#counts[slot] = count;
      this.#hashes[slot] = hashes[old]!;
      this.#size++;
    }
  }
}
