/**
 * Lists and counts the people of a wave, and gives the median of the time from the invitation to the acceptance.
 * @module
 */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { addressesOf, type Key, type Kv, pages, personOf, waveMembersSelector } from "../kv/mod.ts";
import { type AddressedRecord, findRecords } from "../people/mod.ts";

/** Counts the people of a wave. */
export async function countMembers(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const members of pages(kv, waveMembersSelector(id))) count += members.length;
  return count;
}

/**
 * A position in the list of people of a wave: before it are all people who signed up before `createdAt`, and the first
 * `skip` of the people who signed up at `createdAt`. It has no address in it, because it is a part of a URL.
 */
export interface WavePeoplePosition {
  createdAt: string;
  skip: number;
}

/** Selects the people of a wave for one page of the list. */
export interface WavePage {
  limit: number;
  /** The position after which the page begins; absent for the first page. */
  after?: WavePeoplePosition | undefined;
}

/** A page of the people of a wave. */
export interface WaveMembers {
  people: AddressedRecord[];
  /** The `after` of the next page; absent on the last page. */
  next?: WavePeoplePosition;
}

/** How many people of a wave are read at most to find its median time. */
const MAX_IN_MEDIAN = 500;

/** How many people are read at once to find the median time. Sign-ups that arrive meanwhile wait. */
const MEDIAN_PAGE = 100;

/**
 * Gives the median of the time from the invitation to the acceptance, in whole seconds, among the first people of a
 * wave; `undefined` if none of them has accepted.
 * @param wave.accepted the number of people who have accepted. Nobody is read after the last of them
 */
export async function readMedianOfWave(
  kv: Kv,
  { wave: id, accepted }: Pick<WaveReport, "wave" | "accepted">,
): Promise<number | undefined> {
  if (accepted === 0) return undefined;
  /** The times until the acceptances, in milliseconds. */
  const times: number[] = [];
  let readCount = 0;
  for await (const members of pages(kv, waveMembersSelector(id), { limit: MEDIAN_PAGE })) {
    for (const { record } of await findRecords(kv, addressesOf(members))) {
      const { wave, invitedAt, acceptedAt } = record;
      if (wave !== id || !invitedAt || !acceptedAt) continue;
      times.push(Date.parse(acceptedAt) - Date.parse(invitedAt));
    }
    readCount += members.length;
    if (readCount >= MAX_IN_MEDIAN || times.length >= accepted) break;
  }
  const middle = Math.floor((times.length - 1) / 2);
  const median = times.toSorted((a, b) => a - b)[middle];
  return median === undefined ? undefined : Math.max(0, Math.round(median / 1_000));
}

/** The position before the first person. */
const START_OF_LIST: WavePeoplePosition = { createdAt: "", skip: 0 };

/** Lists the people of a wave in the order of their `createdAt`. */
export async function listWavePeople(
  kv: Kv,
  id: string,
  { limit, after = START_OF_LIST }: WavePage,
): Promise<WaveMembers> {
  // One person more than the page has is read, to know whether there is a next page.
  const members = await readMembersAfter(kv, id, after, limit + 1);
  const page = members.slice(0, limit);
  const hasNextPage = members.length > limit;
  const records = await findRecords(kv, addressesOf(page));
  // Leaves out people who have left the wave since the list was read: they were erased, and have signed up again.
  const people = records.filter(({ record }) => record.wave === id);
  return { people, ...hasNextPage && { next: endOfPage(page, after) } };
}

/** A person in the list of a wave. The key has the `createdAt` and the address of the person. */
interface WaveMember {
  key: Key;
}

/** Reads the people of a wave after a position: at least `minCount` people, if there are so many. */
async function readMembersAfter(
  kv: Kv,
  id: string,
  { createdAt, skip }: WavePeoplePosition,
  minCount: number,
): Promise<WaveMember[]> {
  const selector = waveMembersSelector(id);
  const start = [...selector.prefix, createdAt];
  const members: WaveMember[] = [];
  let skippedCount = 0;
  for await (const page of pages(kv, { ...selector, start })) {
    for (const member of page) {
      if (skippedCount < skip && createdAtOf(member) === createdAt) skippedCount++;
      else members.push(member);
    }
    if (members.length >= minCount) break;
  }
  return members;
}

/** Gives the position after the last person of a page, which must not be empty. */
function endOfPage(page: WaveMember[], startOfPage: WavePeoplePosition): WavePeoplePosition {
  const createdAt = createdAtOf(page.at(-1)!);
  const countOnPage = page.filter((member) => createdAtOf(member) === createdAt).length;
  const countBefore = createdAt === startOfPage.createdAt ? startOfPage.skip : 0;
  return { createdAt, skip: countBefore + countOnPage };
}

const createdAtOf = ({ key }: WaveMember): string => personOf(key).createdAt;
