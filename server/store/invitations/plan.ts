/** Says whom a wave would invite, and changes nothing. @module */
import type { WavePlan, WaveRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import {
  matchesFilter,
  reasonNotToInvite,
  type SignUpRecord,
  stateOfWave,
  type Wave,
} from "../../waitlist/mod.ts";
import { addressOf, type Kv, readEntries, SIGN_UPS } from "../kv/mod.ts";
import {
  type AddressedRecord,
  filterByReferrals,
  findRecords,
  findReferrers,
  readTotal,
} from "../people/mod.ts";
import { findInvitees } from "./invitees.ts";

/** How many people a plan shows at most. */
const MAX_SHOWN = 20;

/** After how many milliseconds one part of a plan stops reading records. It reads its present page to the end. */
const MAX_READ_MS = 1_000;

/** The part of a request that says which people the wave is for. */
type WaveFilter = Omit<WaveRequest, "wave" | "emails" | "next" | "after">;

/** What the planning of a wave needs. Planning lets calls of the public API go first. */
export interface PlanOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  yieldToCalls: YieldToCalls;
}

/**
 * Plans a wave. Reads the people whom the request names, or the people with enough referrals if these are few.
 * Otherwise, reads all records in the order of addresses, because that is faster than reading the list of the people
 * who wait. A request with `after` continues a plan, and gets one further part of the plan.
 * @param stored the stored wave with the id in the request; `undefined` if there is none
 */
export async function planWave(
  { wave = "", emails, next: most = Infinity, after, ...filter }: WaveRequest,
  stored: Wave | undefined,
  { kv, monotonic, yieldToCalls }: PlanOptions,
): Promise<WavePlan> {
  const invitees = emails && await findInvitees(kv, emails, wave);
  const { referrals } = filter;
  // A plan that has begun to read all records goes on reading them.
  const hasBegun = after !== undefined && after.email !== "";
  const referrers = referrals !== undefined && !hasBegun
    ? await findReferrers(kv, referrals)
    : undefined;
  const chosen = invitees?.people ?? referrers;
  let tally = await beginTally(kv, after);
  if (chosen) tally = await addToTally(kv, tally, chosen, filter);

  const endsAt = after ? monotonic() + MAX_READ_MS : Infinity;
  let email = after?.email ?? "";
  let isCut = false;
  const batches = chosen ? [] : readEntries<SignUpRecord>(kv, { ...SIGN_UPS, after: email });
  for await (const { entries } of batches) {
    const people = entries.map(({ key, value }) => ({ email: addressOf(key), record: value }));
    tally = await addToTally(kv, tally, people, filter);
    email = people.at(-1)?.email ?? email;
    isCut = monotonic() >= endsAt;
    if (isCut) break;
    await yieldToCalls();
  }

  const { read, wouldInvite, passedOver, first } = tally;
  const isOpen = !stored || !stored.done && ["running", "paused"].includes(stateOfWave(stored));
  const mayStillInvite = isOpen ? most - (stored?.invited ?? 0) : 0;
  const invited = Math.max(0, Math.min(wouldInvite, mayStillInvite));
  return {
    wouldInvite: invited,
    people: first.slice(0, invited).map(({ email, record: { createdAt, lang, source } }) => ({
      email,
      createdAt,
      lang,
      ...source && { source },
    })),
    passedOver,
    ...invitees && { notInvited: invitees.notInvited },
    read,
    total: Math.max(read, chosen ? 0 : await readTotal(kv) ?? 0),
    ...isCut && {
      next: { email, read, wouldInvite, passedOver, first: first.map(({ email }) => email) },
    },
  };
}

/** What a plan has found out about the people whom it has read so far. */
interface Tally extends Pick<WavePlan, "wouldInvite" | "passedOver"> {
  /** The number of people who were read. */
  read: number;
  /** The people whom the wave would invite first, in the order in which it would invite them. */
  first: AddressedRecord[];
}

/** Begins a tally, or continues the tally of the earlier parts of a plan. */
async function beginTally(kv: Kv, after: WaveRequest["after"]): Promise<Tally> {
  const { read = 0, wouldInvite = 0 } = after ?? {};
  const none = { unconfirmed: 0, undeliverable: 0, complained: 0, invited: 0 };
  const first = await findRecords(kv, after?.first ?? []);
  return {
    read,
    wouldInvite,
    passedOver: { ...none, ...after?.passedOver },
    // People may have changed since the earlier part of the plan.
    first: first.filter(({ record }) => !reasonNotToInvite(record)),
  };
}

/** Adds people to a tally. People who do not match the filter count only as read. */
async function addToTally(
  kv: Kv,
  tally: Tally,
  people: AddressedRecord[],
  filter: WaveFilter,
): Promise<Tally> {
  const passedOver = { ...tally.passedOver };
  const invited: AddressedRecord[] = [];
  const fitting = people.filter(({ record }) => matchesFilter(record, filter));
  for (const person of await filterByReferrals(kv, fitting, filter.referrals)) {
    const reason = reasonNotToInvite(person.record);
    if (reason) passedOver[reason]++;
    else invited.push(person);
  }
  const first = [...tally.first, ...invited]
    .toSorted((a, b) => positionOf(a) < positionOf(b) ? -1 : 1)
    .slice(0, MAX_SHOWN);
  return {
    read: tally.read + people.length,
    wouldInvite: tally.wouldInvite + invited.length,
    passedOver,
    first,
  };
}

/**
 * Gives the position of a person among the people who wait, as a text. These texts sort in the order of the positions.
 */
const positionOf = ({ email, record }: AddressedRecord) => `${record.createdAt} ${email}`;
