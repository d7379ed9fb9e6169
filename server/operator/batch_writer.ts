/**
 * Gathers what comes one by one and stores it in writer: one is being stored while the next is gathered,
 * never two, so that what comes later is stored later. It has to be flushed at the end; what is disposed
 * of before keeps the writer that were full.
 */
export class BatchWriter<Item> implements AsyncDisposable {
  readonly #size: number;
  readonly #store: (items: Item[]) => Promise<void>;
  #items: Item[] = [];
  #storing = Promise.resolve();

  /** @param size items that are stored together */
  constructor(size: number, store: (items: Item[]) => Promise<void>) {
    this.#size = size;
    this.#store = store;
  }

  /** Adds an item; a promise is to be awaited before the next one, and rejects as storing does. */
  add(item: Item): Promise<void> | undefined {
    this.#items.push(item);
    if (this.#items.length === this.#size) return this.#storeItems();
  }

  /** Stores the rest; resolves once all is stored. */
  async flush(): Promise<void> {
    await this.#storeItems();
    await this.#storing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storing.catch(() => {});
  }

  async #storeItems(): Promise<void> {
    await this.#storing;
    this.#storing = this.#store(this.#items);
    // Whoever adds or flushes next is told of it.
    this.#storing.catch(() => {});
    this.#items = [];
  }
}
