/**
 * Lists people in the order of their `createdAt`, searches them, and counts the people who fit a selection. Lists and
 * searches give one page in a call, and a count goes on over several calls. @module
 */
import type { Counter } from "../../../shared/counters.ts";
import type { ListRequest, PeopleSelection } from "../../../shared/operator_schemas.ts";
import { MAX_LISTED } from "../../../shared/people_query.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { ANSWER_FILTERS, createSearch, fitsSelection, matchesFilter } from "../../waitlist/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { type PagePosition, type PeopleRange, type Person, readPeople } from "./people_lists.ts";
import { type AddressedRecord, findRecords } from "./records.ts";
import { filterByReferrals, readReferralCandidates } from "./referral_filter.ts";
import { tryReadCount } from "./statistics.ts";

/** Which people an operator asks for. The schema of queries has validated the query. */
export type PeopleQuery = Omit<ListRequest, "withPlaceUrl">;

/** A page of a list of people. */
export interface PeoplePage {
  people: AddressedRecord[];
  /** The number of people in the whole list, if there is a counter for the list. */
  count?: number;
  /** How far a search has come since its first page; absent if the query asks for a whole list. */
  searched?: {
    /** The number of people found so far. */
    hits: number;
    /** The `createdAt` of the last person who was read; absent if nobody was read. */
    until?: string;
  };
  /** The position at which the next page begins, even if this page is empty; absent at the end of the list. */
  next?: PagePosition & { hits: number };
}

/** How many people a page has at most, unless the query sets a limit. */
const DEFAULT_LIMIT = 50;

/**
 * How many entries are read at most to find the people of a page: entries of the list, records and numbers of
 * referrals. The records of the people who were found are read in addition. A page of the console may take 50 ms; with
 * 5,000 entries, it took up to 63 ms on a slow machine. One call searches a list of 3,500 people by their addresses.
 */
const MAX_READ = 3_500;

/**
 * How many people of a list are read at once at most: the people of a page, and one more person to find out whether
 * the list goes on. Some searches then read the records, and the numbers of referrals, of these people as well.
 * Sign-ups that arrive meanwhile wait.
 */
const READ_AT_ONCE = DEFAULT_LIMIT + 1;

/**
 * The time after which a call of {@linkcode countSelection} stops, in milliseconds. The call still counts its last page
 * to the end.
 */
const MAX_COUNT_MS = 1_000;

/**
 * The states of the people who have reached a step: the step itself and all later states, in the order of a person's
 * life. If the lists of these states are read in this order, nobody whose state changes meanwhile is missed.
 */
const STATES_FROM_STEP = { invited: ["invited", "accepted"], accepted: ["accepted"] } as const;

/** Lists people. Records that cannot be read are left out; `counters verify` names them. */
export async function listPeople(
  { kv, yieldToCalls }: { kv: Kv; yieldToCalls: YieldToCalls },
  query: PeopleQuery,
): Promise<PeoplePage> {
  const plan = planReads(query);
  const { emails, lastRead, hasMore } = await findPage({ kv, yieldToCalls }, query, plan);
  const hits = (query.after?.hits ?? 0) + emails.length;
  const count = plan.counter && await tryReadCount(kv, plan.counter);
  return {
    people: await findRecords(kv, emails),
    ...count !== undefined && { count },
    ...plan.isSearch && { searched: { hits, ...lastRead && { until: lastRead.createdAt } } },
    ...hasMore && lastRead &&
      { next: { createdAt: lastRead.createdAt, email: lastRead.email, hits } },
  };
}

/** What is read to answer a query. */
interface ReadPlan {
  /** The shortest list that has all people whom the query asks for. */
  list: PeopleRange["list"];
  /** Whether the query leaves out people of the list. */
  isSearch: boolean;
  /** Whether a search needs the records of the people. */
  needsRecords: boolean;
  /**
   * How many entries are read for each person: the entry of the list, and for some searches the record and the number
   * of referrals.
   */
  readsPerPerson: number;
  /** The counter of the people whom the query asks for; absent if no counter counts just these people. */
  counter?: Readonly<Counter>;
}

/** Decides what is read to answer a query. */
function planReads(query: PeopleQuery): ReadPlan {
  const { search, wave, mark, refusedLetter, state, reached, referrals } = query;
  const hasAnswerFilter = ANSWER_FILTERS.some((name) => query[name] !== undefined);
  const hasMark = mark !== undefined;
  const hasState = state !== undefined;
  const isOfWave = wave !== undefined;
  // All people of a list have its mark, its state or its wave, and an entry of a list has the answers, except in the
  // list of a wave. Every further condition needs the records.
  const needsRecords = refusedLetter || reached !== undefined || referrals !== undefined ||
    hasMark && hasState || isOfWave && (hasAnswerFilter || hasMark || hasState);
  const isSearch = search !== undefined || hasAnswerFilter || needsRecords;
  const hasPeriod = query.since !== undefined || query.before !== undefined;
  const isWholeList = !isSearch && !isOfWave && !hasPeriod;
  return {
    list: shortestListOf(query),
    isSearch,
    needsRecords,
    readsPerPerson: 1 + Number(needsRecords) + Number(referrals !== undefined),
    ...isWholeList && { counter: counterOfQuery(query) },
  };
}

