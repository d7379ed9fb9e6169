/** A set of hashes that needs little memory, for the hashes of all addresses on the list. @module */

/** A set of numbers from 1 to 2^32 - 1, in 6 to 12 bytes each. */
export class HashSet {
  /**
   * A table of hashes with open addressing, in which 0 is a free place. Its length is a power of two, and at least a
   * third of its places stay free.
   */
  #table = new Uint32Array(1024);
  #count = 0;

  has(hash: number): boolean {
    return this.#table[this.#find(hash)] !== 0;
  }

  add(hash: number): void {
    const place = this.#find(hash);
    if (this.#table[place] !== 0) return;
    this.#table[place] = hash;
    this.#count++;
    if (this.#count * 3 < this.#table.length * 2) return;
    this.#doubleTable();
  }

  #doubleTable(): void {
    const fullTable = this.#table;
    this.#table = new Uint32Array(2 * fullTable.length);
    for (const hash of fullTable) if (hash !== 0) this.#table[this.#find(hash)] = hash;
  }

  /**
   * Gives the index of a hash in the table or, if the table does not have the hash, the index at which it can be added.
   */
  #find(hash: number): number {
    const lastPlace = this.#table.length - 1;
    // The bits of `lastPlace` are all 1, so `&` gives the remainder of a division by the length of the table.
    let place = hash & lastPlace;
    while (this.#table[place] !== 0 && this.#table[place] !== hash) place = place + 1 & lastPlace;
    return place;
  }
}
