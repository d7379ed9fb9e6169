import type { Log } from "../log.ts";
import { utcDay } from "../waitlist/statistics.ts";
import { Batcher } from "./batcher.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { CLIENT_USES, clientUseKey } from "./keys.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Days written in one commit; more than there are clients. */
const MAX_BATCH = 100;

/** Notes that clients were used. */
export interface ClientUses {
  /** Notes that a client has got a token; returns at once, whatever KV does. */
  note: (clientId: string) => void;
  /** Resolves when what was noted is written, or has failed to be. */
  flush: () => Promise<void>;
}

/**
 * Writes the UTC day on which a client was last used: once a day for each client and process, and in
 * the background. What KV does not take is written at the client's next use.
 */
export function recordClientUses(
  { kv, now, monotonic, log }: {
    kv: Deno.Kv;
    now: () => number;
    monotonic: () => number;
    log: Log;
  },
): ClientUses {
  /** The number of the UTC day that was noted last, by `client_id`. */
  const noted = new Map<string, number>();
  const batcher = new Batcher<[clientId: string, day: string], void>({
    async run(uses) {
      const commit = kv.atomic();
      for (const [clientId, day] of uses) commit.set(clientUseKey(clientId), day);
      await commit.commit();
    },
    maxBatch: MAX_BATCH,
    maxRunning: 1,
    maxWaiting: MAX_BATCH,
    deadlineMs: DEADLINE_MS,
    monotonic,
  });
  return {
    note(clientId) {
      const moment = now();
      // Nearly every call ends here, so the day's text is not made before.
      const dayNumber = Math.floor(moment / DAY);
      if (noted.get(clientId) === dayNumber) return;
      const written = batcher.add([clientId, utcDay(moment)]);
      if (!written) return;
      noted.set(clientId, dayNumber);
      written.catch((error) => {
        noted.delete(clientId);
        log.warn("a client's last use was not written", { error: String(error) });
      });
    },
    flush: () => batcher.flush(),
  };
}

/** The UTC days on which clients were last used, by their ids. */
export async function readClientUses(kv: Deno.Kv): Promise<Map<string, string>> {
  const entries = await withDeadline(
    DEADLINE_MS,
    () => Array.fromAsync(kv.list<string>(CLIENT_USES)),
  );
  return new Map(entries.map(({ key, value }) => [String(key[1]), value]));
}

/** The UTC day on which a client was last used; `undefined` where it never was. */
export async function readClientUse(kv: Deno.Kv, clientId: string): Promise<string | undefined> {
  const { value } = await withDeadline(DEADLINE_MS, () => kv.get<string>(clientUseKey(clientId)));
  return value ?? undefined;
}
