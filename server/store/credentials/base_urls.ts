/**
 * Processes of one store tell each other their public addresses. A token names the address of the process that has made
 * it, and a process with another address refuses it, so all must have the same. @module
 */
import { createRandomIds, HOUR, MINUTE, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { BASE_URLS, baseUrlKey, Commit, type Entry, type Kv } from "../kv/mod.ts";

/** In milliseconds: how often a process renews its entry, and how often it says the same in the log. */
const RENEW_MS = MINUTE, SAY_MS = HOUR;

/** The looks in which a living process has renewed its entry, and after which the entry of a dead one is removed. */
const LIVING_LOOKS = 2, DEAD_LOOKS = 5;

/** The most entries that a look reads. */
const MOST = 100;

interface Seen {
  version: string;
  /** The looks since it was renewed. */
  looks: number;
  /** Whether its process was seen to renew it, and so was there no long time ago. */
  isLiving: boolean;
}

export interface BaseUrlWatch extends Repeating {
  /** What is wrong with the addresses, in a sentence. */
  warning: () => string | undefined;
}

/** Renews the entry of this process, and finds living processes that have another address. */
export async function watchBaseUrls(
  { baseUrl, kv, runtime: { random, monotonic, log, repeat } }: {
    baseUrl: string;
    kv: Kv;
    runtime: Pick<Runtime, "random" | "monotonic" | "log" | "repeat">;
  },
): Promise<BaseUrlWatch> {
  const own = baseUrlKey(createRandomIds({ length: 16, random })());
  let seen = new Map<string, Seen>();
  let others: string[] = [];
  let saidAt = -Infinity;

  async function look(): Promise<void> {
    const entries = (await kv.list<string>(BASE_URLS, { limit: MOST }))
      .filter((entry): entry is Entry<string> => !("fault" in entry));
    const before = seen;
    seen = new Map(entries.map(({ key, version }) => {
      const known = before.get(String(key));
      const looks = known?.version === version ? known.looks + 1 : 0;
      const isLiving = known !== undefined &&
        (looks === 0 || known.isLiving && looks <= LIVING_LOOKS);
      return [String(key), { version, looks, isLiving }];
    }));
    const commit = new Commit().set(own, baseUrl);
    const urls = new Set<string>();
    for (const { key, value } of entries) {
      const { isLiving, looks } = seen.get(String(key))!;
      if (isLiving && value !== baseUrl) urls.add(value);
      if (looks >= DEAD_LOOKS) commit.delete(key);
    }
    others = [...urls].sort();
    await kv.commit(commit);
  }

  const warning = () => {
    if (others.length === 0) return undefined;
    return `Other processes of the same store have the BASE_URL ${
      others.join(" and ")
    }, and this one has ` +
      `${baseUrl}. Tokens of one are refused by the other: give all processes the same BASE_URL`;
  };

  async function beat(): Promise<void> {
    // While KV does not answer, what was seen last counts.
    await look().catch(() => {});
    const fault = warning();
    if (!fault || monotonic() - saidAt < SAY_MS) return;
    saidAt = monotonic();
    log.warn("processes of one store have different BASE_URLs", { error: fault });
  }
  await beat();
  const beats = repeat(RENEW_MS, beat);
  return {
    warning,
    async close() {
      await beats.close();
      // Otherwise, another process removes it later.
      await kv.commit(new Commit().delete(own)).catch(() => {});
    },
  };
}
