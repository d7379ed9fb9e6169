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

/** A value that people have, and the field that has it. */
interface CampaignValue {
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
  const valuesOfPeople = recounted.flatMap(({ counter: [kind, value = ""] }): CampaignValue[] =>
    CAMPAIGN_FIELDS.filter((field) => field === kind && mayHaveCounter(value))
      .map((field) => ({ field, value }))
  );
  return await commitChange(kv, async () => {
    const [entry] = await readMany<CountedValues>(kv, [CAMPAIGN_VALUES]);
    const values: CountedValues = { ...NO_COUNTED_VALUES, ...entry?.value };
    const missing = valuesOfPeople.filter(({ field, value }) => !values[field].includes(value));
    // If nobody came by a campaign, a list that cannot be read lacks no value. Such a list counts as one missing value.
    const isUnreadable = !entry && missing.length === 0;
    if (!repairs) {
      const areMissing = await Promise.all(missing.map((value) => isMissingNow(kv, value)));
      return { result: () => areMissing.filter(Boolean).length + Number(isUnreadable) };
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
async function isMissingNow(kv: Kv, { field, value }: CampaignValue): Promise<boolean> {
  const keys = [CAMPAIGN_VALUES, counterKey([field, value])];
  const [list, counter] = await readMany<CountedValues | number>(kv, keys);
  // The casts are safe, because each key has values of one type.
  const values = list?.value as CountedValues | null | undefined;
  return Number(counter?.value ?? 0) > 0 && !values?.[field].includes(value);
}
