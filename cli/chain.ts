/**
 * Puts a value back in front of a stream from which it was taken, for readers that look at the beginning of a stream first.
 *
 * @module
 */

/** Yields a value, and then the other values. */
export async function* chain<Value>(
  first: Value,
  others: AsyncIterable<Value>,
): AsyncGenerator<Value> {
  yield first;
  yield* others;
}
