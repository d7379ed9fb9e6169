/** Names the counts of a process, window and limit. */
export interface LimitCountsName {
  /** Minutes since 1970. It is in the key, as an expired value may stay readable for some time. */
  window: number;
  processId: string;
  limit: string;
}

/** One process's counts of one limit in a window. */
export function limitCountsKey({ window, processId, limit }: LimitCountsName): Deno.KvKey {
  return ["limit_counts", window, processId, limit];
}

/** Selects all processes' counts of a window. */
export function limitCountsSelector(window: number): Deno.KvListSelector {
  return { prefix: ["limit_counts", window] };
}

/** Selects all counts that no process needs any more: those from before the last window. */
export function pastLimitCountsSelector(now: number): Deno.KvListSelector {
  return { prefix: ["limit_counts"], end: ["limit_counts", Math.floor(now / 60_000) - 1] };
}

/** Gives the name in a key of {@linkcode limitCountsSelector}. */
export function limitCountsOf(key: Deno.KvKey): LimitCountsName {
  const [, window, processId, limit] = key as [string, number, string, string];
  return { window, processId, limit };
}
