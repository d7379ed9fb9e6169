/**
 * A value that is there at once, or later. What needs no waiting goes without a promise on the way of
 * every request, where each costs time.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
