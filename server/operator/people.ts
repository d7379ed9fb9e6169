/**
 * The operations that list, show, remind and erase people. Also shows people and their letters in the answers of other
 * operations; what an operator sees of a person depends on the role. @module
 */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import {
  addressSchema,
  dateOrDateTimeSchema,
  flagSchema,
  pagePlaceSchema,
  peopleQuerySchema,
  selectionSchemas,
  stateSchema,
} from "../../shared/people_query.ts";
import { mayCall } from "../../shared/roles.ts";
import { type AuditStore, writeCompletion } from "../store/audit/mod.ts";
import type { WaveStore } from "../store/invitations/mod.ts";
import {
  type AddressedRecord,
  describeLetter,
  type PeopleStore,
  type ReferralLinks,
} from "../store/people/mod.ts";
import {
  expiryOf,
  rejectedLettersOf,
  type SelfServiceUrls,
  toOperatorSignup,
  toOperatorSignupWithLink,
} from "../waitlist/mod.ts";
import { type OperatorFailure, switchedOffFailure, unknownAddressFailure } from "./failure.ts";
import { addressBodySchema, addressesSchema, boundedTextSchema, trueSchema } from "./fields.ts";
import type { Caller, Operations } from "./operation.ts";
import { describeItem } from "./outbox_item.ts";

/** How many referred people {@linkcode showPerson} lists at most. */
const MAX_REFERRED = 50;

const countSignupsSchema: z.ZodType<Schemas.SignupCountRequest> = z.strictObject({
  ...selectionSchemas,
  after: pagePlaceSchema.exactOptional(),
});

const showSignupSchema: z.ZodType<Schemas.ShowRequest> = z.strictObject({
  email: addressSchema.exactOptional(),
  id: boundedTextSchema(64, "give the 'id' that a list shows").exactOptional(),
  export: flagSchema.exactOptional(),
});

const remindSignupsSchema: z.ZodType<Schemas.ReminderRequest> = z.strictObject({
  emails: addressesSchema.exactOptional(),
  all: trueSchema,
});

const eraseSignupsSchema: z.ZodType<Schemas.StateErasure> = z.strictObject({
  state: stateSchema,
  before: dateOrDateTimeSchema,
  dryRun: flagSchema.exactOptional(),
});

interface PeopleNeeds extends
  Pick<
    PeopleStore,
    | "listPeople"
    | "countSelection"
    | "findSignUp"
    | "findPersonById"
    | "readPlace"
    | "findConsentText"
    | "sendsLetters"
    | "readNextReminder"
    | "remindPeople"
    | "eraseSignUp"
    | "erasePeople"
    | "countPeople"
    | "readReferrals"
    | "findReferralLinks"
    | "readLettersTo"
    | "findOutboxItems"
    | "readWaitingLetters"
  >,
  Pick<WaveStore, "findInvitationUrl" | "readNextInvitation" | "findWaveEntry">,
  Pick<AuditStore, "writeAuditEntry" | "readHistory"> {
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl">;
  /** The number of days that a person has to confirm. */
  unconfirmedDays: number;
}

type PeopleOperations = Pick<
  Operations,
  "listSignups" | "countSignups" | "showSignup" | "remindSignups" | "eraseSignup" | "eraseSignups"
>;

