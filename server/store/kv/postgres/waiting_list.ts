/** Lets calls wait for something that another call gives back, such as a connection. @module */

/** The waiting calls, in the order in which they came. `T` is what a waiting call gets when it is woken. */
export class WaitingList<T> {
  /** The functions that wake the waiting calls. */
  readonly #wakers: ((value: T) => void)[] = [];

  /**
   * Waits until `wakeFirst()` or `wakeAll()` wakes this call, and resolves with the value that the waking call passes
   * on.
   * @throws the reason of the signal if the signal aborts first
   */
  wait(signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#wakers.push(resolve);
      signal.addEventListener("abort", () => {
        const index = this.#wakers.indexOf(resolve);
        if (index >= 0) this.#wakers.splice(index, 1);
        reject(signal.reason);
      });
    });
  }

  /** Wakes the call that has waited the longest, and passes a value on to it. @returns whether there was such a call */
  wakeFirst(value: T): boolean {
    const wake = this.#wakers.shift();
    wake?.(value);
    return wake !== undefined;
  }

  /** Wakes all calls, and gives each of them the same value. */
  wakeAll(value: T): void {
    for (const wake of this.#wakers.splice(0)) wake(value);
  }
}
