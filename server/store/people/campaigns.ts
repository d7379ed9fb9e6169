/**
 * Decides, in the commits that change people, by which counters the campaigns of people are counted, and keeps the list
 * of the counted values, which are the values with a counter of their own. `waitlist/campaigns.ts` has the rules.
 * @module
 */
import {
  assignCounters,
  type Campaign,
  CAMPAIGN_FIELDS,
  type CampaignField,
  type CountedValues,
  type CounterValue,
  hasCampaign,
  MAX_COUNTED_VALUES,
  noteCountedAsOther,
  OTHER_VALUES,
  type SignUpRecord,
  valuesToCount,
} from "../../waitlist/mod.ts";
import {
  CAMPAIGN_VALUES,
  Commit,
  commitChange,
  counterKey,
  type Kv,
  type MaybeEntry,
  readMany,
} from "../kv/mod.ts";
import { makeRoom, type ValueList } from "./known_values.ts";

const NO_VALUES: CountedValues = { utmSource: [], utmMedium: [], utmCampaign: [] };

/** The list of the counted values, which is a list of known values. */
const VALUE_LIST: ValueList<CampaignField> = {
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
  /** The campaign of a repeated sign-up, which the record does not keep. */
  repeatedCampaign?: Campaign | undefined;
}

/** The changes of the counted campaigns in a commit. */
export interface CampaignChanges {
  /** Decides by which counters the campaign of a person is counted, and gives the record with this decision. */
  decide: (person: PersonInCommit, record: SignUpRecord) => SignUpRecord;
  /**
   * Adds the list of counted values to the commit if the list has new values, and adds a check that nobody has changed
   * the list since it was read.
   */
  write: (commit: Commit) => void;
}

/**
 * Prepares the changes of the counted campaigns in a commit. Reads the list of counted values only if a person begins
 * to be counted by a campaign, or repeats a sign-up with a campaign. The repeat changes no count, but it causes the
 * same reads and writes as a first sign-up, so that the time of the answer does not tell whether an address is known.
 */
export async function createCampaignChanges(
  kv: Kv,
  people: PersonInCommit[],
): Promise<CampaignChanges> {
  /**
   * Gives the person's record before the commit. If the address is corrected, this is the record of the former address.
   */
  const recordBefore = ({ entry, formerEmail }: PersonInCommit) => {
    const former = formerEmail === undefined
      ? entry
      : people.find(({ email }) => email === formerEmail)?.entry;
    return former?.value ?? undefined;
  };
  const campaigns = people.flatMap((person) => [
    "record" in person.change ? valuesToCount(recordBefore(person), person.change.record) : {},
    person.repeatedCampaign ?? {},
  ]).filter(hasCampaign);
  const entry = campaigns.length > 0 ? await readValues(kv, campaigns) : undefined;
  // If the list cannot be read, there is no room for values, so that new people are counted as `other`.
  const most = entry ? MAX_COUNTED_VALUES : 0;
  let values: CountedValues = { ...NO_VALUES, ...entry?.value };
  let isWritten = false;

  return {
    decide(person, record) {
      const placed = assignCounters(valuesToCount(recordBefore(person), record), values, most);
      isWritten ||= placed.values !== values;
      values = placed.values;
      return noteCountedAsOther(record, placed.fieldsAsOther);
    },

    write(commit) {
      if (!entry) return;
      commit.check(entry);
      for (const { repeatedCampaign = {} } of people) {
        // Adds the values to the list as for a new person. Otherwise, the writes of later commits with these values
        // would tell that the address is known. A value that nobody has leaves the list when a new value needs room.
        const placed = assignCounters(repeatedCampaign, values, most);
        isWritten ||= placed.values !== values;
        values = placed.values;
        for (const field of CAMPAIGN_FIELDS) {
          const value = repeatedCampaign[field];
          if (value === undefined) continue;
          const counted = values[field].includes(value) ? value : OTHER_VALUES;
          commit.add(counterKey([field, counted]), 0);
        }
      }
      if (isWritten) commit.set(CAMPAIGN_VALUES, values);
    },
  };
}

/** Makes room for new values in the list, and reads the list; `undefined` if the list cannot be read. */
async function readValues(
  kv: Kv,
  campaigns: Campaign[],
): Promise<MaybeEntry<CountedValues> | undefined> {
  const valuesOf = (field: CampaignField) =>
    new Set(campaigns.flatMap((campaign) => campaign[field] ?? []).filter(isOwnName));
  const wantedValues = {
    utmSource: valuesOf("utmSource"),
    utmMedium: valuesOf("utmMedium"),
    utmCampaign: valuesOf("utmCampaign"),
  };
  for (;;) {
    const [entry] = await readMany<CountedValues>(kv, [CAMPAIGN_VALUES]);
    if (!entry || !await makeRoom(kv, VALUE_LIST, entry, wantedValues)) return entry;
  }
}

/** Whether a value can have a counter of its own; `OTHER_VALUES` names the counter of all other values. */
const isOwnName = (value: string): boolean => value !== OTHER_VALUES;

/** A value that people have, and the field that has it. */
interface CountedName {
  field: CampaignField;
  value: string;
}

/**
 * Compares the list of counted values with the values that people have.
 * @param recounted the counters as a recount of the records has found them
 * @param options.repairs whether to add missing values to the list
 * @returns how many values the list lacked
 */
export async function checkCampaignValues(
  kv: Kv,
  recounted: CounterValue[],
  { repairs }: { repairs: boolean },
): Promise<number> {
  const counted = recounted.flatMap(({ counter: [kind, value = ""] }): CountedName[] =>
    CAMPAIGN_FIELDS.filter((field) => field === kind && isOwnName(value))
      .map((field) => ({ field, value }))
  );
  return await commitChange(kv, async () => {
    const [entry] = await readMany<CountedValues>(kv, [CAMPAIGN_VALUES]);
    const values: CountedValues = { ...NO_VALUES, ...entry?.value };
    const missing = counted.filter(({ field, value }) => !values[field].includes(value));
    // If nobody came by a campaign, a list that cannot be read lacks no value. It is reported as one missing value.
    const isUnreadable = !entry && missing.length === 0;
    if (!repairs) {
      const faults = await Promise.all(missing.map((name) => isMissing(kv, name)));
      return { result: () => faults.filter(Boolean).length + Number(isUnreadable) };
    }
    if (missing.length === 0 && entry) return { result: () => 0 };
    for (const { field, value } of missing) values[field] = [...values[field], value];
    // A list that cannot be read is replaced without a check, because no commit can check it.
    const commit = entry ? new Commit().check(entry) : new Commit();
    commit.set(CAMPAIGN_VALUES, values);
    return { commit, result: () => missing.length + Number(isUnreadable) };
  });
}

/**
 * Whether the list lacks a value that people have now. Reads the list and the counter of the value at one moment,
 * because both may have changed since the records were counted: the last person with the value may have left.
 */
async function isMissing(kv: Kv, { field, value }: CountedName): Promise<boolean> {
  const keys = [CAMPAIGN_VALUES, counterKey([field, value])];
  const [list, counter] = await readMany<CountedValues | number>(kv, keys);
  // The casts are safe, because each key has values of one type.
  const values = list?.value as CountedValues | null | undefined;
  return Number(counter?.value ?? 0) > 0 && !values?.[field].includes(value);
}
