/**
 * Works on the running waves, in every process. A process claims a wave for a limited time, so that only one process at
 * a time works on it, and so that a killed process delays a wave and loses nothing. `invite.ts` works on a single
 * wave. @module
 */
import { base64url } from "jose";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { changeEntry, type Kv, nameOf, OPEN_WAVES, openWaveKey, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { workOnWave } from "./invite.ts";
import { CLAIM_MS, type WaveClaim } from "./wave_commits.ts";

/** The time between two reads of the list of running waves, in milliseconds. */
const POLL_MS = 5_000;

/** The age at which this process renews its claim of a wave, in milliseconds; far less than the length of a claim. */
const RENEW_MS = CLAIM_MS / 3;

/** The number of random bytes in the id of a process. */
const PROCESS_ID_BYTES = 9;

/** The work of this process on waves. */
export interface WaveWork {
  /**
   * Makes the next commit of a wave, unless another process works on the wave.
   * @param callKv the KV of the call that waits for the commit
   * @returns whether the wave needs further commits
   */
  makeCommit: (id: string, callKv?: Kv) => Promise<boolean>;
  /** Makes one commit for each running wave, again and again, until no wave needs this process any more. */
  run: () => Promise<void>;
  /** Works on waves now, without waiting for the next poll. */
  wake: () => void;
  /** Ends the work after the commit that is under way. Other processes go on with the waves. */
  close: () => Promise<void>;
}

interface WaveWorkOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "random" | "log" | "repeat">;
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
}

/** Starts the work on waves by a timer. */
export function startWaves({ kv, runtime, outbox, yieldToCalls }: WaveWorkOptions): WaveWork {
  const { now, random, log, repeat } = runtime;
  const processId = base64url.encode(random(PROCESS_ID_BYTES));
  /**
   * The work that this process has begun, by the id of the wave: the commits still to make, and the moment of the last
   * claim in milliseconds since 1970.
   */
  const workByWave = new Map<string, { commits: AsyncGenerator<void>; claimedAt: number }>();
  let isStopped = false;
  /** Whether the list of running waves must be read, because a wave may have joined the list. */
  let mustReadList = false;
  let presentRun: Promise<void> | undefined;

  /** Claims a wave for this process. @returns `false` if another process has a claim, or the wave is not running */
  const claim = (id: string, callKv: Kv) =>
    changeEntry<WaveClaim, boolean>(callKv, openWaveKey(id), (stored) => {
      const until = now() + CLAIM_MS;
      // A claim does not count if it ends later than a new claim would end, because a clock that was ahead made it.
      const isFree = stored &&
        (stored.by === processId || stored.until <= now() || stored.until > until);
      return isFree ? { newValue: { by: processId, until }, result: true } : { result: false };
    });

  async function makeCommit(id: string, callKv: Kv = kv): Promise<boolean> {
    try {
      const { commits, claimedAt } = workByWave.get(id) ?? {
        commits: workOnWave({ kv: callKv, now, random, outbox }, id, processId),
        claimedAt: -Infinity,
      };
      // Renews the claim in a commit of its own, because a wave may read for a long time without a commit.
      const needsClaim = Math.abs(now() - claimedAt) >= RENEW_MS;
      if (!needsClaim || await claim(id, callKv)) {
        workByWave.set(id, { commits, claimedAt: needsClaim ? now() : claimedAt });
        if (!(await commits.next()).done) return true;
      }
    } catch (error) {
      // Nothing needs to be undone: if the outcome of a commit is unknown, the next try reads it from the wave's entry.
      log.warn("work on a wave failed; will continue the wave later", {
        wave: id,
        error: (error as Error).message,
      });
    }
    workByWave.delete(id);
    return false;
  }

  async function workOnAllWaves(): Promise<void> {
    try {
      const runningIds = new Set<string>();
      mustReadList = true;
      while ((mustReadList || runningIds.size > 0) && !isStopped) {
        if (mustReadList) {
          mustReadList = false;
          for await (const page of pages(kv, OPEN_WAVES)) {
            for (const { key } of page) runningIds.add(nameOf(key));
          }
        }
        for (const id of runningIds) {
          if (isStopped || !await makeCommit(id)) runningIds.delete(id);
          await yieldToCalls();
        }
      }
    } catch (error) {
      if (isStopped) return;
      log.warn("could not read the list of running waves; will read the list again later", {
        error: (error as Error).message,
      });
    } finally {
      presentRun = undefined;
    }
  }

  const run = () => presentRun ??= workOnAllWaves();
  const poll = repeat(POLL_MS, run);
  return {
    makeCommit,
    run,
    wake() {
      mustReadList = true;
      void run();
    },
    async close() {
      isStopped = true;
      await poll.close();
      // `poll.close()` waits only for runs that the timer has begun. A call of `run` or `wake` may have begun the
      // present run.
      await presentRun;
    },
  };
}
