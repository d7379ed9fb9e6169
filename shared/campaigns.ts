/**
 * The campaign that brought a person: its fields in the person's record, and its parameters in the query of a URL.
 *
 * @module
 */

/** The fields of a record that tell the campaign. */
export const CAMPAIGN_FIELDS = ["utmSource", "utmMedium", "utmCampaign"] as const;

/** A field of a record that tells the campaign. */
export type CampaignField = typeof CAMPAIGN_FIELDS[number];

/** The parameters of a URL's query from which a sign-up reads the fields. */
export const CAMPAIGN_PARAMETERS = {
  utmSource: "utm_source",
  utmMedium: "utm_medium",
  utmCampaign: "utm_campaign",
} as const satisfies Record<CampaignField, string>;

/** The name under which all values of a field that have no counter of their own are counted together. */
export const OTHER_VALUES = "other";

/** The campaign that brought a person. A field that the link did not have is absent. */
export type Campaign = { [Field in CampaignField]?: string };

/** The greatest number of characters of a value. */
const MAX_LENGTH = 40;

/**
 * Returns the value that a record keeps: in lower case, with `-` for each character but `a-z`, `0-9`, `_` and `-`, and
 * cut after 40 characters.
 */
export const campaignValue = (text: string): string =>
  text.toLowerCase().replace(/[^a-z0-9_-]/gu, "-").slice(0, MAX_LENGTH);

/** Returns the parameters of a URL's query that name a campaign. */
export const campaignParameters = (campaign: Campaign): Record<string, string> =>
  Object.fromEntries(
    CAMPAIGN_FIELDS.flatMap((field) => {
      const value = campaign[field];
      return value === undefined ? [] : [[CAMPAIGN_PARAMETERS[field], value]];
    }),
  );

/** The campaign in a record, and the fields whose values in this record have no counter of their own. */
export interface CountedCampaign extends Campaign {
  /** The fields whose values are counted as {@linkcode OTHER_VALUES}. */
  countedAsOther?: CampaignField[];
}

/** Whether a campaign or a record has at least one field of a campaign. */
export const hasCampaign = (campaign: Campaign): boolean =>
  CAMPAIGN_FIELDS.some((field) => campaign[field] !== undefined);

/** Returns a record without the campaign, and without the note of how the campaign is counted. */
export function withoutCampaign<Person extends CountedCampaign>(
  { utmSource: _, utmMedium: _medium, utmCampaign: _name, countedAsOther: _other, ...others }:
    Person,
): Omit<Person, keyof CountedCampaign> {
  return others;
}
