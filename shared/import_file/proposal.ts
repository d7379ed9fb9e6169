/**
 * Recognises the columns in exports of other tools, and proposes fields for them.
 *
 * @module
 */
import { quotable } from "../api_failure.ts";
import { trimInvisible } from "../invisible.ts";

/**
 * The names of columns in other tools by field, the best name first, without the characters between words. They come from
 * Mailchimp, HubSpot, Google Forms (in English and German), Airtable and Ghost, and from spreadsheets that people make.
 * The time of an opt-in, or of its confirmation, counts as the time of the consent, because these tools have no other
 * (decisions, "Import of other tools' files").
 */
const COLUMN_NAMES: Record<"email" | "consentedAt" | "createdAt", string[]> = {
  email: listNames(`
    email emailaddress emailadresse mail mailadresse subscriberemail
    contactemail youremail youremailaddress ihreemailadresse
  `),
  consentedAt: listNames(`
    optintime optindate optinat optintimestamp optedinat optedin
    confirmtime confirmedat confirmeddate confirmationtime confirmationdate
    consenttime consentdate consentat consentgivenat consentedat consented
    einwilligungam einwilligung eingewilligtam bestätigtam bestätigt
    timestamp submittedat submissiontime submissiondate zeitstempel
  `),
  createdAt: listNames(`
    createdat createdate createddate createdtime created creationdate
    createdon dateadded addedat addedon addtime dateaddedutc
    erstelltam erstelldatum erstellt hinzugefügtam angelegtam
  `),
};

function listNames(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The fields without which no row can be imported, and what their columns hold, for messages. */
export const REQUIRED_FIELDS = { email: "the address", consentedAt: "the time of the consent" };

/** A field for a column with an unknown name. */
export interface FieldProposal {
  column: string;
  field: string;
}

/**
 * Proposes fields for columns with unknown names.
 *
 * @param usedFields the fields that other columns hold
 */
export function proposeFields(unknownColumns: string[], usedFields: string[]): FieldProposal[] {
  return Object.entries(COLUMN_NAMES)
    .filter(([field]) => !usedFields.includes(field))
    .flatMap(([field, names]) => {
      const column = findColumn(unknownColumns, names);
      return column === undefined ? [] : [{ column, field }];
    });
}

/** Returns the column with the best name: the earliest in `names`. `undefined` if no column has one of the names. */
function findColumn(columns: string[], names: string[]): string | undefined {
  const plainNames = columns.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const best = names.find((name) => plainNames.includes(name));
  if (best === undefined) return undefined;
  const column = trimInvisible(columns[plainNames.indexOf(best)]!);
  // A name with invisible characters is not proposed, because it cannot be copied from a message.
  return quotable(column, MAX_NAME_LENGTH) === column ? column : undefined;
}

/** The longest name of a column that is proposed, in characters. */
const MAX_NAME_LENGTH = 80;
