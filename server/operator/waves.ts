/** The operations on waves of invitations. @module */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { momentId } from "../../shared/moments.ts";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { filterSchemas, flagSchema } from "../../shared/people_query.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type { WaveConflict, WaveStore } from "../store/invitations/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { FILTERS, invitationUrlOf, type SelfServiceUrls } from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import {
  addressesSchema,
  expiresSchema,
  flagParameterSchema,
  linkSchema,
  nextSchema,
  noLettersFailure,
  pastExpiryFailure,
  positionSchema,
  quoteParameters,
  wholeNumberParameterSchema,
} from "./fields.ts";
import type { Operations, OperatorOperation } from "./operation.ts";
import { mayExport, shownTo } from "./people.ts";

const ID_RULE = "give 1 to 64 of the characters A-Z, a-z, 0-9, '_' and '-'";

const POSITION_RULE = "give the 'next' of the plan before it, or an empty object";
const countSchema = z.int(POSITION_RULE).min(0, POSITION_RULE);
const PASSED_OVER = ["unconfirmed", "undeliverable", "complained", "invited"] as const;

const emailOfPlanSchema = z.string(POSITION_RULE).max(254, POSITION_RULE);

/**
 * The position in the list of people from which the next call for a plan (`dryRun`) goes on. It is the `next` in the
 * answer of the previous call.
 */
const planPositionSchema = z.strictObject({
  email: emailOfPlanSchema.exactOptional(),
  read: countSchema.exactOptional(),
  wouldInvite: countSchema.exactOptional(),
  passedOver: z.record(z.enum(PASSED_OVER), countSchema, POSITION_RULE).exactOptional(),
  first: z.array(emailOfPlanSchema, POSITION_RULE).max(20, POSITION_RULE).exactOptional(),
}, POSITION_RULE);

const waveSchema: z.ZodType<Schemas.WaveRequest> = z.strictObject({
  wave: z.string(ID_RULE).regex(WAVE_ID, ID_RULE).exactOptional(),
  next: nextSchema.exactOptional(),
  emails: addressesSchema.exactOptional(),
  link: linkSchema,
  ...filterSchemas,
  letters: flagSchema.default(true),
  expires: expiresSchema.exactOptional(),
  dryRun: flagSchema.exactOptional(),
  after: planPositionSchema.exactOptional(),
});

const PAGE_RULE = "give the 'next' of an earlier answer";

const listSchema = z.strictObject({
  before: positionSchema(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,64}$/, PAGE_RULE)
    .exactOptional(),
});

const peopleSchema = z.strictObject({
  after: positionSchema(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.\d{1,9}$/, PAGE_RULE)
    .exactOptional(),
  limit: wholeNumberParameterSchema(500).exactOptional(),
  export: flagParameterSchema.exactOptional(),
});

interface WaveNeeds extends
  Pick<
    WaveStore,
    | "findWave"
    | "readMedianOfWave"
    | "listWaves"
    | "planWave"
    | "startWave"
    | "changeWave"
    | "listWavePeople"
  >,
  Pick<PeopleStore, "readReferrals">,
  Pick<AuditStore, "writeAuditEntry">,
  Pick<Runtime, "now" | "random"> {
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl">;
}

type WaveOperations = Pick<
  Operations,
  | "listWaves"
  | "startWave"
  | "showWave"
  | "listWavePeople"
  | "pauseWave"
  | "resumeWave"
  | "cancelWave"
>;

