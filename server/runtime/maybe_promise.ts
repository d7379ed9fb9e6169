/**
 * A value, or the promise of one. A value that needs no waiting is passed on without a promise: on the way
 * of every request, each promise costs time.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value, without waiting where it is there already. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
