import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { quote } from "../runtime/mod.ts";
import type { WaveConflict } from "../store/invitations/mod.ts";
import {
  FILTERS,
  invitationUrl,
  isSafeLink,
  toExportedSignup,
  toStoredSignup,
  type Wave,
  WAVE_ID,
} from "../waitlist/mod.ts";
import { auditEntry, auditEntryOf, writeCompletion } from "./audit.ts";
import type { OperatorFailure } from "./failure.ts";
import { addressesInBody, expiresInBody, filterInBody, flagInBody, notAhead } from "./fields.ts";
import { onJson, type OperatorDependencies } from "./operation.ts";

const waveId = "give 1 to 64 of the characters A-Z, a-z, 0-9, '_' and '-'";
const next = "give a whole number from 1 on";
const link = "give an https: URL of at most 2,000 characters, such as " +
  "https://app.example.com/welcome?code={code}; http: is for loopback hosts";

const invitationSchema: z.ZodType<Schemas.InvitationRequest> = z.strictObject({
  wave: z.string(waveId).regex(WAVE_ID, waveId),
  next: z.int(next).min(1, next).exactOptional(),
  emails: addressesInBody.exactOptional(),
  link: z.string(link).max(2_000, link).refine(isSafeLink, link),
  ...filterInBody,
  letters: flagInBody.default(true),
  expires: expiresInBody.exactOptional(),
  dryRun: flagInBody.exactOptional(),
});

export const invitationOperations = (dependencies: OperatorDependencies) => ({
  inviteSignups: onJson(invitationSchema, async (request, call) => {
    const { store } = dependencies;
    const message = faultOf(request);
    if (message) return { failure: "invalid_request", message };
    const wave = await store.beginWave(request);
    if ("conflict" in wave) return describeConflict(wave, request);
    const { expires } = request;
    if (expires && !wave.done && Date.parse(expires) <= dependencies.now()) {
      return notAhead(expires);
    }
    let audit = auditEntry(call, dependencies);
    // A wave that is done invites nobody else: the call reads its people with their codes.
    audit.details = {
      ...describeRequest(request),
      ...wave.done && { exported: wave.invited },
    };
    if (!request.dryRun) {
      audit = await auditEntryOf(request.emails, audit, dependencies);
      // Written first, as the answer gives people's data even where nobody else is invited.
      await store.writeAuditEntry(audit);
    }
    return { lines: invitationLines(request, { wave, audit }, dependencies) };
  }),
});

/** What is wrong with the fields together, if anything. */
function faultOf(request: Schemas.InvitationRequest): string | undefined {
  const { next, emails } = request;
  if ((next === undefined) === (emails === undefined)) {
    return "Give either 'next', the number of people to invite, or 'emails', their addresses.";
  }
  const filter = FILTERS.find((name) => request[name] !== undefined);
  if (emails && filter) {
    return `Field '${filter}' goes with 'next' only; leave it out, as the addresses say who is invited.`;
  }
}

/** What the audit log has of a request: no addresses. */
function describeRequest(
  { emails, link: _link, dryRun: _dryRun, letters = true, ...parameters }:
    Schemas.InvitationRequest,
): Record<string, string | number | boolean> {
  return { ...parameters, ...emails && { named: emails.length }, letters };
}

function describeConflict(
  conflict: WaveConflict,
  { wave: id }: Schemas.InvitationRequest,
): OperatorFailure {
  if (conflict.conflict === "no_letters") {
    const message =
      "The service sends no letters, as MAIL_URL is not set; set it, or write to the people " +
      "yourself, with 'letters' as false (--output of the CLI).";
    return { failure: "conflict", message };
  }
  const { emails, ...parameters } = conflict.wave.parameters;
  const begun = Object.entries(parameters).map(([name, value]) => `${name} ${quote(value)}`);
  if (emails) begun.unshift("named addresses");
  const message = `The wave ${quote(id)} was begun with other parameters: ${begun.join(", ")}. ` +
    "Repeat those, or choose another id.";
  return { failure: "conflict", message };
}

type InvitationLine =
  | Schemas.Progress
  | Schemas.NotInvited
  | Schemas.WouldInvite
  | Schemas.InvitedSignup
  | Schemas.InvitationEnd;

async function* invitationLines(
  request: Schemas.InvitationRequest,
  { wave, audit }: { wave: Wave; audit: Schemas.AuditEntry },
  { store, selfServiceUrls }: OperatorDependencies,
): AsyncGenerator<InvitationLine[]> {
  let invited = 0;
  let notInvited = 0;
  for await (const step of store.inviteWave(request, wave, audit)) {
    invited = step.invited;
    notInvited += step.notInvited.length;
    yield [
      { progress: invited },
      ...step.notInvited.map((person) => ({ notInvited: person })),
      ...step.wouldInvite.map(({ email, record }) => ({
        wouldInvite: toStoredSignup(email, record),
      })),
    ];
  }
  if (!request.dryRun) {
    const details = { ...audit.details, ...!wave.done && { invited } };
    await writeCompletion(store, { ...audit, details });
    for await (const people of store.readWave(request.wave)) {
      yield people.map(({ email, record }) => ({
        ...toExportedSignup(email, record, selfServiceUrls),
        invitationUrl: invitationUrl(request.link, record.invitationCode ?? ""),
      }));
    }
  }
  yield [{ complete: true, wave: request.wave, invited, notInvited }];
}
