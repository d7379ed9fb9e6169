/**
 * Erases people whose time to confirm is over; not for a day after the clock has jumped, as a clock that is days ahead
 * for a minute would erase people who still have time.
 *
 * @module
 */
import { type Runtime, watchJumps } from "../../runtime/mod.ts";
import { EXPIRY_CLOCK, type OpenKv, withKvDeadline } from "../kv/mod.ts";
import { expirePeople } from "./expire.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
export { startSweep } from "./sweep.ts";

const EXPIRY_MS = 60_000;

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** What the clock said when people were last erased, for a process that starts; milliseconds since 1970. */
export interface ExpiryClock {
  at: number;
  /** Nobody is erased before, as the clock had jumped. */
  heldUntil: number;
}

/** `days` is `UNCONFIRMED_DAYS`. */
export function startExpiry(
  days: number,
  options: OpenKv & Omit<Runtime, "random"> & { outbox: OutboxOptions },
) {
  const { kv, engine, now, monotonic, log, repeat, outbox } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const cursor = {};
  const jumpOf = watchJumps(options, HOUR);
  let isStart = true;
  /** On the monotonic clock. */
  let heldUntil = monotonic();

  /** Whether the clock has been right for a day, as far as this process and the last one can know. */
  async function isTrusted(at: number): Promise<boolean> {
    // Read first, so that a jump is not lost where KV does not answer.
    const last = isStart
      ? (await withKvDeadline(kv, () => kv.get<ExpiryClock>(EXPIRY_CLOCK))).value
      : null;
    isStart = false;
    let jump = jumpOf();
    if (last) {
      heldUntil = monotonic() + Math.min(last.heldUntil - at, DAY);
      const since = at - last.at;
      // The service may have been off for a while; a clock that is a day ahead erases a day too early at most.
      if (since < -HOUR || since > DAY) jump = since;
    }
    if (jump !== 0) {
      heldUntil = monotonic() + DAY;
      log.warn("unconfirmed people are kept for a day, as the clock has jumped", {
        hours: Math.round(jump / HOUR),
      });
    }
    const clock: ExpiryClock = { at, heldUntil: at + heldUntil - monotonic() };
    await withKvDeadline(kv, () => kv.set(EXPIRY_CLOCK, clock));
    return monotonic() >= heldUntil;
  }

  async function run(): Promise<void> {
    try {
      // Read before the clock is looked at, so that it has not jumped since.
      const at = now();
      if (!await isTrusted(at)) return;
      const people = await expirePeople({ kv, engine }, { days, now: at, outbox, cursor, signal });
      if (people > 0) log.info("unconfirmed people were erased", { people });
    } catch (error) {
      if (signal.aborted) return;
      log.warn("unconfirmed people are erased later, as KV did not answer", {
        error: (error as Error).message,
      });
    }
  }

  const work = repeat(EXPIRY_MS, run);
  return {
    run,
    close() {
      stopping.abort();
      return work.close();
    },
  };
}
