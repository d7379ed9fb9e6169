/**
 * Compares the list of counted values of campaigns (`campaigns.ts`) with the values that people have, and adds missing
 * values to the list. @module
 */
import {
  CAMPAIGN_FIELDS,
  type CampaignField,
  type CountedValues,
  type CounterValue,
} from "../../waitlist/mod.ts";
import { CAMPAIGN_VALUES, Commit, commitChange, counterKey, type Kv, readMany } from "../kv/mod.ts";
import { mayHaveCounter, NO_COUNTED_VALUES } from "./campaigns.ts";

/** A value of a campaign that people have, and the field of the records in which the value stands. */
interface CampaignValue {
  field: CampaignField;
  value: string;
}

/**
 * Compares the list of counted values with the values that people have, and repairs the list if `repairs` is set.
 * @param recountedCounters the counters as a recount of the records has found them
 * @param options.repairs whether to add missing values to the list
 * @returns how many values the list lacked
 */
export async function checkCampaignValues(
  kv: Kv,
  recountedCounters: CounterValue[],
  { repairs }: { repairs: boolean },
): Promise<number> {
  const valuesOfPeople = recountedCounters.flatMap(({ counter }) => campaignValueOf(counter) ?? []);
  return await commitChange(kv, async () => {
    const [listEntry] = await readMany<CountedValues>(kv, [CAMPAIGN_VALUES]);
    const list: CountedValues = { ...NO_COUNTED_VALUES, ...listEntry?.value };
    const missingValues = valuesOfPeople.filter(({ field, value }) => !list[field].includes(value));
    // If nobody came by a campaign, a list that cannot be read lacks no value. Such a list counts as one missing value.
    const isUnreadable = !listEntry && missingValues.length === 0;
    if (!repairs) {
      const areMissing = await Promise.all(missingValues.map((value) => isMissingNow(kv, value)));
      return { result: () => areMissing.filter(Boolean).length + Number(isUnreadable) };
    }
    if (missingValues.length === 0 && listEntry) return { result: () => 0 };
    for (const { field, value } of missingValues) list[field] = [...list[field], value];
    // A list that cannot be read is replaced without a check, because no commit can check it.
    const commit = listEntry ? new Commit().check(listEntry) : new Commit();
    commit.set(CAMPAIGN_VALUES, list);
    return { commit, result: () => missingValues.length + Number(isUnreadable) };
  });
}

/** Gives the value of a campaign that a counter counts; `undefined` if the counter counts no such value. */
function campaignValueOf(
  [kind, value = ""]: CounterValue["counter"],
): CampaignValue | undefined {
  const field = CAMPAIGN_FIELDS.find((campaignField) => campaignField === kind);
  return field && mayHaveCounter(value) ? { field, value } : undefined;
}

/**
 * Whether the list lacks a value that people have now. Reads the list and the counter of the value at one moment,
 * because both may have changed since the records were counted: the last person with the value may have left.
 */
async function isMissingNow(kv: Kv, { field, value }: CampaignValue): Promise<boolean> {
  const keys = [CAMPAIGN_VALUES, counterKey([field, value])];
  const [listEntry, counterEntry] = await readMany<CountedValues | number>(kv, keys);
  // The casts are safe, because each key has values of one type.
  const list = listEntry?.value as CountedValues | null | undefined;
  return Number(counterEntry?.value ?? 0) > 0 && !list?.[field].includes(value);
}
