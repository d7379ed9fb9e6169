/** Counts the answers that are under way, so that a stop of the process can wait for them. @module */

/**
 * The answers that are not finished. Only their number is stored, because a stored promise would take a kilobyte for
 * each answer.
 */
export class InFlight {
  /**
   * The answers that began after the last call of `settled()`: how many of them are open, and the function that ends
   * the wait for them.
   */
  #group: { open: number; settle?: () => void } = { open: 0 };

  /** Counts an answer until it settles. Returns the answer itself. */
  track<T>(answer: T | Promise<T>): T | Promise<T> {
    if (!(answer instanceof Promise)) return answer;
    const group = this.#group;
    group.open++;
    const end = () => {
      group.open--;
      if (group.open === 0) group.settle?.();
    };
    answer.then(end, end);
    return answer;
  }

  /**
   * Resolves when the answers that are running now have settled. A second call waits only for answers that began after
   * the first call.
   */
  async settled(): Promise<void> {
    const group = this.#group;
    this.#group = { open: 0 };
    if (group.open > 0) await new Promise<void>((settle) => group.settle = settle);
  }
}
