/** The names of the columns of an import file: how names are compared, and the names that mean a field. @module */
import { CAMPAIGN_FIELDS, CAMPAIGN_PARAMETERS } from "../campaigns.ts";
import { trimInvisible } from "../invisible.ts";
import { INVITED_FIELDS } from "../signup_formats.ts";

/**
 * Returns the name of a column in the form in which names are compared: only its letters and digits, in lower case. For
 * example, "UTM Source" and "utm_source" have the same form. A name without letters and digits keeps its other
 * characters, because it is a name nevertheless.
 */
export function plainName(name: string): string {
  const lowerCase = trimInvisible(name).toLowerCase();
  return lowerCase.replace(/[^\p{L}\p{M}\p{N}]/gu, "") || lowerCase;
}

/**
 * The fields by their names in the form of {@linkcode plainName}. Other tools name the fields of a campaign as the
 * query of a URL does, or as the console does.
 */
export const FIELDS_BY_PLAIN_NAME: ReadonlyMap<string, string> = new Map<string, string>([
  ...INVITED_FIELDS.map((field) => [plainName(field), field] as const),
  ...CAMPAIGN_FIELDS.map((field) => [plainName(CAMPAIGN_PARAMETERS[field]), field] as const),
  ["campaignsource", "utmSource"],
  ["campaignmedium", "utmMedium"],
  ["campaignname", "utmCampaign"],
]);

/**
 * The columns that the file of the refused rows has after the columns of the imported file: the number of the line, and
 * the reason. An import of the corrected file leaves these columns out.
 */
export const REFUSED_ROWS_COLUMNS = ["refused line", "refused because"] as const;
