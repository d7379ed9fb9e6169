/**
 * Sends outbox items, several at once. It claims each item only right before it sends it, so that other processes can
 * take the rest, and sign-ups do not wait for many claims in KV. @module
 */
import type { Runtime } from "../../runtime/mod.ts";

/**
 * For how long after a call of `dispatch` an item of this call may still be claimed and sent, in milliseconds. After
 * that time, the dispatcher waits for the next call, which has newer items.
 */
const FRESH_MS = 1_000;

export interface DispatcherOptions<Entry, Claimed> extends Pick<Runtime, "now" | "log"> {
  /** How many items are sent at once at most. */
  atOnce: number;
  /** Claims an item for this process; gives `undefined` if another process has it. */
  claim: (entry: Entry) => Promise<Claimed | undefined>;
  /** Sends an item and stores the outcome. Gives "paused" if the server accepts no other item either. */
  send: (claimed: Claimed) => Promise<"paused" | void>;
  isStopped: () => boolean;
}

export interface Dispatcher<Entry> {
  /**
   * Begins to send items. Items of an earlier call that have not begun are dropped; they stay in the outbox.
   *
   * @param before the moment from which no item begins any more, in milliseconds since 1970
   */
  dispatch: (entries: Entry[], before?: number) => void;
  /**
   * Whether as many items of earlier calls of `dispatch` are being sent as can be sent at once, so that no item of the
   * last call has begun.
   */
  isBlocked: () => boolean;
  /** Resolves once no item is being sent. */
  settled: () => Promise<void>;
}

/** Makes a dispatcher, which has nothing to send before the first call of `dispatch`. */
export function createDispatcher<Entry, Claimed>(
  options: DispatcherOptions<Entry, Claimed>,
): Dispatcher<Entry> {
  const { atOnce, claim, send, now, isStopped, log } = options;
  const running = new Set<Promise<void>>();
  /** The items of the last call of `dispatch` that have not begun. All runs take their items from here. */
  let left = new Array<Entry>().values();
  /** The moment from which no item of the last call begins any more, in milliseconds since 1970. */
  let until = 0;
  /** How many items of the last call have begun. */
  let begun = 0;

  /** Sends items one after the other. A run that began with an earlier call goes on with the items of the last call. */
  async function sendInTurn(): Promise<void> {
    while (!isStopped() && now() < until) {
      const { value: entry } = left.next();
      if (!entry) return;
      begun++;
      const claimed = await claim(entry);
      if (claimed && !isStopped() && await send(claimed) === "paused") return;
    }
  }

  return {
    dispatch(entries, before = Infinity) {
      left = entries.values();
      until = Math.min(now() + FRESH_MS, before);
      begun = 0;
      const room = Math.min(atOnce - running.size, entries.length);
      for (let n = 0; n < room; n++) {
        const run: Promise<void> = sendInTurn()
          .catch((error) => {
            // The item is due again when its lease ends.
            log.warn("could not write to the outbox; will try the letter or event again", {
              error: String(error),
            });
          })
          .finally(() => running.delete(run));
        running.add(run);
      }
    },
    isBlocked: () => running.size >= atOnce && begun === 0,
    async settled() {
      await Promise.all(running);
    },
  };
}
