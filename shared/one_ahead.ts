/**
 * Yields the given items in the same order, and already fetches the next item while the caller works on the present
 * one.
 */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const take = () => {
    const next = iterator.next();
    // If fetching the item fails, the error is thrown when the caller asks for the item. Until then, the error must not
    // count as an unhandled rejection.
    next.catch(() => {});
    return next;
  };
  try {
    let next = take();
    while (true) {
      const { value, done } = await next;
      if (done) return;
      next = take();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
