/** Lists people: in the order of their first sign-up, or those whose addresses begin with a text. @module */
import { stepsOf } from "../../../shared/counters.ts";
import type { ListRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { matchesFilter, type PeopleFilter, type State, STATES } from "../../waitlist/mod.ts";
import type { AddressedRecord, PagePosition, Person as Listed } from "./records.ts";
import { findRecords, readPeople, readSignUpPages } from "./records.ts";
import type { Kv } from "../kv/mod.ts";

type Person = Listed & { state: State };

type Asked = Omit<ListRequest, keyof PeopleFilter | "limit" | "withPlaceUrl">;

/** Whom an operator asks for. Addresses and parts of them are lower-cased, and times are date-times. */
export type PeopleQuery =
  & { [Name in keyof Asked]?: Asked[Name] | undefined }
  & { filter: PeopleFilter; limit: number };

/** How far a list has come since its first page: who was looked at, and who of them fits. */
type Searched = Required<Pick<NonNullable<ListRequest["after"]>, "read" | "hits">>;

/** While `next` is given, there may be others, even if the page is empty. */
interface PeoplePage {
  people: AddressedRecord[];
  next?: PagePosition & Searched;
  /** `complete` tells whether the hits are all that there are; absent where everybody is listed. */
  searched?: Searched & { complete: boolean };
}

interface ListOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  yieldToCalls: YieldToCalls;
}

/** The most entries that one page reads, however many of them it leaves out; and once it is full, to count the hits. */
const MAX_READ = 2_000, MAX_COUNTED = 500;

/** How long a page looks inside addresses, in milliseconds. */
const SEARCH_MS = 1_000;

/** The most entries of a list that are read at once: sign-ups that arrive meanwhile wait for them. */
const READ_AT_ONCE = 100, SEARCHED_AT_ONCE = 500;

/** Lists people. Records that cannot be read are left out; `counters verify` names them. */
export async function listPeople(
  { kv, yieldToCalls, monotonic }: ListOptions,
  query: PeopleQuery,
): Promise<PeoplePage> {
  const { limit, after, contains, search } = query;
  const endsAt = monotonic() + SEARCH_MS;
  const isFiltered = !takesAll(query);
  const isNarrowed = search !== undefined || isFiltered;
  const found: Person[] = [];
  const first = after?.read ?? 0;
  let read = first;
  let hits = after?.hits ?? 0;
  let position: PagePosition & Searched | undefined;
  let complete = true;
  const isOver = () => {
    if (contains !== undefined) return monotonic() >= endsAt;
    const most = found.length < limit ? MAX_READ : isNarrowed ? MAX_COUNTED : 0;
    return read - first >= most;
  };
  const source = search === undefined ? readInOrder : readFrom;
  reading: for await (const people of source(kv, query, yieldToCalls)) {
    const fitting = isFiltered ? await choose(kv, people, query) : undefined;
    for (const person of people) {
      if (isOver()) {
        complete = false;
        break reading;
      }
      read++;
      const isFull = found.length === limit;
      if (!fitting || fitting.has(person.email)) {
        hits++;
        if (!isFull) found.push(person);
      }
      const { createdAt, email } = person;
      if (!isFull) position = { createdAt, email, read, hits };
    }
  }
  await yieldToCalls();
  const people = await findRecords(kv, found.map(({ email }) => email));
  const hasOthers = position && (!complete || hits > position.hits);
  return {
    people,
    ...hasOthers && { next: position! },
    ...isNarrowed && { searched: { read, hits, complete } },
  };
}

async function choose(kv: Kv, people: Person[], query: PeopleQuery): Promise<Set<string>> {
  const { id, state, filter, contains = "", wave, undeliverable, reached, since = "", before } =
    query;
  const some = people.filter((person) =>
    (!state || person.state === state) && person.email.includes(contains) &&
    person.createdAt >= since && (!before || person.createdAt < before) &&
    matchesFilter(person, filter)
  );
  const emails = some.map(({ email }) => email);
  if (id === undefined && wave === undefined && !undeliverable && !reached) return new Set(emails);
  const fitting = (await findRecords(kv, emails)).filter(({ record }) =>
    (id === undefined || record.id === id) && (wave === undefined || record.wave === wave) &&
    (!reached || stepsOf(record).includes(reached)) &&
    (!undeliverable || record.undeliverableAt || record.complainedAt)
  );
  return new Set(fitting.map(({ email }) => email));
}

/** People of a state who have been read and not passed on, in their order; `rest` is absent once all were read. */
interface StateList {
  people: Person[];
  rest: AsyncGenerator<Person[]> | undefined;
}

/** Reads the people of a state, or of all states, in their order, some at a time. */
async function* readInOrder(kv: Kv, query: PeopleQuery, yieldToCalls: YieldToCalls) {
  const { state, newest = false, after, since, before, limit } = query;
  // One person more tells whether there are others.
  const few = takesAll(query) ? Math.min(limit + 1, READ_AT_ONCE) : READ_AT_ONCE;
  const atOnce = query.contains === undefined ? few : SEARCHED_AT_ONCE;
  const lists = (state ? [state] : STATES).map((state): StateList => {
    return {
      people: [],
      rest: readState(state, { reverse: newest, after, since, before, limit: atOnce }),
    };
  });

  async function* readState(state: State, options: Omit<Parameters<typeof readPeople>[1], "list">) {
    for await (const people of readPeople(kv, { list: state, ...options })) {
      yield people.map((person) => ({ ...person, state }));
    }
  }

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

/** Whether a query leaves nobody out, but by a search. */
function takesAll(
  { filter, search: _, newest: _newest, limit: _limit, after: _after, ...chosen }: PeopleQuery,
): boolean {
  return Object.values({ ...chosen, ...filter }).every((each) => each === undefined);
}

/** Takes people out of the lists in the order of all, as far as it is known: to the first end of a list that goes on. */
function takeInOrder(lists: StateList[], newest: boolean): Person[] {
  const isBefore = (a: Person, b: Person) =>
    a.createdAt < b.createdAt || a.createdAt === b.createdAt && a.email < b.email;
  const inOrder = (a: Person, b: Person) => isBefore(a, b) === newest ? 1 : -1;
  const [end] = lists.flatMap(({ people, rest }) => rest ? people.slice(-1) : []).sort(inOrder);
  return lists.flatMap(({ people }) => {
    const unknown = people.findIndex((person) => end && inOrder(end, person) < 0 && person !== end);
    return people.splice(0, unknown < 0 ? people.length : unknown);
  }).sort(inOrder);
}

/** Reads the people whose addresses begin with a text, in the order of the addresses. */
async function* readFrom(kv: Kv, query: PeopleQuery, yieldToCalls: YieldToCalls) {
  const { search = "", after, limit } = query;
  const batchSize = takesAll(query) ? Math.min(limit, READ_AT_ONCE) : READ_AT_ONCE;
  const range = after && after.email >= search ? { after: after.email } : { from: search };
  for await (const { records } of readSignUpPages(kv, { ...range, batchSize })) {
    const people = records.map(({ email, record }): Person => ({ ...record, email }));
    const beyond = people.findIndex(({ email }) => !email.startsWith(search));
    yield beyond < 0 ? people : people.slice(0, beyond);
    if (beyond >= 0) return;
    await yieldToCalls();
  }
}
