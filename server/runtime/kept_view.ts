import type { Repeat, Repeating } from "./repeat.ts";

/** What was last read of something, in memory. */
export interface KeptView<T> extends Repeating {
  get: () => T;
}

/** The interval of the reads, in milliseconds. */
const REFRESH_MS = 60_000;

/**
 * Reads something on a beat. While KV does not answer, the view stays as it is.
 *
 * @param first what the view has until it was read
 */
export async function keepView<T>(
  read: () => Promise<T>,
  { first, repeat }: { first: T; repeat: Repeat },
): Promise<KeptView<T>> {
  let last = first;
  const refresh = async () => {
    last = await read().catch(() => last);
  };
  await refresh();
  return { get: () => last, ...repeat(REFRESH_MS, refresh) };
}
