/**
 * Recognises the columns in exports of other tools, and proposes a `--map` for them.
 *
 * @module
 */
import { quotable } from "../../../../shared/api_failure.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";

/**
 * The names of columns in other tools by field, the best name first, without the characters between words. They come from
 * Mailchimp, HubSpot, Google Forms (in English and German), Airtable and Ghost, and from spreadsheets that people make.
 * The time of an opt-in, or of its confirmation, counts as the time of the consent, because these tools have no other.
 */
const NAMES: Record<string, string[]> = {
  email: [
    ...["email", "emailaddress", "emailadresse", "mail", "mailadresse", "subscriberemail"],
    ...["contactemail", "youremail", "youremailaddress", "ihreemailadresse"],
  ],
  consentedAt: [
    ...["optintime", "optindate", "optinat", "optintimestamp", "optedinat", "optedin"],
    ...["confirmtime", "confirmedat", "confirmeddate", "confirmationtime", "confirmationdate"],
    ...["consenttime", "consentdate", "consentat", "consentgivenat", "consentedat", "consented"],
    ...["einwilligungam", "einwilligung", "eingewilligtam", "bestätigtam", "bestätigt"],
    ...["timestamp", "submittedat", "submissiontime", "submissiondate", "zeitstempel"],
  ],
  createdAt: [
    ...["createdat", "createdate", "createddate", "createdtime", "created", "creationdate"],
    ...["createdon", "dateadded", "addedat", "addedon", "addtime", "dateaddedutc"],
    ...["erstelltam", "erstelldatum", "erstellt", "hinzugefügtam", "angelegtam"],
  ],
};

/** A proposed `--map`. */
export interface Proposal {
  /** The proposed value of `--map`. */
  map: string;
  /** The end of a sentence with the proposal. */
  advice: string;
}

/**
 * Proposes fields for columns with unknown names; `undefined` if it recognises none of them.
 *
 * @param usedFields the fields that other columns hold
 */
export function proposeMap(unknown: string[], usedFields: string[]): Proposal | undefined {
  const words = unknown.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const pairs: [column: string, field: string][] = [];
  for (const [field, names] of Object.entries(NAMES)) {
    if (usedFields.includes(field)) continue;
    const index = names.map((name) => words.indexOf(name)).find((at) => at >= 0);
    const column = trimInvisible(unknown[index ?? -1] ?? "");
    // A name with invisible characters is not proposed, because it cannot be copied from the message.
    if (column !== "" && quotable(column, 80) === column) pairs.push([column, field]);
  }
  if (pairs.length === 0) return undefined;
  const map = pairs.map((pair) => pair.join("=")).join(",");
  const isComplete = unknown.length === pairs.length;
  const flags = `--map ${quoteForShell(map)}${isComplete ? "" : " --ignore-unknown"}`;
  const fields = [...usedFields, ...pairs.map(([, field]) => field)];
  const missing = ["email", "consentedAt"].filter((field) => !fields.includes(field));
  const also = missing.map((field) => `, and the column that holds ${MEANINGS[field]} as ${field}`);
  return { map, advice: `add ${flags}, if you agree${also.join("")}` };
}

const MEANINGS: Record<string, string> = {
  email: "the address",
  consentedAt: "the time of the consent",
};

/** Quotes a text for a shell. It prefers double quotes, which the shells of all systems understand. */
function quoteForShell(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
