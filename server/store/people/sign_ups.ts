/** Stores sign-ups by group commit: those that arrive together share a commit. @module */
import type { Runtime } from "../../runtime/mod.ts";
import type { MergeOptions, SignUp, Step } from "../../waitlist/mod.ts";
import { joinLetterLimits, joinList, letterLimitOf, notBefore } from "../../waitlist/mod.ts";
import type { ClientAddress } from "../../limits/mod.ts";
import { Batcher, checksFor, type Kv, type OnRun } from "../kv/mod.ts";
import { letterDelayOf, NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./commit.ts";

/** A sign-up, the moment of its consent, and the id of a new record. */
export interface TimedSignUp extends MergeOptions {
  signUp: SignUp;
  letterDelay?: () => number;
}

/** Sign-ups that may wait for a commit: as many as are stored in about half a second. */
const MAX_WAITING = 10_000;

/** Makes what takes a sign-up and resolves once it is durable, or gives `"overloaded"` where too many wait. */
export function createSignUpQueue(
  kv: Kv,
  { outbox = NO_OUTBOX, now, monotonic, nextId, onRun }:
    & Pick<Runtime, "now" | "monotonic">
    & { outbox?: OutboxOptions; nextId: () => string; onRun?: OnRun },
): (signUp: SignUp, address?: ClientAddress) => Promise<void> | "overloaded" {
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) => storeSignUps(kv, signUps, { outbox, signal }),
    maxBatch: checksFor(kv),
    maxRunning: kv.traits.commitsInFlight,
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...kv.traits.busyGatherMs && { busyGatherMs: kv.traits.busyGatherMs },
    ...kv.traits.waitsForAsMany && { waitsForAsMany: true },
    ...onRun && { onRun },
  });
  let [moment, at] = [NaN, ""];
  return (signUp, address) => {
    const letterDelay = letterDelayOf(outbox, address);
    // Many sign-ups come within a millisecond, and its text takes half a microsecond.
    if (moment !== now()) at = new Date(moment = now()).toISOString();
    const timed = { signUp, at, id: nextId(), letterDelay };
    return batcher.add(timed)?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    }) ?? "overloaded";
  };
}

/**
 * Stores sign-ups, at most as many as {@linkcode checksFor} gives; repeats of an address are merged in order. New and
 * known addresses take the same path. Gives the addresses whose records cannot be read.
 */
export async function storeSignUps(
  kv: Kv,
  signUps: TimedSignUp[],
  { outbox = NO_OUTBOX, signal }: {
    outbox?: OutboxOptions;
    signal?: AbortSignal;
  } = {},
): Promise<ReadonlySet<string>> {
  const asksToConfirm = outbox.letters;
  const byAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const changes = Array.from(byAddress, ([email, signUps]): PersonDecision => ({
    email,
    rewritesLists: true,
    decide(existing, { letterLimit, erasedAt }) {
      let step: Step | undefined;
      for (const { signUp, at: cameAt, id } of signUps) {
        const at = joinedAt(cameAt, erasedAt);
        const known = step
          ? joinLetterLimits([letterLimit, letterLimitOf(step.record)])
          : letterLimit;
        const options = { at, id, asksToConfirm, letterLimit: known };
        // A later sign-up of the same batch brings no further letter or event.
        step = { ...step, ...joinList(step?.record ?? existing, signUp, options) };
      }
      return step ?? "unchanged";
    },
    ...signUps[0]?.letterDelay && { letterDelay: signUps[0].letterDelay },
  }));
  return await changeRecords(kv, changes, { outbox, signal });
}

/** Gives the moment of a sign-up: where its address was erased while it waited for its commit, that is later. */
function joinedAt(cameAt: string, erasedAt: string | undefined): string {
  if (!erasedAt) return cameAt;
  return new Date(notBefore(Date.parse(cameAt), Date.parse(erasedAt) + 1)).toISOString();
}
