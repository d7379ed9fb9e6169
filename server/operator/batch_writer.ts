import { type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";

/** What is said of a line that could not be read. */
export const LINE_FAULTS: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};

/**
 * Gathers items that come one by one and stores them in batches: one batch is stored while the next one is
 * gathered, never two, so that what comes later is stored later. It has to be flushed at the end; where it
 * is disposed of before, only the full batches are stored.
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
