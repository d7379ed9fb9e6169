/** Recognises columns in the exports of other tools, and proposes a value of `--map` for them. @module */
import { quotable } from "../../../../shared/api_failure.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";

/**
 * The names of columns by what they hold, the best first, without the characters between words. They are those of
 * Mailchimp, HubSpot, Google Forms (in English and German), Airtable and Ghost, and those that people type into a
 * spreadsheet. The time of an opt-in, or of its confirmation, is taken for the time of the consent,
 * because these tools have no other.
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

/** What `--map` could say. */
export interface Proposal {
  /** The value of `--map`. */
  map: string;
  /** The end of a sentence that proposes it. */
  advice: string;
}

/**
 * Proposes fields for the columns that are not known.
 *
 * @param taken fields that other columns hold
 */
export function proposeMap(unknown: string[], taken: string[]): Proposal | undefined {
  const words = unknown.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const pairs: [column: string, field: string][] = [];
  for (const [field, names] of Object.entries(NAMES)) {
    if (taken.includes(field)) continue;
    const index = names.map((name) => words.indexOf(name)).find((at) => at >= 0);
    const column = trimInvisible(unknown[index ?? -1] ?? "");
    // What cannot be copied from a message is not proposed.
    if (column !== "" && quotable(column, 80) === column) pairs.push([column, field]);
  }
  if (pairs.length === 0) return undefined;
  const map = pairs.map((pair) => pair.join("=")).join(",");
  const isComplete = unknown.length === pairs.length;
  const flags = `--map ${quoteForShell(map)}${isComplete ? "" : " --ignore-unknown"}`;
  const fields = [...taken, ...pairs.map(([, field]) => field)];
  const missing = ["email", "consentedAt"].filter((field) => !fields.includes(field));
  const also = missing.map((field) => `, and the column that holds ${MEANINGS[field]} as ${field}`);
  return { map, advice: `add ${flags}, if you agree${also.join("")}` };
}

const MEANINGS: Record<string, string> = {
  email: "the address",
  consentedAt: "the time of the consent",
};

/** One word for the shells of all systems, where the text permits it. */
function quoteForShell(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
