/** Yields items in their order, and makes the next one while the last one is worked on. */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const take = () => {
    const next = iterator.next();
    // A failure is thrown when this item is due, not before.
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
