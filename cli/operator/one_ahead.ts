/**
 * Yields what is given, in its order, and has the next one made while the last one is being worked on:
 * the service then need not wait for the command to read and sort.
 */
export async function* oneAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const take = () => {
    const next = iterator.next();
    // A failure is told when it is the next one's turn.
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
