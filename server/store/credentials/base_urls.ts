/**
 * The processes of one store tell each other their `BASE_URL`s: each process writes its `BASE_URL` to an entry of its
 * own in KV. A token names the `BASE_URL` of the process that made it, and a process with another `BASE_URL` refuses
 * the token, so all processes need the same `BASE_URL`. @module
 */
import { createRandomIds, HOUR, MINUTE, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { BASE_URLS, baseUrlKey, Commit, type Entry, type Kv } from "../kv/mod.ts";

/** The time between two checks, in milliseconds. Each check also writes the entry of this process again. */
const CHECK_MS = MINUTE;

/** The time between two log lines about the same fault, in milliseconds. */
const LOG_MS = HOUR;

/** A process still counts as running after this number of checks without a renewal of its entry. */
const RUNNING_CHECKS = 2;

/** The number of checks without a renewal after which an entry is removed, because its process has ended. */
const ENDED_CHECKS = 5;

/** How many entries, and so how many processes, a check reads at most. */
const MAX_ENTRIES = 100;

/** What the checks so far have shown about a process that uses the store. */
interface StoreProcess {
  /** The version of the entry of the process at the last check. */
  version: string;
  /** The number of checks since the entry was last renewed. */
  checksSinceRenewal: number;
  /** Whether a check has noticed a recent renewal, which shows that the process runs. */
  isRunning: boolean;
}

/** The processes that use the store, by the text of the KV key of each process's entry. */
type StoreProcesses = ReadonlyMap<string, StoreProcess>;

/** The watch of the `BASE_URL`s of all processes. */
export interface BaseUrlWatch extends Repeating {
  /** A sentence about the different `BASE_URL`s; `undefined` if all running processes have the same `BASE_URL`. */
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
  /** The processes of the last check, this process included. */
  let processes: StoreProcesses = new Map();
  /** The `BASE_URL`s of other running processes that differ from the `BASE_URL` of this process. */
  let otherUrls: string[] = [];
  /** When the last log line was written, on the monotonic clock. */
  let loggedAt = -Infinity;

  /**
   * Reads the entries of all processes, renews the entry of this process, and removes the entries of ended processes.
   */
  async function exchangeUrls(): Promise<void> {
    const entries = (await kv.list<string>(BASE_URLS, { limit: MAX_ENTRIES }))
      .filter((entry): entry is Entry<string> => !("fault" in entry));
    processes = withEntries(processes, entries);
    const processOf = ({ key }: Entry<string>) => processes.get(String(key))!;
    const runningUrls = entries.filter((entry) => processOf(entry).isRunning)
      .map(({ value }) => value);
    otherUrls = [...new Set(runningUrls)].filter((url) => url !== baseUrl).sort();

    const commit = new Commit().set(ownKey, baseUrl);
    for (const entry of entries) {
      if (processOf(entry).checksSinceRenewal >= ENDED_CHECKS) commit.delete(entry.key);
    }
    await kv.commit(commit);
  }

  const warning = () => {
    if (otherUrls.length === 0) return undefined;
    const urls = otherUrls.join(" and ");
    return `Other processes of the same store have the BASE_URL ${urls}, and this process has ${baseUrl}. A process ` +
      "refuses a token that a process with another BASE_URL has issued. Give all processes the same BASE_URL";
  };

  async function check(): Promise<void> {
    // Keeps the result of the last check if KV does not answer.
    await exchangeUrls().catch(() => {});
    const error = warning();
    if (!error || monotonic() - loggedAt < LOG_MS) return;
    loggedAt = monotonic();
    log.warn("processes of one store have different BASE_URLs", { error });
  }

  await check();
  const checks = repeat(CHECK_MS, check);
  return {
    warning,
    async close() {
      await checks.close();
      // Ignores an error, because another process will remove the entry later.
      await kv.commit(new Commit().delete(ownKey)).catch(() => {});
    },
  };
}

/** Gives what all checks so far have shown: adds the entries of a new check to what the earlier checks have shown. */
function withEntries(earlierProcesses: StoreProcesses, entries: Entry<string>[]): StoreProcesses {
  return new Map(entries.map(({ key, version }) => {
    const earlier = earlierProcesses.get(String(key));
    const isRenewed = earlier?.version !== version;
    const checksSinceRenewal = isRenewed ? 0 : earlier.checksSinceRenewal + 1;
    // The first check of an entry shows no renewal, because the process may have ended long ago.
    const isRunning = earlier !== undefined &&
      (isRenewed || earlier.isRunning && checksSinceRenewal <= RUNNING_CHECKS);
    return [String(key), { version, checksSinceRenewal, isRunning }];
  }));
}
