/**
 * Stores sign-ups by group commit: those that arrive together share a commit.
 *
 * @module
 */
import { joinList, type Step } from "../waitlist/life.ts";
import type { MergeOptions, SignUp } from "../waitlist/record.ts";
import { Batcher, type OnRun } from "./batcher.ts";
import { deadlineOf } from "./deadline.ts";
import type { Engine } from "./open.ts";
import { NO_OUTBOX, type OutboxOptions } from "./outbox.ts";
import { type AddressChange, changeRecords, FURTHER_CHECKS } from "./record_changes.ts";

/** A sign-up, the moment of its consent, and the id of the record that it makes where the address is new. */
export interface TimedSignUp extends MergeOptions {
  signUp: SignUp;
}

/** Sign-ups that may wait for a commit: as many as are stored in about half a second. */
const MAX_WAITING = 10_000;

/** What a queue of sign-ups is made with. */
export interface SignUpQueueOptions {
  engine: Engine;
  outbox?: OutboxOptions;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  /** Makes the id of a record. */
  nextId: () => string;
  onRun?: OnRun;
}

/**
 * Makes the function that takes a sign-up and gives a promise that resolves once the sign-up is durable.
 * Sign-ups that arrive together share a commit. It returns `undefined` where too many are waiting already.
 */
export function createSignUpQueue(
  kv: Deno.Kv,
  { engine, outbox = NO_OUTBOX, now, monotonic, nextId, onRun }: SignUpQueueOptions,
): (signUp: SignUp) => Promise<void> | undefined {
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) => storeSignUps(kv, signUps, { outbox, signal }),
    maxBatch: engine.checksPerCommit - FURTHER_CHECKS,
    maxRunning: engine.commitsInFlight,
    maxWaiting: MAX_WAITING,
    deadlineMs: deadlineOf(kv),
    monotonic,
    ...(engine.busyGatherMs && { busyGatherMs: engine.busyGatherMs }),
    ...(onRun && { onRun }),
  });
  return (signUp) =>
    batcher.add({ signUp, at: new Date(now()).toISOString(), id: nextId() })?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    });
}

/**
 * Stores sign-ups, at least one fewer than the engine takes checks in an atomic; resolves once all are
 * durable. Repeats of an address are merged in order. New and known addresses take the same path.
 *
 * @param options.signal ends the tries of a batch that nobody waits for any more
 * @returns the addresses whose sign-ups were not stored, as their records cannot be read
 */
export async function storeSignUps(
  kv: Deno.Kv,
  signUps: TimedSignUp[],
  { outbox = NO_OUTBOX, signal }: { outbox?: OutboxOptions; signal?: AbortSignal } = {},
): Promise<ReadonlySet<string>> {
  const asksToConfirm = outbox.letters;
  const byAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const changes = Array.from(byAddress, ([email, signUps]): AddressChange => ({
    email,
    decide(existing, earlier) {
      let step: Step | undefined;
      for (const { signUp, at, id } of signUps) {
        const options = { at, id, asksToConfirm, earlier };
        // A later sign-up of the same batch brings no further letter or event.
        step = { ...step, ...joinList(step?.record ?? existing, signUp, options) };
      }
      return step;
    },
  }));
  const at = Date.parse(signUps[0]?.at ?? "");
  return await changeRecords(kv, changes, { outbox, at, signal });
}
