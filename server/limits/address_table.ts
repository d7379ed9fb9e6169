/**
 * Client addresses, and counts by address. Requests are counted under an IPv4 address, or the /64 network of
 * an IPv6 address, as two unsigned 32-bit words. In a flood of addresses, numbers take less memory than texts.
 *
 * @module
 */

/** The 64 bits by which one client address differs from another. */
export interface ClientAddress {
  readonly high: number;
  readonly low: number;
}

/** An IPv4 address of 32 bits. It has the form of an IPv6 network that is never assigned. */
export function ipv4Address(address: number): ClientAddress {
  return { high: 0xffff, low: address };
}

/** The /64 network of an IPv6 address, from the first four of the address's 16-bit parts. */
export function ipv6Network([a = 0, b = 0, c = 0, d = 0]: number[]): ClientAddress {
  return { high: (a << 16 | b) >>> 0, low: (c << 16 | d) >>> 0 };
}

/** What a connection without an IP address is counted under. */
export const UNKNOWN_ADDRESS: ClientAddress = { high: 0xffffffff, low: 0xffffffff };

const FIRST_CAPACITY = 1_024;

/**
 * Counts by client address: a hash table with open addressing in typed arrays. A `Map` takes ten times the
 * memory and, in a flood of new addresses, several times the time, most of it for the garbage collector.
 *
 * An address has a slot, which holds its count, or would hold it while the count is zero. `set()` and
 * `forget()` may move addresses to other slots, so call `find()` again after them.
 */
export class AddressTable {
  readonly #seed: number;
  /** The addresses, two words each. */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  /** The addresses' counts; zero where a slot is free. */
  #counts = new Uint16Array(FIRST_CAPACITY);
  /** The addresses' notes; zero where there is none. */
  #notes = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  /** @param seed 32 bits that are secret, so that nobody can choose addresses that collide in one slot */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** How many addresses have a count. */
  get size(): number {
    return this.#size;
  }

  /** Finds the slot of an address. */
  find({ high, low }: ClientAddress): number {
    const words = this.#words;
    const counts = this.#counts;
    const last = counts.length - 1;
    let slot = mix(mix(high ^ this.#seed) ^ low) & last;
    while (counts[slot] !== 0 && (words[2 * slot] !== high || words[2 * slot + 1] !== low)) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  /** Gives the count in a slot. */
  count(slot: number): number {
    return this.#counts[slot] ?? 0;
  }

  /** Sets the count of an address, in the slot that `find()` gave. */
  set(slot: number, address: ClientAddress, count: number): void {
    const added = this.#counts[slot] === 0;
    this.#words[2 * slot] = address.high;
    this.#words[2 * slot + 1] = address.low;
    this.#counts[slot] = count;
    if (!added) return;
    this.#size++;
    if (2 * this.#size > this.#counts.length) this.#rebuild(2 * this.#counts.length, 0);
  }

  /** Gives a number that `make` makes of the address, and keeps it while the address has a count. */
  note(slot: number, make: (address: ClientAddress) => number): number {
    const noted = this.#notes[slot];
    if (noted) return noted;
    return this.#notes[slot] = make(this.#addressAt(slot));
  }

  /** Gives the slots of the `size` addresses whose counts are larger than `count`. */
  above(count: number, size: number): number[] {
    const slots: number[] = [];
    for (let slot = 0; slots.length < size; slot++) {
      if (this.count(slot) > count) slots.push(slot);
    }
    return slots;
  }

  /** Forgets the addresses whose counts are at most `count`. */
  forget(count: number): void {
    this.#rebuild(this.#counts.length, count);
  }

  #addressAt(slot: number): ClientAddress {
    return { high: this.#words[2 * slot] ?? 0, low: this.#words[2 * slot + 1] ?? 0 };
  }

  /** Moves the addresses whose counts are larger than `forgotten` to new arrays. */
  #rebuild(capacity: number, forgotten: number): void {
    const [words, counts, notes] = [this.#words, this.#counts, this.#notes];
    this.#words = new Uint32Array(2 * capacity);
    this.#counts = new Uint16Array(capacity);
    this.#notes = new Float64Array(capacity);
    this.#size = 0;
    for (let old = 0; old < counts.length; old++) {
      const count = counts[old] ?? 0;
      if (count <= forgotten) continue;
      const address = { high: words[2 * old] ?? 0, low: words[2 * old + 1] ?? 0 };
      const slot = this.find(address);
      this.set(slot, address, count);
      this.#notes[slot] = notes[old] ?? 0;
    }
  }
}

/** Mixes 32 bits so that similar inputs give different outputs: the last step of MurmurHash3. */
function mix(bits: number): number {
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return bits ^ bits >>> 16;
}
