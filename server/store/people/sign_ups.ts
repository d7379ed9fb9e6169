/**
 * Stores sign-ups. Sign-ups that arrive together share a commit, because a commit of many sign-ups costs about as much
 * as a commit of one sign-up. @module
 */
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  type Campaign,
  hasCampaign,
  joinLetterLimits,
  joinList,
  letterLimitOf,
  type MergeOptions,
  momentInOrder,
  type SignUp,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import { abortableKv, Batcher, checksFor, type Kv, type OnRun } from "../kv/mod.ts";
import { createLetterDelay, NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type DecisionContext, type PersonDecision } from "./change_records.ts";
import { createReferrerMemory, type ReferrerIds, type ReferrerMemory } from "./referral_codes.ts";

/** Where a sign-up comes from. */
export interface SignUpOrigin {
  /** The client's IP address, for the letter limit of its network. */
  address?: ClientAddress | undefined;
  /** The referral code (`?r=`) in the link by which the person came. Only its form has been checked. */
  referralCode?: string | undefined;
  /** The campaign in the query of the link by which the person came. */
  campaign?: Campaign | undefined;
}

/** A sign-up, with the moment of its consent and the id that a new record gets. */
export interface TimedSignUp extends MergeOptions, Pick<SignUpOrigin, "referralCode" | "campaign"> {
  signUp: SignUp;
  /** Gives how long the sign-up's letter waits, in milliseconds. */
  letterDelay?: () => number;
}

/**
 * How many sign-ups wait for a commit at most. The service needs about half a second to store this number of sign-ups.
 */
const MAX_WAITING = 10_000;

interface SignUpQueueOptions extends Pick<Runtime, "now" | "monotonic"> {
  outbox?: OutboxOptions;
  /** Whether a sign-up keeps the referral code of the link by which the person came; false by default. */
  takesReferrals?: boolean;
  /** Makes the id of a new record. */
  nextId: () => string;
  onRun?: OnRun;
}

/**
 * Stores a sign-up, together with other sign-ups that wait. The promise resolves once the sign-up is durable. The
 * promise rejects if the record or the letter limit of the address cannot be read. The function gives `"overloaded"` if
 * too many sign-ups wait.
 */
export type SignUpQueue = (
  signUp: SignUp,
  origin?: SignUpOrigin,
) => Promise<void> | "overloaded";

/** Makes the function that stores a sign-up. */
export function createSignUpQueue(
  kv: Kv,
  { outbox = NO_OUTBOX, takesReferrals = false, now, monotonic, nextId, onRun }: SignUpQueueOptions,
): SignUpQueue {
  const findReferrerIds = createReferrerMemory();
  const readDateTime = createDateTimeReader(now);
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) =>
      storeSignUps(abortableKv(kv, signal), signUps, { outbox, findReferrerIds }),
    maxBatch: checksFor(kv),
    maxRunning: kv.traits.commitsInFlight,
    maxWaiting: MAX_WAITING,
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...kv.traits.busyGatherMs && { busyGatherMs: kv.traits.busyGatherMs },
    ...kv.traits.waitsForEqualBatch && { waitsForEqualBatch: true },
    ...onRun && { onRun },
  });
  return (signUp, { address, referralCode, campaign } = {}) => {
    const letterDelay = createLetterDelay(outbox, address);
    const timedSignUp: TimedSignUp = { signUp, at: readDateTime(), id: nextId(), letterDelay };
    if (campaign && hasCampaign(campaign)) timedSignUp.campaign = campaign;
    if (takesReferrals) timedSignUp.referralCode = referralCode;
    return batcher.add(timedSignUp)?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    }) ?? "overloaded";
  };
}

/**
 * Makes a function that gives the present date-time. The function makes the text of a moment only once, because many
 * sign-ups come in the same millisecond, and a text takes half a microsecond.
 */
function createDateTimeReader(now: () => number): () => string {
  let lastMoment = NaN;
  let text = "";
  return () => {
    const moment = now();
    if (moment !== lastMoment) text = new Date(moment).toISOString();
    lastMoment = moment;
    return text;
  };
}

/**
 * Stores sign-ups of at most as many addresses as {@linkcode checksFor} gives. Repeats of an address are merged in the
 * order in which they arrived. Sign-ups of new and of known addresses take the same steps, so that the time of an
 * answer does not tell which address is known.
 * @returns the addresses whose records or letter limits cannot be read
 */
export async function storeSignUps(
  kv: Kv,
  signUps: TimedSignUp[],
  { outbox = NO_OUTBOX, findReferrerIds = createReferrerMemory() }: {
    outbox?: OutboxOptions;
    findReferrerIds?: ReferrerMemory;
  } = {},
): Promise<ReadonlySet<string>> {
  const codes = new Set(signUps.flatMap(({ referralCode }) => referralCode ?? []));
  let lastSearch: { removals: number; ids: ReferrerIds } | undefined;
  const signUpsByAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const decisions = Array.from(signUpsByAddress, ([email, signUpsOfAddress]): PersonDecision => {
    // The first sign-up of an address decides how long the letter waits, and its campaign stands for the campaigns of
    // the repeats.
    const [{ letterDelay, campaign } = {}] = signUpsOfAddress;
    return {
      email,
      rewritesLists: true,
      decide: (record, context) =>
        joinInOrder(signUpsOfAddress, record, { context, asksToConfirm: outbox.sendsLetters }),
      ...letterDelay && { letterDelay },
      ...!outbox.sendsLetters && campaign && { campaign },
    };
  });
  return await changeRecords(kv, decisions, {
    outbox,
    async findReferrerIds({ entry }) {
      const removals = entry.value?.removals ?? 0;
      // Several tries share one search for the people to whom the codes belong, unless somebody has left the list
      // meanwhile. A search in each try would read the list again for each code that belongs to nobody.
      if (lastSearch?.removals !== removals) {
        lastSearch = { removals, ids: await findReferrerIds(kv, codes, removals) };
      }
      return lastSearch.ids;
    },
  });
}

/**
 * Puts the sign-ups of one address on the waitlist, one after the other.
 * @param record the record before the first of these sign-ups
 */
function joinInOrder(
  signUps: TimedSignUp[],
  record: SignUpRecord | undefined,
  { context: { letterLimit, erasedAt, referrerIds }, asksToConfirm }: {
    context: DecisionContext;
    /** Whether mail is on, so that new people are asked to confirm. */
    asksToConfirm: boolean;
  },
): Step | "unchanged" {
  let step: Step | undefined;
  for (const { signUp, at, id, referralCode = "", campaign } of signUps) {
    const joined = joinList(step?.record ?? record, signUp, {
      at: erasedAt ? momentAfter(at, erasedAt) : at,
      id,
      asksToConfirm,
      letterLimit: step ? joinLetterLimits([letterLimit, letterLimitOf(step.record)]) : letterLimit,
      referrerId: referrerIds.get(referralCode),
      campaign,
    });
    // Keeps the letter and the event of an earlier sign-up of this loop if the later sign-up brings none: a repeat
    // brings no event, and it brings no letter if the letter limit refuses the letter.
    step = { ...step, ...joined };
  }
  return step ?? "unchanged";
}

/**
 * Gives the moment of a sign-up. The moment must be later than an erasure, because the erasure may have come while the
 * sign-up waited for its commit.
 */
const momentAfter = (at: string, erasedAt: string): string =>
  new Date(momentInOrder(Date.parse(at), Date.parse(erasedAt) + 1)).toISOString();
