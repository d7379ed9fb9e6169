/**
 * Lists and counts the people of a wave, and gives the median of the time from the invitation to the acceptance.
 * @module
 */
import { addressesOf, type Key, type Kv, pages, personOf, waveMembersSelector } from "../kv/mod.ts";
import { type AddressedRecord, findRecords } from "../people/mod.ts";

/** Counts the people of a wave. */
export async function countMembers(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const members of pages(kv, waveMembersSelector(id))) count += members.length;
  return count;
}

/** Selects the people of a wave for one page of the list. */
export interface WavePage {
  limit: number;
  /**
   * Leaves out all people who signed up before `createdAt`, and the first `skip` of the people who signed up at
   * `createdAt`.
   */
  after?: { createdAt: string; skip: number } | undefined;
}

/** A page of the people of a wave. */
export interface WaveMembers {
  people: AddressedRecord[];
  /** The `after` of the next page; absent on the last page. It holds no address. */
  next?: NonNullable<WavePage["after"]>;
}

/** How many people of a wave are read at most to find its median time. */
const MAX_IN_MEDIAN = 2_000;

/**
 * Gives the median of the time from the invitation to the acceptance, in whole seconds, among the first people of a
 * wave; `undefined` if none of them has accepted.
 */
export async function readMedianOfWave(kv: Kv, id: string): Promise<number | undefined> {
  /** The times until the acceptances, in milliseconds. */
  const times: number[] = [];
  let readCount = 0;
  for await (const members of pages(kv, waveMembersSelector(id), { limit: MAX_IN_MEDIAN })) {
    for (const { record } of await findRecords(kv, addressesOf(members))) {
      const { wave, invitedAt, acceptedAt } = record;
      if (wave !== id || !invitedAt || !acceptedAt) continue;
      times.push(Date.parse(acceptedAt) - Date.parse(invitedAt));
    }
    readCount += members.length;
    if (readCount >= MAX_IN_MEDIAN) break;
  }
  const middle = Math.floor((times.length - 1) / 2);
  const median = times.toSorted((a, b) => a - b)[middle];
  return median === undefined ? undefined : Math.max(0, Math.round(median / 1_000));
}

/** Lists the people of a wave in the order of their `createdAt`. */
export async function listWavePeople(
  kv: Kv,
  id: string,
  { limit, after }: WavePage,
): Promise<WaveMembers> {
  const { createdAt: startMoment = "", skip = 0 } = after ?? {};
  const selector = waveMembersSelector(id);
  const members: { key: Key }[] = [];
  /** How many of the members read so far signed up at `startMoment`. */
  let countAtStart = 0;
  for await (
    const entries of pages(kv, { ...selector, start: [...selector.prefix, startMoment] })
  ) {
    for (const entry of entries) {
      const isAtStart = createdAtOf(entry) === startMoment;
      if (isAtStart) countAtStart++;
      const isSkipped = isAtStart && countAtStart <= skip;
      if (!isSkipped) members.push(entry);
    }
    if (members.length > limit) break;
  }
  const page = members.slice(0, limit);
  const records = await findRecords(kv, addressesOf(page));
  // Leaves out people who have left the wave since the list was read: they were erased, and have signed up again.
  const people = records.filter(({ record }) => record.wave === id);
  const lastMember = page.at(-1);
  if (!lastMember || members.length <= limit) return { people };
  const createdAt = createdAtOf(lastMember);
  const countAtLast = page.filter((member) => createdAtOf(member) === createdAt).length;
  const skippedBefore = createdAt === startMoment ? skip : 0;
  return { people, next: { createdAt, skip: skippedBefore + countAtLast } };
}

const createdAtOf = ({ key }: { key: Key }): string => personOf(key).createdAt;
