/**
 * The processes of one store tell each other their `BASE_URL`: each process writes it to an entry of its own in KV. A
 * token names the `BASE_URL` of the process that made it, and a process with another `BASE_URL` refuses the token, so
 * all processes need the same `BASE_URL`. @module
 */
import { createRandomIds, HOUR, MINUTE, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { BASE_URLS, baseUrlKey, Commit, type Entry, type Kv } from "../kv/mod.ts";

/** The time between two checks, in milliseconds. Each check also writes the entry of this process again. */
const CHECK_MS = MINUTE;

/** The time between two log lines about the same fault, in milliseconds. */
const LOG_MS = HOUR;

/** A process counts as running until more than this many checks have passed without a renewal of its entry. */
const RUNNING_CHECKS = 2;

/** After how many checks without a renewal an entry is removed, because its process has ended. */
const ENDED_CHECKS = 5;

/** How many entries a check reads at most. */
const MAX_ENTRIES = 100;

/** A process that uses the store, and what the renewals of its entry have shown about it. */
interface StoreProcess {
  /** The version of the entry at the last check. */
  version: string;
  /** The number of checks since the entry was last renewed. */
  checks: number;
  /** Whether a check has noticed a recent renewal, which shows that the process runs. */
  isRunning: boolean;
}

/** The watch of the `BASE_URL`s of all processes. */
export interface BaseUrlWatch extends Repeating {
  /** A sentence about the different `BASE_URL`s; `undefined` if all running processes have the same. */
  warning: () => string | undefined;
}

/** Renews the entry of this process, and finds running processes with another `BASE_URL`. */
export async function watchBaseUrls(
  { baseUrl, kv, runtime: { random, monotonic, log, repeat } }: {
    baseUrl: string;
    kv: Kv;
    runtime: Pick<Runtime, "random" | "monotonic" | "log" | "repeat">;
  },
): Promise<BaseUrlWatch> {
  const ownKey = baseUrlKey(createRandomIds({ length: 16, random })());
  /** The processes of the last check, this process included, by the keys of their entries. */
  let processes = new Map<string, StoreProcess>();
  let otherUrls: string[] = [];
  let loggedAt = -Infinity;

  async function readOthers(): Promise<void> {
    const entries = (await kv.list<string>(BASE_URLS, { limit: MAX_ENTRIES }))
      .filter((entry): entry is Entry<string> => !("fault" in entry));
    const before = processes;
    processes = new Map(entries.map(({ key, version }) => {
      const last = before.get(String(key));
      const checks = last?.version === version ? last.checks + 1 : 0;
      const isRunning = last !== undefined &&
        (checks === 0 || last.isRunning && checks <= RUNNING_CHECKS);
      return [String(key), { version, checks, isRunning }];
    }));
    const commit = new Commit().set(ownKey, baseUrl);
    const urls = new Set<string>();
    for (const { key, value } of entries) {
      const { isRunning, checks } = processes.get(String(key))!;
      if (isRunning && value !== baseUrl) urls.add(value);
      if (checks >= ENDED_CHECKS) commit.delete(key);
    }
    otherUrls = [...urls].sort();
    await kv.commit(commit);
  }

  const warning = () => {
    if (otherUrls.length === 0) return undefined;
    const urls = otherUrls.join(" and ");
    return `Other processes of the same store have the BASE_URL ${urls}, and this one has ` +
      `${baseUrl}. Tokens of one are refused by the other: give all processes the same BASE_URL`;
  };

  async function check(): Promise<void> {
    // Keeps the result of the last check if KV does not answer.
    await readOthers().catch(() => {});
    const fault = warning();
    if (!fault || monotonic() - loggedAt < LOG_MS) return;
    loggedAt = monotonic();
    log.warn("processes of one store have different BASE_URLs", { error: fault });
  }

  await check();
  const checks = repeat(CHECK_MS, check);
  return {
    warning,
    async close() {
      await checks.close();
      // Ignores an error, because another process removes the entry later.
      await kv.commit(new Commit().delete(ownKey)).catch(() => {});
    },
  };
}