/** Gives the shortest list, or lists, with all people whom a query asks for. */
function shortestListOf({ wave, mark, state, reached }: PeopleQuery): PeopleRange["list"] {
  if (wave !== undefined) return { wave };
  const statesOfStep = reached === "accepted" || reached === "invited"
    ? STATES_FROM_STEP[reached]
    : undefined;
  return mark ?? state ?? statesOfStep ?? "all";
}

/** Gives the counter of the people with a mark, of the people in a state, or of all people. */
function counterOfQuery({ mark, state }: PeopleQuery): Counter {
  if (mark) return ["withMark", mark];
  if (state) return ["byState", state];
  return ["total"];
}

/** The addresses of the people of a page, and how far the list was read to find them. */
interface FoundPage {
  emails: string[];
  /** The position of the last person who was read; absent if nobody was read. */
  lastRead: PagePosition | undefined;
  /** Whether there may be more people after this position. */
  hasMore: boolean;
}

/** Reads a list until a page is full, {@linkcode MAX_READ} entries are read, or the list ends. */
async function findPage(
  { kv, yieldToCalls }: { kv: Kv; yieldToCalls: YieldToCalls },
  query: PeopleQuery,
  { list, isSearch, needsRecords, readsPerPerson }: ReadPlan,
): Promise<FoundPage> {
  const { limit = DEFAULT_LIMIT, order, after, since, before, referrals } = query;
  const range: PeopleRange = {
    list,
    reverse: order === "newest",
    after,
    since,
    before,
    limit: isSearch ? READ_AT_ONCE : Math.min(limit + 1, READ_AT_ONCE),
  };
  const emails: string[] = [];
  let reads = 0;
  let lastRead: PagePosition | undefined = after;
  const pages = referrals === undefined
    ? readPeople(kv, range)
    : readReferralCandidates(kv, range, referrals);
  for await (const people of pages) {
    const fittingEmails = isSearch
      ? await findFitting(kv, people, { query, needsRecords })
      : undefined;
    for (const person of people) {
      const isHit = !fittingEmails || fittingEmails.has(person.email);
      const hasReadEnough = reads + readsPerPerson > MAX_READ;
      const isPageFull = isHit && emails.length === limit;
      if (hasReadEnough || isPageFull) return { emails, lastRead, hasMore: true };
      reads += readsPerPerson;
      lastRead = person;
      if (isHit) emails.push(person.email);
    }
    await yieldToCalls();
  }
  return { emails, lastRead, hasMore: false };
}

/** Gives the addresses of the people who fit a query. */
async function findFitting(
  kv: Kv,
  people: Person[],
  { query, needsRecords }: { query: PeopleQuery; needsRecords: boolean },
): Promise<Set<string>> {
  const { search = "", wave, referrals } = query;
  const isFound = createSearch(search);
  const candidates = people.filter((person) =>
    // Does not filter the list of a wave by answers here, because its entries do not have the answers.
    isFound(person.email) && (wave !== undefined || matchesFilter(person, query))
  );
  const emails = candidates.map(({ email }) => email);
  if (!needsRecords) return new Set(emails);
  const records = await findRecords(kv, emails);
  const fittingRecords = records.filter((person) => fitsSelection(person, query));
  const fittingPeople = await filterByReferrals(kv, fittingRecords, referrals);
  return new Set(fittingPeople.map(({ email }) => email));
}

/** How many people fit a selection. */
export interface SelectionCount {
  count: number;
  /** The position at which the count goes on; absent once everybody is counted. */
  next?: NonNullable<PeoplePage["next"]>;
}

/** Counts the people who fit a selection: by a counter if there is one, otherwise person by person. */
export async function countSelection(
  { kv, yieldToCalls, monotonic }: Pick<Runtime, "monotonic"> & {
    kv: Kv;
    yieldToCalls: YieldToCalls;
  },
  selection: PeopleSelection,
  after: SelectionCount["next"],
): Promise<SelectionCount> {
  const { counter } = planReads(selection);
  const counted = counter && await tryReadCount(kv, counter);
  if (counted !== undefined) return { count: counted };
  const endsAt = monotonic() + MAX_COUNT_MS;
  let position = after;
  for (;;) {
    const query = { ...selection, limit: MAX_LISTED, ...position && { after: position } };
    const { people, next } = await listPeople({ kv, yieldToCalls }, query);
    if (!next) return { count: (position?.hits ?? 0) + people.length };
    if (monotonic() >= endsAt) return { count: next.hits, next };
    position = next;
  }
}
