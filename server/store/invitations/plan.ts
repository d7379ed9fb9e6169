/** Says whom a wave would invite, and changes nothing. @module */
import type { WavePlan, WaveRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import {
  type FILTERS,
  type Lang,
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

/** How long one part of a plan reads records, in milliseconds. A page that has begun is read to its end. */
const MAX_READ_MS = 1_000;

/** The members of a request that say which people the wave is for. */
type WaveFilter = Pick<WaveRequest, typeof FILTERS[number]>;

/** What the planning of a wave needs. Planning lets calls of the public API go first. */
export interface PlanOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  yieldToCalls: YieldToCalls;
}

/**
 * Plans a wave. Reads the people whom the request names, or the people with enough referrals if these people are few.
 * Otherwise, reads all records in the order of addresses, because that is faster than reading the list of the people
 * who wait. A request with `after` continues a plan, and gets one further part of the plan.
 * @param stored the stored wave with the id in the request; `undefined` if there is none
 */
export async function planWave(
  { wave = "", emails, next: maxInvited = Infinity, after, ...filter }: WaveRequest,
  stored: Wave | undefined,
  options: PlanOptions,
): Promise<WavePlan> {
  const { kv } = options;
  const invitees = emails && await findInvitees(kv, emails, wave);
  const people = invitees?.people ?? await findFewReferrers(kv, filter, after);
  const earlierTally = await beginTally(kv, after);
  const tally = people
    ? await addToTally(kv, earlierTally, people, filter)
    : await tallyAllRecords(earlierTally, { filter, after }, options);

  const { read, passedOver, firstPeople, cutAfter } = tally;
  const isOpen = !stored || !stored.done && ["running", "paused"].includes(stateOfWave(stored));
  const room = isOpen ? maxInvited - (stored?.invited ?? 0) : 0;
  const wouldInvite = Math.max(0, Math.min(tally.wouldInvite, room));
  const byLang = countLangs(tally, wouldInvite);
  return {
    wouldInvite,
    ...byLang && { byLang },
    ...!invitees && { remaining: tally.wouldInvite - wouldInvite },
    people: firstPeople.slice(0, wouldInvite).map(({ email, record }) => ({
      email,
      id: record.id,
      createdAt: record.createdAt,
      lang: record.lang,
      ...record.source && { source: record.source },
      ...record.role && { role: record.role },
      ...record.building && { building: record.building },
    })),
    passedOver,
    ...invitees && { notInvited: invitees.notInvited },
    read,
    total: Math.max(read, people ? 0 : await readTotal(kv) ?? 0),
    ...cutAfter !== undefined && {
      next: {
        email: cutAfter,
        read,
        wouldInvite: tally.wouldInvite,
        passedOver,
        byLang: tally.byLang,
        first: firstPeople.map(({ email }) => email),
      },
    },
  };
}

/**
 * Finds the people with enough referrals.
 * @returns `undefined` if these people are many, if the filter does not ask for referrals, or if an earlier part of the
 * plan has begun to read all records
 */
async function findFewReferrers(
  kv: Kv,
  { referrals }: WaveFilter,
  after: WaveRequest["after"],
): Promise<AddressedRecord[] | undefined> {
  const readsAllRecords = after !== undefined && after.email !== "";
  if (referrals === undefined || readsAllRecords) return undefined;
  return await findReferrers(kv, referrals);
}

/**
 * Adds the people of all records to a tally. If the request has `after`, begins after the address in it, and ends after
 * {@linkcode MAX_READ_MS}.
 */
async function tallyAllRecords(
  earlierTally: Tally,
  { filter, after }: { filter: WaveFilter; after: WaveRequest["after"] },
  { kv, monotonic, yieldToCalls }: PlanOptions,
): Promise<Tally> {
  const endsAt = after ? monotonic() + MAX_READ_MS : Infinity;
  let tally = earlierTally;
  let lastEmail = after?.email ?? "";
  const batches = readEntries<SignUpRecord>(kv, { ...SIGN_UPS, after: lastEmail });
  for await (const { entries } of batches) {
    const people = entries.map(({ key, value }) => ({ email: addressOf(key), record: value }));
    tally = await addToTally(kv, tally, people, filter);
    lastEmail = people.at(-1)?.email ?? lastEmail;
    if (monotonic() >= endsAt) return { ...tally, cutAfter: lastEmail };
    await yieldToCalls();
  }
  return tally;
}

/** What a plan has found out about the people whom it has read so far. */
interface Tally extends Pick<WavePlan, "wouldInvite" | "passedOver"> {
  /** How many of the people whom the wave could invite have each language. */
  byLang: Record<Lang, number>;
  /** The number of people who were read. */
  read: number;
  /** The people whom the wave would invite first, in the order in which it would invite them. */
  firstPeople: AddressedRecord[];
  /** The last address that was read, if the reading ended before all records were read. */
  cutAfter?: string;
}

/** Begins a tally, or continues the tally of the earlier parts of a plan. */
async function beginTally(kv: Kv, after: WaveRequest["after"]): Promise<Tally> {
  const { read = 0, wouldInvite = 0 } = after ?? {};
  const noneYet = { unconfirmed: 0, undeliverable: 0, complained: 0, invited: 0 };
  const people = await findRecords(kv, after?.first ?? []);
  return {
    read,
    wouldInvite,
    passedOver: { ...noneYet, ...after?.passedOver },
    byLang: after?.byLang ?? countByLang([]),
    // People may have changed since the earlier part of the plan.
    firstPeople: people.filter(({ record }) => !reasonNotToInvite(record)),
  };
}

/**
 * Counts the people whom a wave would invite by language; `undefined` if the tally does not have all of these people.
 * @param wouldInvite how many of the people whom the wave could invite it would invite
 */
function countLangs(tally: Tally, wouldInvite: number): Record<Lang, number> | undefined {
  if (wouldInvite === tally.wouldInvite) return tally.byLang;
  return wouldInvite <= tally.firstPeople.length
    ? countByLang(tally.firstPeople.slice(0, wouldInvite))
    : undefined;
}

/** Counts people by language. */
function countByLang(people: AddressedRecord[]): Record<Lang, number> {
  const countOf = (lang: Lang) => people.filter(({ record }) => record.lang === lang).length;
  return { en: countOf("en"), de: countOf("de") };
}

/** Adds people to a tally. People who do not match the filter count only as read. */
async function addToTally(
  kv: Kv,
  tally: Tally,
  people: AddressedRecord[],
  filter: WaveFilter,
): Promise<Tally> {
  const passedOver = { ...tally.passedOver };
  const invitable: AddressedRecord[] = [];
  const matching = people.filter(({ record }) => matchesFilter(record, filter));
  for (const person of await filterByReferrals(kv, matching, filter.referrals)) {
    const reason = reasonNotToInvite(person.record);
    if (reason) passedOver[reason]++;
    else invitable.push(person);
  }
  const langsOfPart = countByLang(invitable);
  const firstPeople = [...tally.firstPeople, ...invitable]
    .toSorted((a, b) => positionOf(a) < positionOf(b) ? -1 : 1)
    .slice(0, MAX_SHOWN);
  return {
    read: tally.read + people.length,
    wouldInvite: tally.wouldInvite + invitable.length,
    passedOver,
    byLang: { en: tally.byLang.en + langsOfPart.en, de: tally.byLang.de + langsOfPart.de },
    firstPeople,
  };
}

/**
 * Gives the position of a person among the people who wait, as a text. These texts sort in the order of the positions.
 */
const positionOf = ({ email, record }: AddressedRecord) => `${record.createdAt} ${email}`;
