/**
 * Sends outbox items, several at once. Each item is claimed only right before it is sent, so that other processes can
 * claim the other items, and sign-ups do not wait for many claims in KV. @module
 */
import type { Runtime } from "../../runtime/mod.ts";

/**
 * For how long after a call of `dispatch` an item of this call may still be claimed and sent, in milliseconds. After
 * that time, the dispatcher waits for the next call, which has newer items.
 */
const FRESH_MS = 1_000;

/** What {@linkcode createDispatcher} needs. */
export interface DispatcherOptions<Item, ClaimedItem> extends Pick<Runtime, "now" | "log"> {
  /** How many items are sent at once at most. */
  atOnce: number;
  /** Claims an item for this process; gives `undefined` if another process has it. */
  claim: (item: Item) => Promise<ClaimedItem | undefined>;
  /**
   * Sends an item and stores the outcome. Gives "paused" if the server accepts no other item either. Then the run of
   * `sendInTurn` that sent this item ends. Each other run ends when it gets "paused" for an item of its own.
   */
  send: (claimedItem: ClaimedItem) => Promise<"paused" | void>;
  /** Whether the process stops, so that no item begins any more. An item that is already claimed keeps its lease. */
  isStopped: () => boolean;
}

/** Sends the items that it is given. */
export interface Dispatcher<Item> {
  /**
   * Begins to send items. Items of an earlier call that have not begun are dropped; they stay in the outbox.
   *
   * @param end the moment from which no item begins any more, in milliseconds since 1970
   */
  dispatch: (items: Item[], end?: number) => void;
  /**
   * Whether no item of the last call of `dispatch` has begun, because `atOnce` items of earlier calls are being sent.
   */
  isBlocked: () => boolean;
  /** Resolves once no item is being sent. */
  settled: () => Promise<void>;
}

/** Makes a dispatcher, which has nothing to send before the first call of `dispatch`. */
export function createDispatcher<Item, ClaimedItem = Item>(
  options: DispatcherOptions<Item, ClaimedItem>,
): Dispatcher<Item> {
  const { atOnce, claim, send, now, isStopped, log } = options;
  /** The runs of `sendInTurn` that are going on. */
  const runs = new Set<Promise<void>>();
  /** The items of the last call of `dispatch` that have not begun. All runs take their items from here. */
  let waitingItems: ArrayIterator<Item> = [].values();
  /** No item of the last call of `dispatch` begins from this moment on. In milliseconds since 1970. */
  let endsAt = 0;
  /** How many items of the last call of `dispatch` have begun. */
  let begunCount = 0;

  /** Sends items one after the other. A run that began with an earlier call goes on with the items of the last call. */
  async function sendInTurn(): Promise<void> {
    while (!isStopped() && now() < endsAt) {
      const { value: item } = waitingItems.next();
      if (!item) return;
      begunCount++;
      const claimedItem = await claim(item);
      if (claimedItem && !isStopped() && await send(claimedItem) === "paused") return;
    }
  }

  return {
    dispatch(items, end = Infinity) {
      waitingItems = items.values();
      endsAt = Math.min(now() + FRESH_MS, end);
      begunCount = 0;
      const newRunCount = Math.min(atOnce - runs.size, items.length);
      for (let index = 0; index < newRunCount; index++) {
        const run: Promise<void> = sendInTurn()
          .catch((error) => {
            // An item that this run has claimed is due again when its lease ends. An item that is not claimed stays
            // due.
            log.warn(
              "could not store the new state of a letter or event, so this letter or event may be sent twice",
              { error: String(error) },
            );
          })
          .finally(() => runs.delete(run));
        runs.add(run);
      }
    },
    isBlocked: () => runs.size >= atOnce && begunCount === 0,
    async settled() {
      await Promise.all(runs);
    },
  };
}
