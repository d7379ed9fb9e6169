/** Lists people in the order of their first sign-up, and searches them, page by page. @module */
import type { ListRequest } from "../../../shared/operator_schemas.ts";
import type { YieldToCalls } from "../../runtime/mod.ts";
import { matchesFilter, stateOf, stepsOf } from "../../waitlist/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { type AddressedRecord, findRecords, type PagePosition } from "./records.ts";
import { type Person, readPeople } from "./records.ts";
import { readCount } from "./statistics/mod.ts";

/** Whom an operator asks for, as the schema of queries gives it. */
export type PeopleQuery = Omit<ListRequest, "withPlaceUrl">;

export interface PeoplePage {
  people: AddressedRecord[];
  /** How many people there are, where a counter tells it. */
  count?: number;
  /** How far a search has come since its first page; absent where everybody in the list is asked for. */
  searched?: {
    /** The people found so far. */
    hits: number;
    /** The first sign-up of whoever was looked at last; absent where there is nobody. */
    until?: string;
  };
  /** Where the next page goes on, even if this one is empty; absent behind the last person. */
  next?: PagePosition & { hits: number };
}

const DEFAULT_LIMIT = 50;

/** The most people that one page looks at. */
const MOST_LOOKED_AT = 5_000;

/** The most entries that are read at once, and with their records: sign-ups that arrive meanwhile wait for them. */
const READ_AT_ONCE = 500, WITH_RECORDS_AT_ONCE = 100;

/** Lists people. Records that cannot be read are left out; `counters verify` names them. */
export async function listPeople(
  { kv, yieldToCalls }: { kv: Kv; yieldToCalls: YieldToCalls },
  query: PeopleQuery,
): Promise<PeoplePage> {
  const { limit = DEFAULT_LIMIT, order, after, since, before, wave, mark, state } = query;
  const { passesOver, needsRecords } = narrowingOf(query);
  const most = needsRecords ? WITH_RECORDS_AT_ONCE : READ_AT_ONCE;
  const source = readPeople(kv, {
    list: wave === undefined ? mark ?? state ?? "all" : { wave },
    ...{ reverse: order === "newest", after, since, before },
    // One person more tells whether there are others.
    limit: passesOver ? most : Math.min(limit + 1, most),
  });
  const found: string[] = [];
  let lookedAt = 0;
  let last: PagePosition | undefined = after;
  let hasOthers = false;
  pages: for await (const people of source) {
    const fitting = passesOver ? await choose(kv, people, { query, needsRecords }) : undefined;
    for (const person of people) {
      const fits = !fitting || fitting.has(person.email);
      hasOthers = lookedAt === MOST_LOOKED_AT || fits && found.length === limit;
      if (hasOthers) break pages;
      lookedAt++;
      last = person;
      if (fits) found.push(person.email);
    }
    await yieldToCalls();
  }
  const hits = (after?.hits ?? 0) + found.length;
  const isWhole = !passesOver && wave === undefined && !since && !before;
  const count = isWhole ? await readCount(kv, counterOf(query)) : undefined;
  return {
    people: await findRecords(kv, found),
    ...count !== undefined && { count },
    ...passesOver && { searched: { hits, ...last && { until: last.createdAt } } },
    ...hasOthers && last && { next: { createdAt: last.createdAt, email: last.email, hits } },
  };
}

/** The counter of a list that nobody in it is left out of. */
const counterOf = ({ mark, state }: PeopleQuery) =>
  mark ? ["withMark", mark] as const : state ? ["byState", state] as const : ["total"] as const;

/** Whether a query leaves people out of its list, and whether only their records tell whom. */
function narrowingOf({ search, wave, mark, state, reached, ...others }: PeopleQuery) {
  const { lang, source, role, building } = others;
  const hasFilter = [lang, source, role, building].some((each) => each !== undefined);
  const ofWave = wave !== undefined;
  const needsRecords = reached !== undefined || ofWave && (hasFilter || mark || state) ||
    mark && state;
  return { passesOver: search !== undefined || hasFilter || needsRecords, needsRecords };
}

/** Gives the addresses of those who fit. */
async function choose(
  kv: Kv,
  people: Person[],
  { query, needsRecords }: { query: PeopleQuery; needsRecords: unknown },
): Promise<Set<string>> {
  const { search = "", wave, mark, state, reached } = query;
  const some = people.filter((person) =>
    // The entries of a wave's list do not tell answers.
    person.email.includes(search) && (wave !== undefined || matchesFilter(person, query))
  );
  const emails = some.map(({ email }) => email);
  if (!needsRecords) return new Set(emails);
  const fitting = (await findRecords(kv, emails)).filter(({ record }) =>
    (!mark || record[`${mark}At`]) && (!state || stateOf(record) === state) &&
    (!reached || stepsOf(record).includes(reached)) && matchesFilter(record, query)
  );
  return new Set(fitting.map(({ email }) => email));
}
