/**
 * Reads lists of people, page by page. A list is in the order of `createdAt`: it begins with the people who have waited
 * longest, and ends with the newest people. `records.ts` writes the entries of lists. @module
 */
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  asReadable,
  type Key,
  type Kv,
  type ListPageOptions,
  PAGE_SIZE,
  pages,
  type PeopleList,
  peopleSelector,
  personOf,
  type Selector,
  waveMembersSelector,
} from "../kv/mod.ts";
import { type AddressedRecord, listEntries, type PersonEntry } from "./records.ts";

/** A person, with the data of the entry in a list. The entries in the list of a wave have no answers. */
export interface Person extends Partial<PersonEntry>, Pick<SignUpRecord, "createdAt"> {
  email: string;
}

/**
 * A position in a list of people: directly after the entry with this date-time and this address, even if the entry does
 * not exist any more.
 */
export type PagePosition = Pick<Person, "createdAt" | "email">;

/** Selects people of a list, or of the lists of several states. At any moment, nobody is in two of these lists. */
export interface PeopleRange extends ListPageOptions {
  /**
   * One list or several. Several lists stand in the order in which a person moves from one to the next, for example
   * `invited` before `accepted`.
   */
  list: PeopleList | readonly PeopleList[] | { wave: string };
  after?: PagePosition | undefined;
  /** A date-time. Only people whose `createdAt` is at this moment or later are read. */
  since?: string | undefined;
  /** A date-time. Only people whose `createdAt` is before this moment are read. */
  before?: string | undefined;
}

/** Reads people page by page, in the order of their `createdAt`, or the newest first (`reverse`). */
export async function* readPeople(
  kv: Kv,
  { list, ...range }: PeopleRange,
): AsyncGenerator<Person[]> {
  const prefixes = prefixesOf(list);
  if (prefixes.length === 1) return yield* readList(kv, prefixes[0]!, range);
  const { limit = PAGE_SIZE, reverse = false } = range;
  const compare = comparePositions(reverse);
  let { after } = range;
  for (;;) {
    // Reads the lists one after the other, so that a person who moves to the next list meanwhile is in at least one of
    // the pages. A person who is in two of the pages is given once.
    const peopleByEmail = new Map<string, Person>();
    for (const prefix of prefixes) {
      const { value: page = [] } = await readList(kv, prefix, { ...range, limit, after }).next();
      for (const person of page) peopleByEmail.set(person.email, person);
    }
    const people = [...peopleByEmail.values()].toSorted(compare).slice(0, limit);
    if (people.length > 0) yield people;
    // If the lists together give fewer people than a page has, all lists have ended.
    if (people.length < limit) return;
    after = people.at(-1);
  }
}

/** Gives the key prefixes of the entries in a list, or in several lists. */
function prefixesOf(list: PeopleRange["list"]): Key[] {
  if (typeof list === "string") return [peopleSelector(list).prefix];
  if ("wave" in list) return [waveMembersSelector(list.wave).prefix];
  return list.map((name) => peopleSelector(name).prefix);
}

/** Reads the people of one list, page by page. */
async function* readList(
  kv: Kv,
  prefix: Key,
  { after, since, before, ...options }: Omit<PeopleRange, "list">,
): AsyncGenerator<Person[], undefined> {
  // KV rejects a range that ends before it begins, so such a range is not read.
  if (since !== undefined && before !== undefined && since >= before) return;
  const selector: Selector = { prefix };
  if (since !== undefined) selector.start = [...prefix, since];
  if (before !== undefined) selector.end = [...prefix, before];
  if (after) {
    // A position replaces the bound at which the reading would begin. In reverse order, this bound is the end.
    const position = [...prefix, after.createdAt, after.email];
    if (options.reverse) selector.end = position;
    else {
      delete selector.start;
      selector.after = position;
    }
  }
  for await (const entries of pages<Partial<PersonEntry> | true>(kv, selector, options)) {
    yield entries.map((entry) => toPerson(entry.key, asReadable(entry)?.value));
  }
}

/** Makes a person from the key and the value of an entry in a list. */
function toPerson(key: Key, value: Partial<PersonEntry> | true | undefined): Person {
  return { ...personOf(key), ...value !== true && value };
}

/** Gives a position as a text. These texts sort in the order of the positions. */
const positionText = ({ createdAt, email }: PagePosition) => `${createdAt} ${email}`;

/** Makes a function that compares positions for a sort in the order of {@linkcode readPeople}. */
function comparePositions(reverse: boolean): (one: PagePosition, other: PagePosition) => number {
  const sign = reverse ? -1 : 1;
  return (one, other) => {
    const [oneText, otherText] = [positionText(one), positionText(other)];
    if (oneText === otherText) return 0;
    return oneText < otherText ? -sign : sign;
  };
}

/** A text that sorts after every date-time. */
const AFTER_ALL = "\uffff";

/**
 * Gives the people of a range in the order of {@linkcode readPeople}, but takes the people from records instead of
 * reading lists.
 */
export function choosePeople(
  records: AddressedRecord[],
  { list, after, since = "", before = AFTER_ALL, reverse = false }: PeopleRange,
): Person[] {
  const prefixes = prefixesOf(list);
  const isInList = (key: Key) =>
    prefixes.some((prefix) => prefix.every((keyPart, index) => keyPart === key[index]));
  const compare = comparePositions(reverse);
  return records
    .flatMap(({ email, record }) => {
      const entry = listEntries(email, record).find(({ key }) => isInList(key));
      return entry ? toPerson(entry.key, entry.value as PersonEntry | true) : [];
    })
    .filter((person) => since <= person.createdAt && person.createdAt < before)
    .filter((person) => !after || compare(after, person) < 0)
    .toSorted(compare);
}
