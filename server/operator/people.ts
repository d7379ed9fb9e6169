/** The operations on people: to look at them, to ask them again, to mark and to erase them. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { STEPS } from "../../shared/counters.ts";
import { mayCall } from "../../shared/roles.ts";
import { type Call, jsonAnswer } from "../http/mod.ts";
import { type SelfServiceUrls, type SignUpRecord, toExportedSignup } from "../waitlist/mod.ts";
import { toStoredSignup, WAVE_ID } from "../waitlist/mod.ts";
import { auditEntry, auditEntryOf, writeCompletion } from "./audit.ts";
import type { OperatorFailure } from "./failure.ts";
import { addressesInBody, addressInBody, allInBody, badNext, dateOrDateTime } from "./fields.ts";
import {
  dateTimeInBody,
  filterInBody,
  flagInBody,
  limitInBody,
  stateInBody,
  textInBody,
} from "./fields.ts";
import { isOff, onJson, type OperatorDependencies, type OperatorStore } from "./operation.ts";

const badWave = "give the id of a wave";
const count = z.int(badNext).min(0, badNext).exactOptional();

const listSchema: z.ZodType<Schemas.ListRequest> = z.strictObject({
  id: textInBody(64, "give the 'id' that a list shows").exactOptional(),
  state: stateInBody.exactOptional(),
  search: textInBody(254, "give 1 to 254 characters, the beginning of an address").exactOptional(),
  contains: textInBody(254, "give 1 to 254 characters, a part of an address").exactOptional(),
  ...filterInBody,
  wave: z.string(badWave).regex(WAVE_ID, badWave).exactOptional(),
  undeliverable: flagInBody.exactOptional(),
  reached: z.enum(STEPS, `give ${STEPS.join(", ")}`).exactOptional(),
  since: dateOrDateTime.exactOptional(),
  before: dateOrDateTime.exactOptional(),
  newest: flagInBody.exactOptional(),
  withPlaceUrl: flagInBody.exactOptional(),
  limit: limitInBody(500).exactOptional(),
  after: z.strictObject({
    createdAt: dateTimeInBody(badNext),
    email: addressInBody,
    read: count,
    hits: count,
  }, badNext).exactOptional(),
});

const addressSchema: z.ZodType<Schemas.Address> = z.strictObject({ email: addressInBody });

const showSchema: z.ZodType<Schemas.ShowRequest> = z.strictObject({
  email: addressInBody,
  export: flagInBody.exactOptional(),
});

const reminderSchema: z.ZodType<Schemas.ReminderRequest> = z.strictObject({
  emails: addressesInBody.exactOptional(),
  all: allInBody,
});

const erasureSchema: z.ZodType<Schemas.StateErasure> = z.strictObject({
  state: stateInBody,
  before: dateOrDateTime,
  dryRun: flagInBody.exactOptional(),
});

export function peopleOperations(dependencies: OperatorDependencies) {
  const { store, selfServiceUrls, forbid } = dependencies;
  return {
    listSignups: onJson(listSchema, async (request, call) => {
      const { lang, source, role, building, withPlaceUrl = true, ...selection } = request;
      const { search, newest, contains, limit = 50 } = selection;
      const other = newest ? "newest" : contains !== undefined ? "contains" : undefined;
      if (search !== undefined && other) {
        const message = `Fields 'search' and '${other}' exclude each other; leave one out.`;
        return { failure: "invalid_request", message };
      }
      const { people, next, searched } = await store.listPeople({
        ...selection,
        limit,
        search: search?.toLowerCase(),
        contains: contains?.toLowerCase(),
        filter: { lang, source, role, building },
      });
      const total = searched && await store.readTotal();
      const { id, wave, undeliverable, state, reached, since, before } = selection;
      const isCounted = [id, search, contains, wave, undeliverable].every((each) => !each);
      const asked = { state, lang, source, role, building, reached, since, before };
      const counted = searched && !searched.complete && isCounted
        ? await store.readHits(asked)
        : undefined;
      const all = counted === undefined ? {} : { hits: counted, complete: true };
      return jsonAnswer<Schemas.SignupPage>({
        people: people.map((person) =>
          shownTo(call, person, withPlaceUrl ? selfServiceUrls : undefined)
        ),
        ...next && { next },
        ...searched && { searched: { ...searched, ...total !== undefined && { total }, ...all } },
      });
    }),

    showSignup: onJson(showSchema, async ({ email, export: isExport }, call) => {
      const { operator } = call;
      if (isExport && operator && !mayExport(call)) return forbid(operator);
      const known = await store.findSignUp(email);
      if (!known) return unknownAddress();
      if ("erasedAt" in known) return unknownAddress(known.erasedAt);
      if (isExport) {
        const audit = await auditEntryOf([email], call, dependencies, { export: true });
        // It comes first, so that no record leaves the service unnoticed.
        await store.writeAuditEntry(audit);
      }
      const { proof, confirmations, lastLetters, linkAt, corrections } = known.record;
      const wording = proof && await store.findConsentText(proof.consentText);
      return jsonAnswer<Schemas.ShownSignup>({
        ...shownTo(call, { email, record: known.record }, selfServiceUrls),
        ...confirmations && { confirmations },
        ...lastLetters && { lastLetters },
        ...linkAt && { linkAt },
        ...wording && { wording },
        ...corrections && { corrections },
        history: await store.readAuditLogOf(email, known.record),
      });
    }),

    remindSignups: onJson(reminderSchema, async ({ emails, all }, call) => {
      if ((emails === undefined) === (all === undefined)) {
        const message = "Give either 'emails', the addresses of people, or 'all' as true.";
        return { failure: "invalid_request", message };
      }
      if (!store.sendsLetters) return isOff("letters", "MAIL_URL");
      const audit = await auditEntryOf(emails, call, dependencies);
      return { lines: reminderLines(emails, audit, store) };
    }),

    eraseSignup: onJson(addressSchema, async ({ email }, call) => {
      const erasure = await store.eraseSignUp(email, auditEntry(call, dependencies));
      return erasure ? jsonAnswer(erasure) : unknownAddress();
    }),

    eraseSignups: onJson(erasureSchema, (request, call) => {
      const { state, before } = request;
      const audit = auditEntry(call, dependencies, { state, before });
      return { lines: erasureLines(request, audit, store) };
    }),
  };
}

/** Whether a call may download the list. */
export const mayExport = ({ operator }: Call): boolean =>
  !operator || mayCall(operator.role, "exportSignups");

