/** Removes entries whose time is over from a long list. Each call works on a part of the list. @module */
import { Commit, type Key, type Kv } from "../kv/mod.ts";

/** How many entries one call of a gradual sweep reads at most. */
const SWEPT_AT_ONCE = 500;

/** Which entries a gradual sweep removes. */
interface GradualSweepOptions<T> {
  /** Selects the list of entries. */
  selector: { prefix: Key };
  /** Whether the time of an entry with this value is over. @param at the present moment, a date-time */
  isOver: (value: T, at: string) => boolean;
}

/**
 * Makes the function that removes entries whose time is over. Each call works on some entries only, so that sign-ups do
 * not wait for long. An entry that cannot be read stays.
 */
export function createGradualSweep<T>(
  kv: Kv,
  { selector, isOver }: GradualSweepOptions<T>,
): (now: number) => Promise<void> {
  /** The key after which the next call goes on; `undefined` if the next call begins with the first entry. */
  let after: Key | undefined;
  return async (now) => {
    const remaining = { ...selector, ...after && { after } };
    const entries = await kv.list<T>(remaining, { limit: SWEPT_AT_ONCE });
    const at = new Date(now).toISOString();
    const endedEntries = entries.flatMap((entry) =>
      "fault" in entry || !isOver(entry.value, at) ? [] : [entry]
    );
    while (endedEntries.length > 0) {
      const batch = endedEntries.splice(0, kv.traits.checksPerCommit);
      const commit = new Commit().check(...batch);
      for (const { key } of batch) commit.delete(key);
      // If one entry of the batch has changed since it was read, the commit removes no entry of the batch. A later call
      // tries again.
      await kv.commit(commit);
    }
    const hasListEnded = entries.length < SWEPT_AT_ONCE;
    after = hasListEnded ? undefined : entries.at(-1)!.key;
  };
}
