/**
 * Decides, in the commits that change people, by which counters the campaigns of people are counted, and keeps the list
 * of counted values, which are the values with a counter of their own. `waitlist/campaigns.ts` has the rules, and
 * `campaign_check.ts` compares the list with the records. @module
 */
import {
  assignCounters,
  type Campaign,
  CAMPAIGN_FIELDS,
  type CampaignField,
  type CountedValues,
  hasCampaign,
  MAX_COUNTED_VALUES,
  noteCountedAsOther,
  OTHER_VALUES,
  type SignUpRecord,
  valuesToCount,
} from "../../waitlist/mod.ts";
import { CAMPAIGN_VALUES, type Commit, counterKey, type Kv, type MaybeEntry } from "../kv/mod.ts";
import { readWithRoom, type ValueList } from "./known_values.ts";

/** The list of counted values as long as no value is counted. */
export const NO_COUNTED_VALUES: CountedValues = { utmSource: [], utmMedium: [], utmCampaign: [] };

/** Describes the list of counted values. */
const COUNTED_VALUES_LIST: ValueList<CampaignField> = {
  key: CAMPAIGN_VALUES,
  kinds: { utmSource: "utmSource", utmMedium: "utmMedium", utmCampaign: "utmCampaign" },
  maxPerField: MAX_COUNTED_VALUES,
};

/** A person who changes in a commit. */
interface PersonInCommit {
  email: string;
  entry: Pick<MaybeEntry<SignUpRecord>, "value"> | undefined;
  change: { record: SignUpRecord } | { leaves: string };
  /** The address before a correction. The same commit removes the record of this address. */
  formerEmail?: string;
  /** The campaign of a repeated sign-up. The record does not keep this campaign. */
  repeatedCampaign?: Campaign | undefined;
}

/** The changes of the list of counted values in a commit. */
export interface CampaignChanges {
  /** Decides by which counters the campaign of a person is counted, and gives the record with this decision. */
  decideCounters: (person: PersonInCommit, record: SignUpRecord) => SignUpRecord;
  /**
   * Adds the list of counted values to the commit if the list has new values, and adds a check that nobody has changed
   * the list since it was read.
   */
  writeTo: (commit: Commit) => void;
}

/**
 * Prepares the changes of the list of counted values in a commit. Reads the list only if a person begins to be counted
 * by a campaign, or repeats a sign-up with a campaign. The repeat changes no count, but it causes the same reads and
 * writes as a first sign-up, so that the time of the answer does not tell whether an address is known.
 */
export async function createCampaignChanges(
  kv: Kv,
  people: PersonInCommit[],
): Promise<CampaignChanges> {
  const campaigns = people.flatMap((person) => [
    "record" in person.change ? newValuesOf(person, person.change.record, people) : {},
    person.repeatedCampaign ?? {},
  ]).filter(hasCampaign);
  const listEntry = campaigns.length > 0 ? await readCountedValues(kv, campaigns) : undefined;
  // If the list cannot be read, there is no room for values, so that new people are counted as `other`.
  const maxValues = listEntry ? MAX_COUNTED_VALUES : 0;
  const storedValues: CountedValues = { ...NO_COUNTED_VALUES, ...listEntry?.value };
  let countedValues = storedValues;

  /** Adds the values of a campaign to the list. @returns the fields for whose value the list has no room */
  function addToList(campaign: Campaign): CampaignField[] {
    const { values, fieldsAsOther } = assignCounters(campaign, countedValues, maxValues);
    countedValues = values;
    return fieldsAsOther;
  }

  /**
   * Adds to a commit, for a repeated sign-up with a campaign, the same writes as for a first sign-up. The writes change
   * no count.
   */
  function writeRepeat(commit: Commit, campaign: Campaign): void {
    // Adds the values to the list as for a new person. Otherwise, the writes of later commits with these values would
    // tell that the address is known. A value that nobody has leaves the list when a new value needs room.
    addToList(campaign);
    for (const field of CAMPAIGN_FIELDS) {
      const value = campaign[field];
      if (value === undefined) continue;
      const countedAs = countedValues[field].includes(value) ? value : OTHER_VALUES;
      commit.add(counterKey([field, countedAs]), 0);
    }
  }

  return {
    decideCounters: (person, record) =>
      noteCountedAsOther(record, addToList(newValuesOf(person, record, people))),

    writeTo(commit) {
      if (!listEntry) return;
      commit.check(listEntry);
      for (const { repeatedCampaign = {} } of people) writeRepeat(commit, repeatedCampaign);
      if (countedValues !== storedValues) commit.set(CAMPAIGN_VALUES, countedValues);
    },
  };
}

/** Gives the values under which a person is counted after the change, but was not counted before. */
function newValuesOf(
  person: PersonInCommit,
  record: SignUpRecord,
  people: PersonInCommit[],
): Campaign {
  // If the address is corrected, the record before the commit is the record of the former address.
  const personBefore = person.formerEmail === undefined
    ? person
    : people.find(({ email }) => email === person.formerEmail);
  return valuesToCount(personBefore?.entry?.value ?? undefined, record);
}

/**
 * Reads the list of counted values, and makes room in it for the values of campaigns.
 * @returns `undefined` if the list cannot be read
 */
async function readCountedValues(
  kv: Kv,
  campaigns: Campaign[],
): Promise<MaybeEntry<CountedValues> | undefined> {
  const valuesOf = (field: CampaignField) =>
    new Set(campaigns.flatMap((campaign) => campaign[field] ?? []).filter(mayHaveCounter));
  const listEntry = await readWithRoom(kv, COUNTED_VALUES_LIST, {
    utmSource: valuesOf("utmSource"),
    utmMedium: valuesOf("utmMedium"),
    utmCampaign: valuesOf("utmCampaign"),
  });
  return "fault" in listEntry ? undefined : listEntry;
}

/** Whether a value can have a counter of its own; `OTHER_VALUES` names the counter of all other values. */
export const mayHaveCounter = (value: string): boolean => value !== OTHER_VALUES;
