/**
 * The filters and the order in which an operator lists people: reads them from a form or a URL, writes them into a form
 * or a URL, and makes the input of operations from them. @module
 */
import { type CampaignField, campaignValue } from "../../../shared/campaigns.ts";
import { type GrowthStep, type Mark, MARKS, STEPS } from "../../../shared/counters.ts";
import { dayAfter } from "../../../shared/moments.ts";
import type { ListRequest, PeopleSelection } from "../../../shared/operator_schemas.ts";
import { type Lang, LANGS, SOURCES, type State, STATES } from "../../waitlist/mod.ts";
import { type FieldValues, knownValue } from "../forms.ts";

/** The largest number of people on a page of the list. */
export const PEOPLE_ON_PAGE = 50;

/** The filters and the order that the operator has chosen. An empty text, `undefined` and `false` leave nobody out. */
export interface ListQuery {
  /** A part of the address, for which the operator searches. */
  search: string;
  state: State | undefined;
  lang: Lang | undefined;
  source: typeof SOURCES[number] | undefined;
  role: string;
  /** The use case: what the person wants to build. */
  building: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  /** The smallest number of referrals, as the text that the form has. */
  referrals: string;
  wave: string;
  /** Only people who get no letters for this reason: `undeliverable` or `complained`. */
  mark: Mark | undefined;
  /** Only people with an e-mail that was rejected and that they still need. */
  refusedLetter: boolean;
  /** Only people who have come to this step. */
  reached: GrowthStep | undefined;
  /** Only people who signed up on this UTC day or later. */
  since: string;
  /** Only people who signed up on this UTC day or earlier. */
  until: string;
  /** Whether the oldest sign-up comes first. */
  isOldestFirst: boolean;
  /**
   * The position at which the page of the list begins: the last person of the previous page, and how many people the
   * list has up to this person (`hits`). Absent on the first page.
   */
  after: ListRequest["after"];
}

/**
 * Reads a query from a form or a URL. For a field with a fixed set of values, an unknown value is ignored. The values of
 * a campaign are normalised as a sign-up normalises them, so that an operator can type a value as it stands in the link
 * of the campaign.
 */
export function readListQuery(
  fields: { get: (name: string) => string | null | undefined },
): ListQuery {
  const textOf = (name: string) => fields.get(name)?.trim() ?? "";
  const campaignOf = (field: CampaignField) => campaignValue(textOf(field));
  const email = textOf("after_email");
  const createdAt = textOf("after_at");
  const hits = Number(textOf("after_hits"));
  return {
    search: textOf("search"),
    state: knownValue(STATES, fields.get("state")),
    lang: knownValue(LANGS, fields.get("lang")),
    source: knownValue(SOURCES, fields.get("source")),
    role: textOf("role"),
    building: textOf("building"),
    utmSource: campaignOf("utmSource"),
    utmMedium: campaignOf("utmMedium"),
    utmCampaign: campaignOf("utmCampaign"),
    referrals: textOf("referrals"),
    wave: textOf("wave"),
    mark: knownValue(MARKS, fields.get("mark")),
    refusedLetter: fields.get("refusedLetter") === "yes",
    reached: knownValue(STEPS, fields.get("reached")),
    since: textOf("since"),
    until: textOf("until"),
    isOldestFirst: fields.get("order") === "oldest",
    after: email && createdAt ? { email, createdAt, hits } : undefined,
  };
}

/**
 * Returns the values to write into a form or a URL, from which {@linkcode readListQuery} reads the same query again.
 */
export function valuesOf({ isOldestFirst, after, ...filters }: ListQuery): FieldValues {
  return {
    ...filters,
    order: isOldestFirst && "oldest",
    after_at: after?.createdAt,
    after_email: after?.email,
    after_hits: after?.hits,
  };
}

/** Returns the filters of a query in the form that the operations expect. Filters that leave nobody out are absent. */
export function selectionOf(
  { isOldestFirst: _order, after: _position, until, referrals, ...filters }: ListQuery,
): PeopleSelection {
  const members = {
    ...filters,
    // A text that is no number becomes `NaN`, which the operation refuses.
    referrals: referrals === "" ? "" : Number(referrals),
    before: until && dayAfter(until),
  };
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) =>
      value !== undefined && value !== "" && value !== false
    ),
  );
}

/** Whether a query leaves anybody out. */
export const hasFilter = (listQuery: ListQuery): boolean =>
  Object.keys(selectionOf(listQuery)).length > 0;

/** Returns the input of the operation that lists people. */
export function requestOf(listQuery: ListQuery): ListRequest {
  const { isOldestFirst, after } = listQuery;
  // The links to people's own pages are left out, because the list does not show them, and making them would take a
  // fifth of the time of the list.
  return {
    ...selectionOf(listQuery),
    ...!isOldestFirst && { order: "newest" },
    ...after && { after },
    limit: PEOPLE_ON_PAGE,
    withPlaceUrl: false,
  };
}
