/** Answers that are waited for together. */
interface Group {
  /** How many are still under way. */
  open: number;
  /** Called when none is any more. */
  settle?: () => void;
}

/**
 * Knows of answers that are under way, so that a service that stops can let their requests arrive whole.
 *
 * They are counted, not kept: a set of their promises leaves a trail of old tables, with which V8's quick
 * collections keep a kilobyte for each request that waited for KV.
 */
export class InFlight {
  #group: Group = { open: 0 };

  /** Passes an answer on, and counts it until it is there. */
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
   * Resolves when the answers that are under way now are there; later ones are not waited for. It is
   * called once: a second call would wait for those since the first.
   */
  async settled(): Promise<void> {
    const group = this.#group;
    this.#group = { open: 0 };
    if (group.open > 0) await new Promise<void>((settle) => group.settle = settle);
  }
}