/** Makes the operations on waves. */
export function waveOperations(needs: WaveNeeds): WaveOperations {
  const { listWaves, planWave, startWave, changeWave, listWavePeople, readMedianOfWave } = needs;
  const { readReferrals, writeAuditEntry, selfServiceUrls, now, random } = needs;

  /**
   * Finds a wave; `undefined` if there is none. A text that cannot be the id of a wave is refused without a read of KV.
   */
  const findWave = async (id: string) => WAVE_ID.test(id) ? await needs.findWave(id) : undefined;

  const changeOperation = (
    change: "pause" | "resume" | "cancel",
  ): OperatorOperation<"pauseWave"> => ({
    async act({ id }, call) {
      if (!WAVE_ID.test(id)) return unknownWave(id);
      const changed = await changeWave(id, change, call.auditEntry({ wave: id }));
      if (changed === "unknown") return unknownWave(id);
      if (!("refusedAs" in changed)) return changed;
      const reason = reasonOf(change, changed);
      const message = `The wave ${quote(id)} is ${changed.refusedAs}; ${reason}.`;
      return { failure: "conflict", message };
    },
  });

  return {
    listWaves: {
      query: listSchema,
      act: ({ before }) => listWaves(before),
    },

    startWave: {
      body: waveSchema,
      async act(request, call) {
        const message = faultOf(request);
        if (message) return { failure: "invalid_request", message };
        // Two waves can start in the same millisecond, so a random part makes their ids differ.
        const id = request.wave ?? `${momentId(now())}-${Buffer.from(random(3)).toString("hex")}`;
        const { expires, emails } = request;
        if (expires && Date.parse(expires) <= now() && !await findWave(id)) {
          return pastExpiryFailure(expires);
        }
        if (request.dryRun) {
          const plan = await planWave(request);
          return "conflict" in plan ? describeConflict(plan, id) : plan;
        }
        // The audit entry leaves out the addresses, because the audit log must not have any, and the link, because the
        // wave itself has it.
        const { emails: _, link: _link, dryRun: _dryRun, after: _after, ...shown } = request;
        const details = { ...shown, wave: id, ...emails && { named: emails.length } };
        const entry = await call.auditEntryOf(emails, details);
        const started = await startWave(id, request, entry);
        if ("conflict" in started) return describeConflict(started, id);
        if ("wouldInvite" in started) return started;
        const { wave, notInvited } = started;
        return { ...wave, ...notInvited && { notInvited } };
      },
    },

    showWave: {
      async act({ id }) {
        const wave = await findWave(id);
        if (!wave) return unknownWave(id);
        const medianSeconds = wave.accepted > 0 ? await readMedianOfWave(id) : undefined;
        return { ...wave, ...medianSeconds !== undefined && { medianSeconds } };
      },
    },

    listWavePeople: {
      query: peopleSchema,
      async act({ id, after, limit = 100, export: isExport }, call) {
        if (isExport && !mayExport(call)) return call.forbid();
        const wave = await findWave(id);
        if (!wave) return unknownWave(id);
        if (isExport && after === undefined) {
          // The audit entry is written first, so that no list leaves the service without an audit entry. Further pages
          // write no entry, because this entry is about the whole list.
          await writeAuditEntry(call.auditEntry({ wave: id, exported: wave.invited }));
        }
        const [createdAt = "", skip] = after?.split(/\.(?=\d+$)/) ?? [];
        const { people, next } = await listWavePeople(id, {
          limit,
          after: skip === undefined ? undefined : { createdAt, skip: Number(skip) },
        });
        return {
          people: (await shownTo(call, people, { readReferrals, selfServiceUrls })).map((shown) => {
            const { invitationCode: code } = shown;
            return { ...shown, ...code && { invitationUrl: invitationUrlOf(wave.link, code) } };
          }),
          ...next && { next: `${next.createdAt}.${next.skip}` },
        };
      },
    },

    pauseWave: changeOperation("pause"),
    resumeWave: changeOperation("resume"),
    cancelWave: changeOperation("cancel"),
  };
}

const REFUSALS = {
  pause: "only a wave that is running, or whose letters wait, can be paused",
  resume: "a cancelled wave cannot go on, so start another one",
  cancel: "only a wave that is running or paused, or whose letters wait, can be cancelled",
};

/** Gives the reason why a wave does not allow a change, and what the operator can do. */
function reasonOf(
  change: keyof typeof REFUSALS,
  { refusedAs, ended }: { refusedAs: string; ended?: string | undefined },
): string {
  if (ended) return `its invitations held until ${ended}, so start another one`;
  // If the invitations have not ended, the store refuses to resume a paused wave for only one reason: not all of its
  // invitees were stored.
  if (refusedAs === "paused") return "its start was cut, so start it again with the same addresses";
  return REFUSALS[change];
}

function unknownWave(id: string): OperatorFailure {
  return { failure: "unknown", message: `There is no wave ${quote(id)}; see the list of waves.` };
}

/** Says which fields of a request do not go together; `undefined` if all of them do. */
function faultOf(request: Schemas.WaveRequest): string | undefined {
  const { next, emails } = request;
  if ((next === undefined) === (emails === undefined)) {
    return "Give either 'next', the number of people to invite, or 'emails', their addresses.";
  }
  const filter = FILTERS.find((name) => request[name] !== undefined);
  if (emails && filter) {
    return `Field '${filter}' goes with 'next' only; leave it out, as the addresses say who is invited.`;
  }
  if (request.after && !request.dryRun) {
    return "Field 'after' goes with 'dryRun' only; leave it out.";
  }
}

/** Makes the failure of a wave that was not started. */
function describeConflict(refusal: WaveConflict, id: string): OperatorFailure {
  if (refusal.conflict === "no_letters") {
    return noLettersFailure("with 'letters' as false (--output of the CLI)");
  }
  const { emails, ...parameters } = refusal.wave.parameters;
  const parameterTexts = quoteParameters(parameters);
  if (emails) parameterTexts.unshift("named addresses");
  const message =
    `The wave ${quote(id)} was begun with other parameters: ${parameterTexts.join(", ")}. ` +
    "Repeat those, or choose another id.";
  return { failure: "conflict", message };
}