/** A person as a call may see them: who may not download the list sees neither codes nor links. */
export function shownTo(
  call: Call,
  { email, record }: { email: string; record: SignUpRecord },
  urls: Pick<SelfServiceUrls, "placeUrl"> | undefined,
): Schemas.StoredSignup {
  const { id } = record;
  if (mayExport(call)) {
    return { ...urls ? toExportedSignup(email, record, urls) : toStoredSignup(email, record), id };
  }
  const { invitationCode: _, ...shown } = toStoredSignup(email, record);
  return { ...shown, id };
}

export function unknownAddress(erasedAt?: string): OperatorFailure {
  const erased = erasedAt ? ` It was erased at ${erasedAt}.` : " Check its spelling.";
  return { failure: "unknown", message: `The address is not on the waitlist.${erased}` };
}

async function* reminderLines(
  emails: string[] | undefined,
  audit: Schemas.AuditEntry,
  store: OperatorStore,
): AsyncGenerator<(Schemas.Progress | Schemas.NotReminded | Schemas.ReminderEnd)[]> {
  const counts = { reminded: 0, notReminded: 0 };
  for await (const people of store.remindPeople(emails, audit)) {
    const notReminded: Schemas.NotReminded[] = [];
    for (const { email, outcome } of people) {
      if (outcome === "reminded") counts.reminded++;
      else notReminded.push({ notReminded: { email, reason: outcome } });
    }
    counts.notReminded += notReminded.length;
    audit.details = { ...counts };
    yield [{ progress: counts.reminded }, ...emails ? notReminded : []];
  }
  if (counts.reminded > 0) await writeCompletion(store, audit);
  yield [{ complete: true, ...counts }];
}

async function* erasureLines(
  { state, before, dryRun }: Schemas.StateErasure,
  audit: Schemas.AuditEntry,
  store: OperatorStore,
): AsyncGenerator<[Schemas.Progress] | [Schemas.StateErasureEnd]> {
  const selection = { state, before };
  let erased = 0;
  const work = dryRun ? store.countPeople(selection) : store.erasePeople(selection, audit);
  for await (const count of work) {
    erased += count;
    audit.details = { ...selection, erased };
    yield [{ progress: erased }];
  }
  if (!dryRun && erased > 0) await writeCompletion(store, audit);
  yield [{ complete: true, erased }];
}
