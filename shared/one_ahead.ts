/** Yields the items in their order. It fetches the next item while the caller works on the present one. */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const take = () => {
    const next = iterator.next();
    // The failure of an item is thrown when the caller asks for the item. Until then it must not count as unhandled.
    next.catch(() => {});
    return next;
  };
  try {
    for (let next = take();;) {
      const { value, done } = await next;
      if (done) return;
      next = take();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
