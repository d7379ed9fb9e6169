/**
 * Lists people page by page: in the order of their first sign-up, or those whose addresses begin with a text.
 *
 * @module
 */
import { type SignUpRecord, type State, STATES } from "../waitlist/record.ts";
import { FILTERS, matchesFilter, type PeopleFilter } from "../waitlist/waves.ts";
import { withKvDeadline } from "./deadline.ts";
import { signUpKey } from "./keys.ts";
import { type PeopleSelection, type Person, readPeople } from "./people.ts";
import { readRecords, readSignUpPages } from "./records.ts";

/** Which people to list. */
export interface PeopleQuery {
  /** All states if absent. */
  state?: State | undefined;
  filter: PeopleFilter;
  /** The newest first. */
  newest?: boolean | undefined;
  /** Only addresses that begin with this text, in the order of the addresses. */
  search?: string | undefined;
  /** Goes on behind this person. */
  after?: PagePlace | undefined;
  /** The most people. */
  limit: number;
}

/** The person behind whom a page begins. */
export type PagePlace = Pick<Person, "createdAt" | "email">;

/** A page, and where the next one begins; there may be others while that is given, even if the page is empty. */
export interface PeoplePage {
  people: { email: string; record: SignUpRecord }[];
  next?: PagePlace;
}

/** Entries that one page reads at the most, however many of them it leaves out. */
const MAX_READ = 2_000;

/** The most entries of a state that are read at once. */
const READ_AT_ONCE = 200;

/** Lists people. Records that cannot be read are left out; `counters verify` names them. */
export async function listPeople(kv: Deno.Kv, query: PeopleQuery): Promise<PeoplePage> {
  return query.search === undefined
    ? await listInOrder(kv, query)
    : await searchPeople(kv, query, query.search);
}

async function listInOrder(kv: Deno.Kv, query: PeopleQuery): Promise<PeoplePage> {
  const { filter, limit } = query;
  const found: Person[] = [];
  let read = 0;
  let last: Person | undefined;
  let next: PagePlace | undefined;
  for await (const person of readInOrder(kv, query)) {
    if (found.length === limit || read === MAX_READ) {
      next = last;
      break;
    }
    read++;
    last = person;
    if (matchesFilter(person, filter)) found.push(person);
  }
  const keys = found.map(({ email }) => signUpKey(email));
  const entries = await withKvDeadline(kv, () => readRecords(kv, keys));
  const people = found.flatMap(({ email }, index) => {
    const record = entries[index]?.value;
    return record ? [{ email, record }] : [];
  });
  return { people, ...next && { next: { createdAt: next.createdAt, email: next.email } } };
}

/** Reads the people of a state, or of all states together, in their order. */
async function* readInOrder(
  kv: Deno.Kv,
  { state, newest = false, after, filter, limit }: PeopleQuery,
): AsyncGenerator<Person> {
  // Without a filter, nobody is passed over; one person more tells whether there are others.
  const takesAll = FILTERS.every((name) => filter[name] === undefined);
  const atOnce = takesAll ? Math.min(limit + 1, READ_AT_ONCE) : READ_AT_ONCE;
  const lists = (state ? [state] : STATES).map((state) =>
    readState(kv, { state, newest, after, limit: atOnce })
  );
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    let at = -1;
    let first: Person | undefined;
    for (const [index, { value }] of heads.entries()) {
      if (!value || first && isBefore(value, first) === newest) continue;
      [at, first] = [index, value];
    }
    if (!first) return;
    yield first;
    heads[at] = await lists[at]!.next();
  }
}

async function* readState(
  kv: Deno.Kv,
  selection: PeopleSelection,
): AsyncGenerator<Person, undefined> {
  let { after } = selection;
  for (;;) {
    const people = await readPeople(kv, { ...selection, after });
    yield* people;
    if (people.length < selection.limit) return;
    after = people.at(-1);
  }
}

function isBefore(a: PagePlace, b: PagePlace): boolean {
  return a.createdAt < b.createdAt || a.createdAt === b.createdAt && a.email < b.email;
}

async function searchPeople(
  kv: Deno.Kv,
  { state, filter, after, limit }: PeopleQuery,
  search: string,
): Promise<PeoplePage> {
  const people: PeoplePage["people"] = [];
  let read = 0;
  for await (const records of readRecordsFrom(kv, search, after?.email)) {
    for (const each of records) {
      const { email, record } = each;
      if (!email.startsWith(search)) return { people };
      read++;
      const fits = (!state || record.state === state) && matchesFilter(record, filter);
      if (fits) people.push(each);
      if (people.length === limit || read === MAX_READ) {
        return { people, next: { createdAt: record.createdAt, email } };
      }
    }
  }
  return { people };
}

/** Reads the records whose addresses are a text or come behind it, or behind a later address. */
async function* readRecordsFrom(kv: Deno.Kv, text: string, after = "") {
  if (after < text) {
    const [entry] = await withKvDeadline(kv, () => readRecords(kv, [signUpKey(text)]));
    if (entry?.value) yield [{ email: text, record: entry.value }];
  }
  for await (const { records } of readSignUpPages(kv, after < text ? text : after)) yield records;
}
