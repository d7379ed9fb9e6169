import { type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";

export const LINE_FAULT_MESSAGES: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};

/**
 * Stores items in batches, one batch at a time and in their order; it gathers the next one meanwhile. Flush it at
 * the end: disposing of it alone stores only the full batches.
 */
export function createBatchWriter<Item>(size: number, store: (items: Item[]) => Promise<void>) {
  let items: Item[] = [];
  let storing = Promise.resolve();

  async function storeItems(): Promise<void> {
    await storing;
    storing = store(items);
    // The next call of `add` or `flush` rejects with this error.
    storing.catch(() => {});
    items = [];
  }

  return {
    /** Adds an item. Await the promise, if there is one, before the next item. */
    add(item: Item): Promise<void> | undefined {
      items.push(item);
      if (items.length === size) return storeItems();
    },
    async flush(): Promise<void> {
      await storeItems();
      await storing;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await storing.catch(() => {});
    },
  };
}
