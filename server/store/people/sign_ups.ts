/**
 * Stores sign-ups. Sign-ups that arrive together share a commit, because a commit costs more than a sign-up. @module
 */
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  joinLetterLimits,
  joinList,
  letterLimitOf,
  type MergeOptions,
  notBefore,
  type SignUp,
  type Step,
} from "../../waitlist/mod.ts";
import { Batcher, checksFor, type Kv, type OnRun, untilAborted } from "../kv/mod.ts";
import { letterDelayOf, NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type PersonDecision } from "./commit.ts";
import { createReferrerMemory, type FindReferrers } from "./referrals.ts";

/** A sign-up, with the moment of its consent and the id that a new record gets. */
export interface TimedSignUp extends MergeOptions {
  signUp: SignUp;
  /** Gives how long the sign-up's letter waits, in milliseconds. */
  letterDelay?: () => number;
  /** The referral code (`?r=`) in the link by which the person came. Only its form has been checked. */
  referralCode?: string | undefined;
}

/** How many sign-ups wait for a commit at most: as many as are stored in about half a second. */
const MAX_WAITING = 10_000;

interface SignUpQueueOptions extends Pick<Runtime, "now" | "monotonic"> {
  outbox?: OutboxOptions;
  /** Whether a sign-up keeps the referral code of the link by which the person came; false by default. */
  takesReferrals?: boolean;
  /** Makes the id of a new record. */
  nextId: () => string;
  onRun?: OnRun;
}

/** Stores a sign-up. Gives `"overloaded"` if too many sign-ups wait. */
export type StoreSignUp = (
  signUp: SignUp,
  origin?: SignUpOrigin,
) => Promise<void> | "overloaded";

/** Where a sign-up comes from. */
export interface SignUpOrigin {
  /** The client's address, for the letter limit of its network. */
  address?: ClientAddress | undefined;
  /** The referral code (`?r=`) in the link by which the person came. Only its form has been checked. */
  referralCode?: string | undefined;
}

/**
 * Makes the function that stores a sign-up. The function resolves once the sign-up is durable, or gives
 * `"overloaded"` if too many sign-ups wait. It rejects if the address has a record that cannot be read.
 */
export function createSignUpQueue(
  kv: Kv,
  { outbox = NO_OUTBOX, takesReferrals = false, now, monotonic, nextId, onRun }: SignUpQueueOptions,
): StoreSignUp {
  const findReferrers = createReferrerMemory();
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) =>
      storeSignUps(untilAborted(kv, signal), signUps, { outbox, findReferrers }),
    maxBatch: checksFor(kv),
    maxRunning: kv.traits.commitsInFlight,
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...kv.traits.busyGatherMs && { busyGatherMs: kv.traits.busyGatherMs },
    ...kv.traits.waitsForAsMany && { waitsForAsMany: true },
    ...onRun && { onRun },
  });
  let moment = NaN;
  let at = "";
  return (signUp, { address, referralCode } = {}) => {
    const letterDelay = letterDelayOf(outbox, address);
    // Makes the text of a moment only once, because many sign-ups come in the same millisecond, and a text takes half
    // a microsecond.
    if (moment !== now()) at = new Date(moment = now()).toISOString();
    const timed: TimedSignUp = { signUp, at, id: nextId(), letterDelay };
    if (takesReferrals) timed.referralCode = referralCode;
    return batcher.add(timed)?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    }) ?? "overloaded";
  };
}

/**
 * Stores sign-ups of at most as many addresses as {@linkcode checksFor} gives. Repeats of an address are merged in
 * their order. Sign-ups of new and of known addresses take the same steps, so that the time of an answer does not
 * tell which address is known.
 * @returns the addresses whose records cannot be read
 */
export async function storeSignUps(
  kv: Kv,
  signUps: TimedSignUp[],
  { outbox = NO_OUTBOX, findReferrers = createReferrerMemory() }: {
    outbox?: OutboxOptions;
    findReferrers?: FindReferrers;
  } = {},
): Promise<ReadonlySet<string>> {
  const asksToConfirm = outbox.letters;
  const codes = new Set(signUps.flatMap(({ referralCode }) => referralCode ?? []));
  let referrerIds: ReadonlyMap<string, string> = new Map();
  const byAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const changes = Array.from(byAddress, ([email, signUps]): PersonDecision => ({
    email,
    rewritesLists: true,
    decide(existing, { letterLimit: before, erasedAt }) {
      let step: Step | undefined;
      for (const { signUp, at: cameAt, id, referralCode = "" } of signUps) {
        const at = signUpMoment(cameAt, erasedAt);
        const letterLimit = step ? joinLetterLimits([before, letterLimitOf(step.record)]) : before;
        const referrerId = referrerIds.get(referralCode);
        const options = { at, id, asksToConfirm, letterLimit, referrerId };
        // Keeps the letter and the event of an earlier sign-up in this batch, because a later sign-up of the same
        // address adds none.
        step = { ...step, ...joinList(step?.record ?? existing, signUp, options) };
      }
      return step ?? "unchanged";
    },
    ...signUps[0]?.letterDelay && { letterDelay: signUps[0].letterDelay },
  }));
  return await changeRecords(kv, changes, {
    outbox,
    async readFurther({ entry }) {
      if (codes.size === 0) return;
      referrerIds = await findReferrers(kv, codes, entry.value?.removals ?? 0);
    },
  });
}

/** Gives the moment of a sign-up. It is later than an erasure that came while the sign-up waited for its commit. */
function signUpMoment(cameAt: string, erasedAt: string | undefined): string {
  if (!erasedAt) return cameAt;
  return new Date(notBefore(Date.parse(cameAt), Date.parse(erasedAt) + 1)).toISOString();
}
