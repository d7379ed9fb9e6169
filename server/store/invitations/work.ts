/**
 * Works on the waves that are running, as every process does: each wave is claimed with a lease, so that a process that
 * is killed delays it and never loses it. @module
 */
import { base64url } from "jose";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { changeEntry, OPEN_WAVES, openWaveKey, pages } from "../kv/mod.ts";
import { CLAIM_MS, type InvitationOptions, type WaveClaim, workOnWave } from "./invite.ts";

/** How often a process looks for waves, in milliseconds. */
const LOOK_MS = 5_000;

export type WaveWork = ReturnType<typeof startWaves>;

export function startWaves(
  options: InvitationOptions & Pick<Runtime, "log" | "repeat"> & { yieldToCalls: YieldToCalls },
) {
  const { kv, now, random, log, repeat, yieldToCalls } = options;
  const by = base64url.encode(random(9));
  const runs = new Map<string, AsyncGenerator<void>>();
  let isStopped = false;

  const claim = (id: string) =>
    changeEntry<WaveClaim, boolean>(kv, openWaveKey(id), (claim) => {
      const until = now() + CLAIM_MS;
      // A claim from the future was made by a clock that was wrong.
      const isFree = claim && (claim.by === by || claim.until <= now() || claim.until > until);
      return isFree ? { to: { by, until }, result: true } : { result: false };
    });

  /** Makes the next commit of a wave, unless another process works on it; gives whether there is more to do. */
  async function step(id: string): Promise<boolean> {
    if (!runs.has(id)) {
      if (!await claim(id)) return false;
      runs.set(id, workOnWave(options, id, by));
    }
    try {
      const { done } = await runs.get(id)!.next();
      if (!done) return true;
    } catch (error) {
      // Where its outcome is unknown, the wave's entry tells the next try.
      log.warn("a wave goes on later, as KV did not answer", { error: (error as Error).message });
    }
    runs.delete(id);
    return false;
  }

  /** Makes commits for all waves in turn, until there is nothing to do for this process. */
  async function run(): Promise<void> {
    try {
      const ids: string[] = [];
      for await (const open of pages(kv, OPEN_WAVES)) {
        ids.push(...open.map(({ key }) => String(key[1])));
      }
      const open = new Set(ids);
      while (open.size > 0 && !isStopped) {
        for (const id of open) {
          if (isStopped || !await step(id)) open.delete(id);
          await yieldToCalls();
        }
      }
    } catch (error) {
      if (isStopped) return;
      log.warn("waves wait, as KV did not answer", { error: (error as Error).message });
    }
  }

  let running: Promise<void> | undefined;
  const runOnce = () => running ??= run().finally(() => running = undefined);
  const work = repeat(LOOK_MS, runOnce);
  return {
    step,
    run: runOnce,
    /** Goes on with the waves without waiting for the next look. */
    wake: () => void runOnce(),
    /** Ends the work after the commit that is under way; other processes go on with it. */
    async close(): Promise<void> {
      isStopped = true;
      await running;
      await work.close();
    },
  };
}
