import type { Limit } from "./fixed_window.ts";
import type { AddressHash } from "./packed_counts.ts";
import type { ClientAddress } from "../client_address.ts";
import { AddressTable } from "./address_table.ts";

/** Sources that are counted at the most; past it, those with the fewest requests are forgotten. */
const MAX_ADDRESSES = 500_000;

/** What counts are kept with. */
export interface WindowCountsOptions {
  /** A keyed hash of a address. */
  hash: (address: ClientAddress) => AddressHash;
  /** See {@linkcode AddressTable}. */
  seed: number;
  maxAddresses?: number;
}

/**
 * One limit's counts of one window.
 *
 * A flood of addresses must cost little memory and no time that grows with their number, so how many
 * addresses have each count is kept up to date. It tells the floor: only addresses whose counts are past it
 * are shared with other processes.
 */
export class WindowCounts {
  readonly #hash: (address: ClientAddress) => AddressHash;
  readonly #limit: number;
  readonly #maxAddresses: number;
  /** What other processes have counted. */
  others: ReadonlyMap<AddressHash, number> = new Map();
  readonly #table: AddressTable;
  /** How many addresses have a count of n, by n. */
  readonly #addressesByCount: Uint32Array;
  #floor = 0;

  constructor(limit: Limit, { hash, seed, maxAddresses = MAX_ADDRESSES }: WindowCountsOptions) {
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

  /** The count that a address must pass to be shared. */
  get floor(): number {
    return this.#floor;
  }

  /** What this and the other processes have counted of a address. */
  count(address: ClientAddress): number {
    const slot = this.#table.find(address);
    return this.#table.count(slot) + this.#countOfOthers(slot, address);
  }

  /**
   * Adds one to a address's count, unless that is at the limit.
   *
   * @returns how much was left before
   */
  take(address: ClientAddress): number {
    let slot = this.#table.find(address);
    const count = this.#table.count(slot);
    // A flood past the limit costs no more than this.
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
   * The hashes and own counts of the addresses past the floor, at most `max` of them: the floor rises, and
   * stays up for the rest of the window, until they fit.
   */
  shared(max: number): [AddressHash, number][] {
    while (this.#addressesPast(this.#floor) > max) this.#floor++;
    const slots = this.#table.past(this.#floor, this.#addressesPast(this.#floor));
    return slots.map((slot) => [this.#table.note(slot, this.#hash), this.#table.count(slot)]);
  }

  /** Forgets at least half of the addresses, those with the smallest counts. */
  #forgetSmallest(): void {
    let largest = 0;
    while (this.#addressesPast(largest) > this.#maxAddresses / 2) largest++;
    this.#table.forget(largest);
    this.#addressesByCount.fill(0, 0, largest + 1);
  }

  #addressesPast(count: number): number {
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
