/** Lists people: in the order of their first sign-up, or those whose addresses begin with a text. @module */
import type { YieldToCalls } from "../../runtime/mod.ts";
import type { PeopleFilter, SignUpRecord, State } from "../../waitlist/mod.ts";
import { FILTERS, matchesFilter, STATES } from "../../waitlist/mod.ts";
import type { PagePosition, Person } from "./records.ts";
import { findRecords, readPeople, readSignUpPages } from "./records.ts";
import type { Kv } from "../kv/mod.ts";

export interface PeopleQuery {
  state?: State | undefined;
  filter: PeopleFilter;
  newest?: boolean | undefined;
  /** Only addresses that begin with this text, in the order of the addresses. */
  search?: string | undefined;
  after?: PagePosition | undefined;
  limit: number;
}

/** While `next` is given, there may be others, even if the page is empty. */
interface PeoplePage {
  people: { email: string; record: SignUpRecord }[];
  next?: PagePosition;
}

/** The most entries that one page reads, however many of them it leaves out. */
const MAX_READ = 2_000;

/** The most entries of a list that are read at once: sign-ups that arrive meanwhile wait for them. */
const READ_AT_ONCE = 100;

/** Lists people. Records that cannot be read are left out; `counters verify` names them. */
export async function listPeople(
  kv: Kv,
  query: PeopleQuery,
  yieldToCalls: YieldToCalls,
): Promise<PeoplePage> {
  return query.search === undefined
    ? await listInOrder(kv, query, yieldToCalls)
    : await searchPeople(kv, { ...query, search: query.search }, yieldToCalls);
}

async function listInOrder(
  kv: Kv,
  query: PeopleQuery,
  yieldToCalls: YieldToCalls,
): Promise<PeoplePage> {
  const { filter, limit } = query;
  const found: Person[] = [];
  let read = 0;
  let last: Person | undefined;
  let next: PagePosition | undefined;
  reading: for await (const people of readInOrder(kv, query, yieldToCalls)) {
    for (const person of people) {
      if (found.length === limit || read === MAX_READ) {
        next = last;
        break reading;
      }
      read++;
      last = person;
      if (matchesFilter(person, filter)) found.push(person);
    }
  }
  await yieldToCalls();
  const people = await findRecords(kv, found.map(({ email }) => email));
  return { people, ...next && { next: { createdAt: next.createdAt, email: next.email } } };
}

/** People of a state who have been read and not passed on, in their order; `rest` is absent once all were read. */
interface StateList {
  people: Person[];
  rest: AsyncGenerator<Person[]> | undefined;
}

/** Reads the people of a state, or of all states, in their order, some at a time. */
async function* readInOrder(
  kv: Kv,
  { state, newest = false, after, filter, limit }: PeopleQuery,
  yieldToCalls: YieldToCalls,
): AsyncGenerator<Person[]> {
  // One person more tells whether there are others.
  const atOnce = takesAll(filter) ? Math.min(limit + 1, READ_AT_ONCE) : READ_AT_ONCE;
  const lists = (state ? [state] : STATES).map((state): StateList => {
    return { people: [], rest: readPeople(kv, { state, reverse: newest, after, limit: atOnce }) };
  });

  async function readOn(list: StateList): Promise<void> {
    if (list.people.length > 0 || !list.rest) return;
    const { done, value } = await list.rest.next();
    if (done) list.rest = undefined;
    else list.people = value;
  }

  for (let reads = 0; lists.some(({ rest }) => rest); reads++) {
    if (reads > 0) await yieldToCalls();
    await Promise.all(lists.map(readOn));
    yield takeInOrder(lists, newest);
  }
}

function takesAll(filter: PeopleFilter): boolean {
  return FILTERS.every((name) => filter[name] === undefined);
}

/** Takes people out of the lists in the order of all, as far as it is known: until a list must be read on. */
function takeInOrder(lists: StateList[], newest: boolean): Person[] {
  const taken: Person[] = [];
  for (;;) {
    let first: StateList | undefined;
    for (const list of lists) {
      const [person] = list.people;
      if (!person && list.rest) return taken;
      if (!person) continue;
      if (!first || isBefore(person, first.people[0]!) !== newest) first = list;
    }
    if (!first) return taken;
    taken.push(first.people.shift()!);
  }
}

function isBefore(a: PagePosition, b: PagePosition): boolean {
  return a.createdAt < b.createdAt || a.createdAt === b.createdAt && a.email < b.email;
}

async function searchPeople(
  kv: Kv,
  { state, filter, search, after, limit }: PeopleQuery & { search: string },
  yieldToCalls: YieldToCalls,
): Promise<PeoplePage> {
  const people: PeoplePage["people"] = [];
  let read = 0;
  const atOnce = !state && takesAll(filter) ? Math.min(limit, READ_AT_ONCE) : READ_AT_ONCE;
  for await (const records of readRecordsFrom(kv, search, { after: after?.email, atOnce })) {
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
    await yieldToCalls();
  }
  return { people };
}

/** Reads the records whose addresses are a text or come behind it, or behind a later address. */
async function* readRecordsFrom(
  kv: Kv,
  text: string,
  { after = "", atOnce }: { after: string | undefined; atOnce: number },
) {
  const own = after < text ? await findRecords(kv, [text]) : [];
  if (own.length > 0) yield own;
  for await (const { records } of readSignUpPages(kv, after < text ? text : after, atOnce)) {
    yield records;
  }
}
