import type { Log } from "../log.ts";
import { type KeyRing, REREAD_MS } from "../oauth/key_ring.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import type { Repeat, Repeating } from "./repeat.ts";
import { readRootKeys } from "./root_keys.ts";

/** What the readings are made with. */
export interface RootKeyReadingsOptions {
  repeat: Repeat;
  log: Log;
}

/**
 * Reads the root keys every 20 s into the ring, so that it knows a new key before it signs. A reading
 * that fails leaves the ring as it is, and says so in the log.
 */
export function keepReadingRootKeys(
  kv: Deno.Kv,
  ring: KeyRing,
  { repeat, log }: RootKeyReadingsOptions,
): Repeating {
  return repeat(REREAD_MS, async () => {
    try {
      ring.replace(await withDeadline(DEADLINE_MS, () => readRootKeys(kv)));
    } catch (error) {
      const { message } = error as Error;
      log.warn("signing keys stay as they are, as they could not be read again", {
        error: message,
      });
    }
  });
}
