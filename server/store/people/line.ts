/**
 * Reads a person's place in line from counters of waiting people, and from the list of waiting people. The commits that
 * change people update these counters (`commit.ts`), `line_check.ts` compares them with the list, and
 * `waitlist/place_in_line.ts` says which counters count a person. @module
 */
import {
  type LineCounter,
  lineCountersOf,
  type PeriodRange,
  periodsBefore,
  secondOf,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  type Key,
  type Kv,
  lineSelector,
  pages,
  peopleOfSecondSelector,
  peopleSelector,
  personOf,
  type Selector,
} from "../kv/mod.ts";

/**
 * Reads a person's place in line, from 1 on; `undefined` for a person who is not waiting, and if a counter cannot be
 * read, which `counters verify` reports.
 */
export async function readPlace(kv: Kv, record: SignUpRecord): Promise<number | undefined> {
  if (lineCountersOf(record).length === 0) return undefined;
  const { createdAt } = record;
  // The periods end before the second in which the person signed up. The people of this second who signed up earlier
  // are counted in the list.
  const earlierInSecond = peopleOfSecondSelector("waiting", secondOf(createdAt), createdAt);
  const counts = await Promise.all([
    ...periodsBefore(createdAt).map((range) => countInRange(kv, range)),
    countEntries(kv, earlierInSecond),
  ]);
  let place = 1;
  for (const count of counts) {
    if (count === undefined) return undefined;
    place += count;
  }
  return place;
}

/**
 * Counts the waiting people of a range of periods, by the counters of the periods; `undefined` if one of the counters
 * cannot be read.
 */
async function countInRange(kv: Kv, range: PeriodRange): Promise<number | undefined> {
  let count = 0;
  for await (const page of pages<number>(kv, lineSelector(range))) {
    for (const entry of page) {
      if ("fault" in entry) return undefined;
      count += entry.value;
    }
  }
  return count;
}

/** Counts the entries of a list of people that a selector selects. */
export async function countEntries(kv: Kv, selector: Selector): Promise<number> {
  let count = 0;
  for await (const page of pages(kv, selector)) count += page.length;
  return count;
}

/**
 * Lists the counters that count the person of an entry in the list of waiting people; none for an entry of another
 * list.
 */
export function lineCountersOfListKey(key: Key): LineCounter[] {
  const [table, list] = key;
  const [peopleTable] = peopleSelector("waiting").prefix;
  if (table !== peopleTable || list !== "waiting") return [];
  return lineCountersOf({ createdAt: personOf(key).createdAt, state: "waiting" });
}
