/**
 * Recognises the columns in exports of other tools, and proposes fields for them.
 *
 * @module
 */
import { quotable } from "../api_failure.ts";
import { trimInvisible } from "../invisible.ts";
import { ownMember } from "../own_member.ts";
import { FIELDS_BY_PLAIN_NAME, plainName } from "./names.ts";

/**
 * The names of columns in other tools by field, in the form of `plainName()`, the best name first. The names come from
 * Mailchimp, HubSpot, Google Forms (in English and German), Tally, Typeform, Airtable, Brevo and Ghost, and from
 * spreadsheets that people make. In exports of forms, the names are questions.
 *
 * The time of an opt-in, or of its confirmation, counts as the time of the consent, because these tools have no other
 * time of the consent (decisions, "Import of other tools' files"). The names of the time of a sign-up are listed for
 * two fields. `consentedAt` comes before `createdAt`, so such a column is proposed as the time of the consent unless
 * the file has another column for the consent. The same holds for a column that is only called a date, but this column
 * is never proposed as `createdAt`.
 */
const COLUMN_NAMES: Record<
  "email" | "consentedAt" | "createdAt" | "lang" | "role" | "building" | "utmCampaign",
  string[]
> = {
  email: listNames(`
    email emailaddress emailadresse mail mailadresse subscriberemail
    contactemail youremail youremailaddress whatsyouremail whatisyouremail whatsyouremailaddress
    whatisyouremailaddress ihreemail ihreemailadresse deineemail deineemailadresse
  `),
  consentedAt: listNames(`
    optintime optindate optinat optintimestamp optedinat optedin
    confirmtime confirmedat confirmeddate confirmationtime confirmationdate
    consenttime consentdate consentat consenton consenttimestamp consentgivenat consentgivenon consented
    timeoftheconsent timeofconsent dateoftheconsent dateofconsent
    einwilligungam einwilligungvom einwilligungsdatum einwilligungszeit einwilligungszeitpunkt datumdereinwilligung
    zeitpunktdereinwilligung zeitdereinwilligung einwilligung eingewilligtam zustimmungam datumderzustimmung zustimmung
    zugestimmtam bestätigtam bestätigungam bestätigungsdatum datumderbestätigung zeitpunktderbestätigung bestätigt
    timestamp submittedat submissiontime submissiondate submitdate submitdateutc zeitstempel
    subscribedat subscribedon subscribedate subscriptiondate
    signedupat signupat signuptime signupdate anmeldedatum anmeldungam datumderanmeldung angemeldetam
    joinedat joinedon joindate datejoined registeredat registrationdate registriertam registrierungsdatum
    date datum
  `),
  createdAt: listNames(`
    createdate createddate createdtime created creationdate
    createdon dateadded addedat addedon addtime addedtime dateaddedutc
    erstelltam erstelldatum erstellt hinzugefügtam angelegtam
    firstsignup signedupat signupat signuptime signupdate anmeldedatum anmeldungam datumderanmeldung angemeldetam
    joinedat joinedon joindate datejoined registeredat registrationdate registriertam registrierungsdatum
  `),
  lang: listNames("language preferredlanguage languagecode locale sprache"),
  role: listNames(`
    role jobrole yourrole yourjobrole jobtitle yourjobtitle jobfunction
    whatsyourrole whatisyourrole whatsyourjobtitle whatisyourjobtitle whichrolebestdescribesyou
    rolle ihrerolle deinerolle wasistihrerolle wasistdeinerolle berufsbezeichnung funktion ihrefunktion
    occupation profession beruf job position
  `),
  building: listNames(`
    building usecase yourusecase whatareyoubuilding whatareyouplanningtobuild whatdoyouwanttobuild
    whatwillyoubuild whatwouldyouliketobuild whatareyouworkingon whatsyourusecase whatisyourusecase
    anwendungsfall verwendungszweck einsatzzweck
    wasbauensie wasbaustdu wasmöchtensiebauen wasmöchtestdubauen woranarbeitensie woranarbeitestdu
  `),
  utmCampaign: listNames("campaign kampagne"),
};

function listNames(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The fields without which no row can be imported, and what their columns hold, for messages. */
export const REQUIRED_FIELDS = { email: "the address", consentedAt: "the time of the consent" };

/** The longest name of a column that is proposed, in characters. */
const MAX_NAME_LENGTH = 80;

/** A field for a column with an unknown name. */
export interface FieldProposal {
  column: string;
  field: string;
}

/**
 * Proposes fields for columns with unknown names, in the order of the fields in {@linkcode COLUMN_NAMES}. A column is
 * proposed for one field only.
 *
 * @param usedFields the fields that other columns hold
 */
export function proposeFields(unknownColumns: string[], usedFields: string[]): FieldProposal[] {
  const proposals: FieldProposal[] = [];
  let columns = unknownColumns;
  for (const [field, names] of Object.entries(COLUMN_NAMES)) {
    if (usedFields.includes(field)) continue;
    const column = findColumn(columns, names);
    if (column === undefined) continue;
    proposals.push({ column, field });
    columns = columns.filter((name) => plainName(name) !== plainName(column));
  }
  return proposals;
}

/** Returns the columns whose names mean a field, here or in other tools. */
export function columnsThatFit(field: string, columns: string[]): string[] {
  const foreignNames = ownMember(COLUMN_NAMES, field) ?? [];
  return columns.filter((column) => {
    const name = plainName(column);
    return FIELDS_BY_PLAIN_NAME.get(name) === field || foreignNames.includes(name);
  });
}

/**
 * Returns the column with the best name: the earliest in `names`. `undefined` if no column has one of the names, or if
 * the best column has a name that a message cannot show whole.
 */
function findColumn(columns: string[], names: string[]): string | undefined {
  const plainNames = columns.map(plainName);
  const best = names.find((name) => plainNames.includes(name));
  if (best === undefined) return undefined;
  const column = trimInvisible(columns[plainNames.indexOf(best)]!);
  // A name that is too long or has invisible characters is not proposed, because it cannot be copied from a message.
  return quotable(column, MAX_NAME_LENGTH) === column ? column : undefined;
}
