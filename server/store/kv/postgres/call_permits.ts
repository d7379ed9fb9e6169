/** Permits that limit how many calls do the same thing at a time. @module */
import { WaitingList } from "./waiting_list.ts";

/** A fixed number of permits. The call that has waited the longest gets the next free permit. */
export class CallPermits {
  #free: number;
  readonly #waiting = new WaitingList<void>();

  /** @param count how many calls may have a permit at a time */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits until the call has a permit. The call must return the permit by `giveBack()`.
   * @throws the reason of the signal if the signal aborts first; the call then has no permit
   */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await this.#waiting.wait(signal);
  }

  /** Returns a permit. The call that has waited the longest gets the permit at once. */
  giveBack(): void {
    if (!this.#waiting.wakeFirst()) this.#free++;
  }
}
