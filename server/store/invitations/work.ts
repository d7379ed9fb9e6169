/** Works on the running waves in every process; a lease on each lets a killed process delay it, not lose it. @module */
import { base64url } from "jose";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { changeEntry, type Kv, OPEN_WAVES, openWaveKey, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { CLAIM_MS, type WaveClaim, workOnWave } from "./invite.ts";

/** How often a process looks for waves, in milliseconds. */
const LOOK_MS = 5_000;

export type WaveWork = ReturnType<typeof startWaves>;

export function startWaves(
  { kv, runtime, outbox, yieldToCalls }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "random" | "log" | "repeat">;
    outbox: OutboxOptions;
    yieldToCalls: YieldToCalls;
  },
) {
  const { now, random, log, repeat } = runtime;
  const by = base64url.encode(random(9));
  const runs = new Map<string, { work: AsyncGenerator<void>; claimedAt: number }>();
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;

  const claim = (kv: Kv, id: string) =>
    changeEntry<WaveClaim, boolean>(kv, openWaveKey(id), (claim) => {
      const until = now() + CLAIM_MS;
      // A claim from the future was made by a clock that was wrong.
      const isFree = claim && (claim.by === by || claim.until <= now() || claim.until > until);
      return isFree ? { to: { by, until }, result: true } : { result: false };
    });

  /**
   * Makes the next commit of a wave, unless another process works on it; gives whether there is more to do.
   * @param callKv the KV of the call that waits for the commit
   */
  async function step(id: string, callKv: Kv = kv): Promise<boolean> {
    try {
      const begin = () => workOnWave({ kv: callKv, now, random, outbox }, id, by);
      const run = runs.get(id) ?? { work: begin(), claimedAt: -Infinity };
      // Commits renew the claim, too; but a wave can read for long, and find nobody.
      const isOld = Math.abs(now() - run.claimedAt) >= CLAIM_MS / 3;
      if (!isOld || await claim(callKv, id)) {
        runs.set(id, isOld ? { ...run, claimedAt: now() } : run);
        if (!(await run.work.next()).done) return true;
      }
    } catch (error) {
      // Where its outcome is unknown, the wave's entry tells the next try.
      log.warn("a wave goes on later, as work on it failed", { error: (error as Error).message });
    }
    runs.delete(id);
    return false;
  }

  /** Makes commits for all waves in turn, until there is nothing to do for this process. */
  async function run(): Promise<void> {
    try {
      const open = new Set<string>();
      isWoken = true;
      while ((isWoken || open.size > 0) && !isStopped) {
        // Who wakes this run has begun or resumed a wave.
        const entries = isWoken ? pages(kv, OPEN_WAVES) : [];
        isWoken = false;
        for await (const page of entries) for (const { key } of page) open.add(String(key[1]));
        for (const id of open) {
          if (isStopped || !await step(id)) open.delete(id);
          await yieldToCalls();
        }
      }
    } catch (error) {
      if (isStopped) return;
      const { message } = error as Error;
      log.warn("waves wait, as the list of open waves was not read", { error: message });
    } finally {
      running = undefined;
    }
  }

  const runOnce = () => running ??= run();
  const work = repeat(LOOK_MS, runOnce);
  return {
    step,
    run: runOnce,
    /** Goes on with the waves without waiting for the next look. */
    wake() {
      isWoken = true;
      void runOnce();
    },
    /** Ends the work after the commit that is under way; other processes go on with it. */
    async close(): Promise<void> {
      isStopped = true;
      await running;
      await work.close();
    },
  };
}
