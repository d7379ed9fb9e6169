/** Sends items, each claimed in its turn: other processes take the rest, and claims keep no sign-up waiting. @module */
import type { Runtime } from "../../runtime/mod.ts";

/** How long items that were given are used, in milliseconds: until the next ones are given. */
const USE_MS = 1_000;

export interface DispatcherOptions<Entry> extends Pick<Runtime, "now" | "log"> {
  atOnce: number;
  /** Gives the item as it is then; `undefined` where another process has it. */
  claim: (entry: Entry) => Promise<Entry | undefined>;
  /** Sends an item and writes what became of it; tells where no other is accepted either. */
  send: (entry: Entry) => Promise<"paused" | void>;
  isStopped: () => boolean;
}

export function createDispatcher<Entry>(options: DispatcherOptions<Entry>) {
  const { atOnce, claim, send, now, isStopped, log } = options;
  const running = new Set<Promise<void>>();
  let left = new Array<Entry>().values();
  let until = 0;
  let begun = 0;

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
    /** Begins to send items, in the place of those that are left; none `before` or later, milliseconds since 1970. */
    dispatch(entries: Entry[], before = Infinity): void {
      left = entries.values();
      until = Math.min(now() + USE_MS, before);
      begun = 0;
      const room = Math.min(atOnce - running.size, entries.length);
      for (let n = 0; n < room; n++) {
        const run: Promise<void> = sendInTurn()
          .catch((error) => {
            // The lease ends, and the item is tried again.
            const fields = { error: String(error) };
            log.warn("an outbox item stays claimed, as KV did not answer", fields);
          })
          .finally(() => running.delete(run));
        running.add(run);
      }
    },
    /** Whether nothing has come to its end since the last items were given, and there is no room for more. */
    isBlocked: () => running.size >= atOnce && begun === 0,
    async settled(): Promise<void> {
      await Promise.all(running);
    },
  };
}
