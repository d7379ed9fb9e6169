/**
 * Puts a value back in front of a stream, for code that has read the beginning of the stream in order to decide how to
 * read the rest.
 *
 * @module
 */

/** Yields `first`, and then the values of `others`. */
export async function* prepend<Value>(
  first: Value,
  others: AsyncIterable<Value>,
): AsyncGenerator<Value> {
  yield first;
  yield* others;
}
