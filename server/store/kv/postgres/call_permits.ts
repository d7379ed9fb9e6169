/**
 * Permits that limit how many calls do the same thing at a time. The waiting call that came first gets the next permit.
 * @module
 */
import { WaitingList } from "./waiting_list.ts";

export class CallPermits {
  #free: number;
  readonly #waiting = new WaitingList<void>();

  /** @param count how many calls may have a permit at a time */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits until the call has a permit. The call must give the permit back by `leave()`.
   * @throws the reason of the signal if the signal aborts first; the call then has no permit
   */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await this.#waiting.wait(signal);
  }

  /** Gives a permit back. The call that has waited the longest gets it at once. */
  leave(): void {
    if (!this.#waiting.wakeFirst()) this.#free++;
  }
}
