import { type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";

export const LINE_FAULT_MESSAGES: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};

/**
 * Stores items in batches, one batch at a time and in their order; it gathers the next one meanwhile. Flush it at
 * the end: `dispose` alone stores only the full batches.
 */
export class BatchWriter<Item> implements AsyncDisposable {
  readonly #size: number;
  readonly #store: (items: Item[]) => Promise<void>;
  #items: Item[] = [];
  #storing = Promise.resolve();

  constructor(size: number, store: (items: Item[]) => Promise<void>) {
    this.#size = size;
    this.#store = store;
  }

  /** Adds an item. Await the promise, if there is one, before the next item. */
  add(item: Item): Promise<void> | undefined {
    this.#items.push(item);
    if (this.#items.length === this.#size) return this.#storeItems();
  }

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
    // The next call of `add` or `flush` rejects with this error.
    this.#storing.catch(() => {});
    this.#items = [];
  }
}
