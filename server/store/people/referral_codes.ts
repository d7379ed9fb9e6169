/**
 * Finds the people to whom referral codes belong. A referral code is part of the link by which a person recommends the
 * list. @module
 */
import { addressesOf, type Kv, readPage, referralCodeSelector } from "../kv/mod.ts";
import { type AddressedRecord, findRecords } from "./records.ts";

/** The people to whom referral codes belong: the id of each person's record, by the code. */
export type ReferrerIds = ReadonlyMap<string, string>;

/** Finds the people to whom referral codes belong. A code that belongs to nobody is absent from the result. */
export async function findReferrerIds(kv: Kv, codes: Iterable<string>): Promise<ReferrerIds> {
  const ids = new Map<string, string>();
  await Promise.all(Array.from(codes, async (code) => {
    const person = await findPersonByCode(kv, code);
    if (person) ids.set(code, person.record.id);
  }));
  return ids;
}

/** How many referring people a process remembers at most. Each of them takes about 200 bytes. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the people to whom referral codes belong, as {@linkcode findReferrerIds} does. The result may have further
 * codes.
 * @param removals the number of removed records, as the entry of the schema counts them
 */
export type ReferrerMemory = (
  kv: Kv,
  codes: ReadonlySet<string>,
  removals: number,
) => Promise<ReferrerIds>;

/**
 * Makes a function that finds referring people and remembers them until somebody leaves the list, because most sign-ups
 * by links come by the links of a few people. A read for each batch of sign-ups would make the sign-ups slower by a
 * tenth.
 */
export function createReferrerMemory(): ReferrerMemory {
  let rememberedIds = new Map<string, string>();
  let lastRemovals = NaN;
  return async (kv, codes, removals) => {
    if (lastRemovals !== removals || rememberedIds.size > MAX_REMEMBERED) rememberedIds = new Map();
    lastRemovals = removals;
    // Goes on with this map, because another call may begin a new map while this call reads.
    const ids = rememberedIds;
    const unknownCodes = codes.difference(ids);
    if (unknownCodes.size > 0) {
      for (const [code, id] of await findReferrerIds(kv, unknownCodes)) ids.set(code, id);
    }
    return ids;
  };
}

/**
 * Finds the person to whom a referral code belongs. If imports gave the code to several people, finds the first of
 * these people.
 */
async function findPersonByCode(kv: Kv, code: string): Promise<AddressedRecord | undefined> {
  const emails = addressesOf(await readPage(kv, referralCodeSelector(code), { limit: 2 }));
  return (await findRecords(kv, emails)).find(({ record }) => record.referralCode === code);
}
