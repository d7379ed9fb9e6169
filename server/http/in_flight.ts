/** Answers that are under way, so that a service that stops can let their requests arrive whole. */
export class InFlight {
  readonly #answers = new Set<Promise<unknown>>();

  /** Passes an answer on, and remembers it until it is there. */
  track<T>(answer: T | Promise<T>): T | Promise<T> {
    if (!(answer instanceof Promise)) return answer;
    this.#answers.add(answer);
    const forget = () => this.#answers.delete(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Resolves when the answers that are under way now are there; later ones are not waited for. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#answers);
  }
}
