/** Values that may be promises. A plain value saves the time that a promise costs. @module */

/** A value, or a promise of the value if it has to be awaited. */
export type MaybePromise<T> = T | Promise<T>;

/** Applies a function to a value, or to the value that a promise resolves to. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  apply: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(apply) : apply(value);
}