/** Makes the operations that list, show, remind and erase people. */
export function peopleOperations(needs: PeopleNeeds): PeopleOperations {
  const { listPeople, countSelection, findSignUp, findPersonById, readReferrals } = needs;
  const { readWaitingLetters } = needs;
  const { sendsLetters, eraseSignUp, writeAuditEntry, selfServiceUrls } = needs;
  return {
    listSignups: {
      body: peopleQuerySchema,
      async act({ withPlaceUrl = true, ...query }, call) {
        const page = await listPeople(query);
        const people = await showListedPeople(call, page.people, {
          readReferrals,
          selfServiceUrls: withPlaceUrl ? selfServiceUrls : undefined,
        });
        const letterWaits = await readWaitingLetters(page.people);
        return {
          ...page,
          people: people.map((person, index) => ({
            ...person,
            ...letterWaits[index] && { letterWaits: true as const },
          })),
        };
      },
    },

    countSignups: {
      body: countSignupsSchema,
      // The position `after` comes from a list or from an earlier count. A position from a list does not say how many
      // people were counted before (`hits`), so the count begins with 0.
      act: ({ after, ...selection }) => countSelection(selection, after && { hits: 0, ...after }),
    },

    showSignup: {
      body: showSignupSchema,
      async act({ email: address, id, export: isExport }, call) {
        if ((address === undefined) === (id === undefined)) {
          const message = "Give either 'email', an address, or 'id', that of a record.";
          return { failure: "invalid_request", message };
        }
        if (isExport && !mayExport(call)) return call.forbid();
        const person = address === undefined
          ? await findPersonById(id!)
          : await findSignUp(address);
        if (!person) return address === undefined ? unknownIdFailure() : unknownAddressFailure();
        if ("erasedAt" in person) return unknownAddressFailure(person.erasedAt);
        // The audit entry is written first, so that no record is exported without an audit entry.
        if (isExport) {
          await writeAuditEntry(await call.auditEntryAbout([person.email], { export: true }));
        }
        return await showPerson(person, call, needs);
      },
    },

    remindSignups: {
      body: remindSignupsSchema,
      async act({ emails, all }, call) {
        if ((emails === undefined) === (all === undefined)) {
          const message = "Give either 'emails', the addresses of people, or 'all' as true.";
          return { failure: "invalid_request", message };
        }
        if (!sendsLetters) return switchedOffFailure("e-mails", "MAIL_URL");
        const entry = await call.auditEntryAbout(emails);
        return { lines: reminderLines(emails, entry, needs) };
      },
    },

    eraseSignup: {
      body: addressBodySchema,
      act: async ({ email }, call) =>
        await eraseSignUp(email, call.auditEntry()) ?? unknownAddressFailure(),
    },

    eraseSignups: {
      body: eraseSignupsSchema,
      act(request, call) {
        const { state, before } = request;
        const entry = call.auditEntry({ state, before });
        return { lines: erasureLines(request, entry, needs) };
      },
    },
  };
}

/** Gives what the service keeps about a person, as the caller's role may see it. */
async function showPerson(
  person: AddressedRecord,
  call: Caller,
  needs: PeopleNeeds,
): Promise<Schemas.ShownSignup> {
  const { record } = person;
  const { proof, confirmations, lastLetters, linkAt, corrections, imported } = record;
  const [shownPerson] = await showPeople(call, [person], needs);
  const referralLinks = mayExport(call)
    ? await needs.findReferralLinks(record, MAX_REFERRED)
    : undefined;
  const mayBeReminded = needs.sendsLetters && record.state === "unconfirmed" &&
    !record.undeliverableAt;
  // Without mail, nobody can confirm, so the service erases nobody.
  const confirmBy = needs.sendsLetters ? expiryOf(record, needs.unconfirmedDays) : undefined;
  // A person who has accepted needs no link any more.
  const invitationUrl = mayExport(call) && record.state === "invited" &&
    await needs.findInvitationUrl(record);
  const place = await needs.readPlace(record);
  const outboxItems = await needs.findOutboxItems(record);
  const wording = proof && await needs.findConsentText(proof.consentText);
  const log = await needs.readLettersTo(record.id);
  return {
    ...shownPerson!,
    ...place !== undefined && { place },
    ...referralLinks && describeReferralLinks(referralLinks),
    ...confirmations && { confirmations },
    ...mayBeReminded && await needs.readNextReminder(person),
    ...confirmBy !== undefined && { confirmBy: new Date(confirmBy).toISOString() },
    ...needs.sendsLetters && record.state === "invited" && await needs.readNextInvitation(person),
    ...invitationUrl && { invitationUrl },
    ...lastLetters && { lastLetters },
    ...linkAt && { linkAt },
    ...wording && { wording },
    ...corrections && { corrections },
    ...imported && { imported },
    ...outboxItems.length > 0 && { outboxItems: outboxItems.map(describeItem) },
    letterLog: log.map((letter) => describeLetter(letter, record, { items: outboxItems, log })),
    history: await readHistoryWithWave(person, needs),
  };
}

/** How many entries a history has at most, as the OpenAPI document says. */
const MAX_HISTORY = 100;

/**
 * Reads the history of a person, with the start of the wave that invited the person. The audit log does not name the
 * people of a wave, so the history of the audit log has this entry only if the wave was for this person alone.
 */
