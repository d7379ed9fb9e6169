/**
 * A value that is there at once, or later. What needs no waiting goes without a promise on the way of
 * every request, where each costs time.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there. */
export function whenThere<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
