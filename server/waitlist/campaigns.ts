/**
 * The rules of campaigns (decisions, "Campaigns"): a link of a campaign has the values of the campaign in its query,
 * such as `utm_source`. The record of a person who signs up by this link keeps these values. People are counted by the
 * values, except unconfirmed people. @module
 */
import {
  type Campaign,
  CAMPAIGN_FIELDS,
  CAMPAIGN_PARAMETERS,
  type CampaignField,
  campaignValue,
  hasCampaign,
  OTHER_VALUES,
} from "../../shared/campaigns.ts";
import { countedValue, stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";
export {
  type Campaign,
  CAMPAIGN_FIELDS,
  CAMPAIGN_PARAMETERS,
  type CampaignField,
  hasCampaign,
  OTHER_VALUES,
};

/** Reads the campaign from the query of a URL. A parameter that is empty or given more than once counts as absent. */
export function campaignIn(query: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const field of CAMPAIGN_FIELDS) {
    const [value, ...repeats] = query.getAll(CAMPAIGN_PARAMETERS[field]);
    if (value && repeats.length === 0) campaign[field] = campaignValue(value);
  }
  return campaign;
}

/** The greatest number of values of one campaign field that have counters of their own. */
export const MAX_COUNTED_VALUES = 200;

/** The values that have counters of their own, for each field. */
export type CountedValues = Record<CampaignField, string[]>;

/**
 * Gives those values of a person's campaign under which the person is counted after a change of the record, but was
 * not counted before.
 */
export function valuesToCount(before: SignUpRecord | undefined, after: SignUpRecord): Campaign {
  const campaign: Campaign = {};
  for (const field of CAMPAIGN_FIELDS) {
    const value = countedValue(after, field);
    const wasCounted = before !== undefined && countedValue(before, field) === value;
    if (value !== undefined && !wasCounted) campaign[field] = value;
  }
  return campaign;
}

/**
 * Gives each value of a campaign a counter of its own, unless too many values of the same field have counters already.
 * @param countedValues the values that already have counters of their own
 * @param maxValues the greatest number of values of one field that have counters of their own
 * @returns all values that then have counters of their own, and the fields whose values are counted as `other`
 */
export function assignCounters(
  campaign: Campaign,
  countedValues: CountedValues,
  maxValues: number,
): { values: CountedValues; fieldsAsOther: CampaignField[] } {
  const fieldsAsOther: CampaignField[] = [];
  let values = countedValues;
  for (const field of CAMPAIGN_FIELDS) {
    const value = campaign[field];
    if (value === undefined || value === OTHER_VALUES || values[field].includes(value)) continue;
    if (values[field].length >= maxValues) fieldsAsOther.push(field);
    else values = { ...values, [field]: [...values[field], value] };
  }
  return { values, fieldsAsOther };
}

/**
 * Notes in a record which fields of the campaign are counted as `other`. The record of an unconfirmed person has no
 * such note, because the campaign of an unconfirmed person is not counted.
 */
export function noteCountedAsOther(record: SignUpRecord, fields: CampaignField[]): SignUpRecord {
  const { countedAsOther = [], ...recordWithoutNote } = record;
  if (stateOf(record) === "unconfirmed") {
    return countedAsOther.length > 0 ? recordWithoutNote : record;
  }
  return fields.length > 0 ? { ...record, countedAsOther: [...countedAsOther, ...fields] } : record;
}