async function readHistoryWithWave(
  { email, record }: AddressedRecord,
  { readHistory, findWaveEntry }: Pick<PeopleNeeds, "readHistory" | "findWaveEntry">,
): Promise<Schemas.AuditEntry[]> {
  const history = await readHistory(email, record);
  const { wave, invitedAt } = record;
  const waveEntry = wave !== undefined && invitedAt ? await findWaveEntry(wave) : undefined;
  // A schedule starts its waves without an operator. An imported invitation can be older than a wave with the same id.
  const isByOperator = waveEntry?.operator !== undefined && waveEntry.at <= invitedAt!;
  if (!isByOperator || history.some(({ id }) => id === waveEntry.id)) return history;
  return [...history, waveEntry].sort((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_HISTORY);
}

/** Gives the members about referrals: by whose link the person joined, and who joined by the link of the person. */
function describeReferralLinks({ referrer, referredPeople, moreReferred }: ReferralLinks) {
  return {
    ...referrer && { referrer },
    ...referredPeople.length > 0 && { referredPeople, moreReferred },
  };
}

function unknownIdFailure(): OperatorFailure {
  const message = "Nobody on the waitlist has this id. Look for the person with 'signups list'.";
  return { failure: "unknown", message };
}

/** Reminds people, and gives the lines of the answer. Without `emails`, everybody who may be reminded gets a letter. */
async function* reminderLines(
  emails: string[] | undefined,
  entry: Schemas.AuditEntry,
  { remindPeople, writeAuditEntry }: Pick<PeopleNeeds, "remindPeople" | "writeAuditEntry">,
): AsyncGenerator<(Schemas.Progress | Schemas.NotReminded | Schemas.ReminderEnd)[]> {
  const counts = { reminded: 0, notReminded: 0 };
  for await (const outcomes of remindPeople(emails, entry)) {
    const notReminded: Schemas.NotReminded[] = [];
    for (const { email, outcome } of outcomes) {
      if (outcome === "reminded") counts.reminded++;
      else notReminded.push({ notReminded: { email, reason: outcome } });
    }
    counts.notReminded += notReminded.length;
    entry.details = { ...counts };
    yield [{ progress: counts.reminded }, ...emails ? notReminded : []];
  }
  if (counts.reminded > 0) await writeCompletion(writeAuditEntry, entry);
  yield [{ complete: true, ...counts }];
}

/** Erases the people in a state, and gives the lines of the answer. A dry run only counts them. */
async function* erasureLines(
  { state, before, dryRun }: Schemas.StateErasure,
  entry: Schemas.AuditEntry,
  { countPeople, erasePeople, writeAuditEntry }: Pick<
    PeopleNeeds,
    "countPeople" | "erasePeople" | "writeAuditEntry"
  >,
): AsyncGenerator<[Schemas.Progress] | [Schemas.StateErasureEnd]> {
  const selection = { state, before };
  let erased = 0;
  const counts = dryRun ? countPeople(selection) : erasePeople(selection, entry);
  for await (const count of counts) {
    erased += count;
    entry.details = { ...selection, erased };
    yield [{ progress: erased }];
  }
  if (!dryRun && erased > 0) await writeCompletion(writeAuditEntry, entry);
  yield [{ complete: true, erased }];
}

/** Whether a caller may export the waitlist. */
export const mayExport = ({ operator }: Caller): boolean => mayCall(operator.role, "exportSignups");

/** What {@linkcode showPeople} needs besides the caller and the people. */
export interface ShowNeeds extends Pick<PeopleStore, "readReferrals"> {
  /** Makes the links to the self-service pages of people. If `undefined`, people are shown without these links. */
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl"> | undefined;
}

/**
 * Gives people as the caller's role may see them. If the role may not export the list, people have no codes and no
 * links.
 */
export async function showPeople(
  caller: Caller,
  people: AddressedRecord[],
  { readReferrals, selfServiceUrls }: ShowNeeds,
): Promise<Schemas.StoredSignup[]> {
  const referrals = await readReferrals(people.map(({ record }) => record));
  const shownPeople = people.map(({ email, record }, index) => ({
    ...selfServiceUrls
      ? toOperatorSignupWithLink(email, record, selfServiceUrls)
      : toOperatorSignup(email, record),
    ...referrals[index],
    id: record.id,
  }));
  return mayExport(caller) ? shownPeople : shownPeople.map(withoutCodesAndLinks);
}

/**
 * Gives people as {@linkcode showPeople} does, and names a refused letter of each person, if there is one, with the time
 * and the answer of the mail server.
 */
export async function showListedPeople(
  caller: Caller,
  people: AddressedRecord[],
  needs: ShowNeeds,
): Promise<Schemas.ListedSignup[]> {
  const shownPeople = await showPeople(caller, people, needs);
  return shownPeople.map((shown, index) => {
    const { record } = people[index]!;
    const [refusedLetter] = rejectedLettersOf(record);
    if (!refusedLetter) return shown;
    const { refusedAt, answer } = record.lastLetters?.[refusedLetter] ?? {};
    return {
      ...shown,
      refusedLetter,
      ...refusedAt !== undefined &&
        { refusal: { at: refusedAt, ...answer !== undefined && { answer } } },
    };
  });
}

/** Leaves out the codes and the links of a person. */
function withoutCodesAndLinks(
  {
    invitationCode: _invitationCode,
    referralCode: _referralCode,
    referredBy: _referredBy,
    placeUrl: _placeUrl,
    ...others
  }: Schemas.StoredSignup & { placeUrl?: string },
): Schemas.StoredSignup {
  return others;
}
