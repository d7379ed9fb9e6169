/**
 * The operations on waves of invitations. `wave_request.ts` has the schema of the body of `startWave`, and
 * `schedules.ts` the operations on schedules, which start waves by themselves. @module
 */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { lastAttemptAt } from "../letters/mod.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type {
  LaterTries,
  WaveConflict,
  WavePeoplePosition,
  WaveStore,
} from "../store/invitations/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import {
  invitationUrlOf,
  isInvitationLetterWaiting,
  type SelfServiceUrls,
} from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import {
  flagParameterSchema,
  noLettersFailure,
  pastExpiryFailure,
  positionSchema,
  quoteParameters,
  wholeNumberParameterSchema,
} from "./fields.ts";
import { isPossibleId, newId } from "./ids.ts";
import type { Operations, OperatorOperation } from "./operation.ts";
import { mayExport, showListedPeople } from "./people.ts";
import { findFieldConflict, waveSchema } from "./wave_request.ts";

const PAGE_RULE = "give the 'next' of an earlier answer";

/** The form of a position in the list of waves: a date-time, a space and the id of a wave. */
const WAVE_POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,64}$/;

const listWavesSchema = z.strictObject({
  before: positionSchema(WAVE_POSITION, PAGE_RULE).exactOptional(),
});

/**
 * The form of a position in the list of people of a wave: a date-time, a dot, and the number of people with this
 * date-time who were listed before. The number stands in place of a person's address, which must not be in a URL.
 */
const PEOPLE_POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.\d{1,9}$/;

const listWavePeopleSchema = z.strictObject({
  after: positionSchema(PEOPLE_POSITION, PAGE_RULE).exactOptional(),
  limit: wholeNumberParameterSchema(500).exactOptional(),
  export: flagParameterSchema.exactOptional(),
});

/** Says which change a wave allows, by the change that was refused. */
const CHANGE_RULES = {
  pause: "only a wave that is running, or whose e-mails wait, can be paused",
  resume: "a cancelled wave cannot go on, so start another one",
  cancel: "only a wave that is running or paused, or whose e-mails wait, can be cancelled",
};

interface WaveNeeds extends
  Pick<
    WaveStore,
    | "findWave"
    | "readMedianOfWave"
    | "readLaterTries"
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
  const { listWaves, planWave, startWave, changeWave, listWavePeople } = needs;
  const { findWave, readMedianOfWave, readLaterTries, readReferrals, writeAuditEntry } = needs;
  const { selfServiceUrls, now, random } = needs;

  /** Finds the wave with the id in a call; `undefined` if there is none, or if no wave can have this id. */
  const waveOfCall = async (id: string) => isPossibleId(id) ? await findWave(id) : undefined;

  /** Refuses a start whose expiry is over. A repeat of an earlier start is accepted, because its wave is stored. */
  async function findPastExpiry(
    id: string,
    { expires }: Schemas.WaveRequest,
  ): Promise<OperatorFailure | undefined> {
    const isPast = expires !== undefined && Date.parse(expires) <= now();
    return isPast && !await waveOfCall(id) ? pastExpiryFailure(expires) : undefined;
  }

  /** Adds to waves when their letters are tried again, if all waiting letters of a wave wait for a later try. */
  async function withLaterTries(waves: Schemas.WaveReport[]): Promise<Schemas.WaveReport[]> {
    const withLettersInOutbox = waves.filter(({ state, lettersWaiting }) =>
      state === "done" && lettersWaiting !== undefined
    );
    const tries = await readLaterTries(withLettersInOutbox.map(({ wave }) => wave));
    return waves.map((wave) => ({ ...wave, ...describeLaterTries(tries.get(wave.wave)) }));
  }

  /** Makes one of the three operations that change a wave. All three have the input and the result of `pauseWave`. */
  const changeOperation = (
    change: keyof typeof CHANGE_RULES,
  ): OperatorOperation<"pauseWave"> => ({
    async act({ id }, call) {
      if (!isPossibleId(id)) return unknownWaveFailure(id);
      const outcome = await changeWave(id, change, call.auditEntry({ wave: id }));
      if (outcome === "unknown") return unknownWaveFailure(id);
      if (!("refusedAs" in outcome)) return outcome;
      const reason = reasonOfRefusal(change, outcome);
      const message = `The wave ${quote(id)} is ${outcome.refusedAs}; ${reason}.`;
      return { failure: "conflict", message };
    },
  });

  return {
    listWaves: {
      query: listWavesSchema,
      async act({ before }) {
        const { waves, ...others } = await listWaves(before);
        return { waves: await withLaterTries(waves), ...others };
      },
    },

    startWave: {
      body: waveSchema,
      async act(request, call) {
        const fault = findFieldConflict(request);
        if (fault) return { failure: "invalid_request", message: fault };
        const id = request.wave ?? newId({ now, random });
        const expiryFailure = await findPastExpiry(id, request);
        if (expiryFailure) return expiryFailure;
        if (request.dryRun) {
          const plan = await planWave(request);
          return "conflict" in plan ? conflictFailure(plan, id) : plan;
        }
        const entry = await call.auditEntryAbout(request.emails, auditedDetails(id, request));
        const outcome = await startWave(id, request, entry);
        if ("conflict" in outcome) return conflictFailure(outcome, id);
        // The outcome is a plan if nobody can be invited.
        if ("wouldInvite" in outcome) return outcome;
        const { wave, notInvited } = outcome;
        return { ...wave, ...notInvited && { notInvited } };
      },
    },

    showWave: {
      async act({ id }) {
        const wave = await waveOfCall(id);
        if (!wave) return unknownWaveFailure(id);
        const [medianSeconds, [shownWave]] = await Promise.all([
          readMedianOfWave(wave),
          withLaterTries([wave]),
        ]);
        return { ...shownWave!, ...medianSeconds !== undefined && { medianSeconds } };
      },
    },

    listWavePeople: {
      query: listWavePeopleSchema,
      async act({ id, after, limit = 100, export: isExport }, call) {
        if (isExport && !mayExport(call)) return call.forbid();
        const wave = await waveOfCall(id);
        if (!wave) return unknownWaveFailure(id);
        if (isExport && after === undefined) {
          // The audit entry is written first, so that no list leaves the service without an audit entry. Further pages
          // write no entry, because this entry is about the whole list.
          await writeAuditEntry(call.auditEntry({ wave: id, exported: wave.invited }));
        }
        const position = after === undefined ? undefined : parsePeoplePosition(after);
        const { people, next } = await listWavePeople(id, { limit, after: position });
        const shownPeople = await showListedPeople(call, people, {
          readReferrals,
          selfServiceUrls,
        });
        const sendsLetters = wave.letters && wave.state !== "cancelled";
        return {
          people: shownPeople.map((person, index) => {
            const { invitationCode: code } = person;
            const isWaiting = sendsLetters && isInvitationLetterWaiting(people[index]!.record);
            return {
              ...person,
              ...isWaiting && { letterWaits: true as const },
              ...code && { invitationUrl: invitationUrlOf(wave.link, code) },
            };
          }),
          ...next && { next: formatPeoplePosition(next) },
        };
      },
    },

    pauseWave: changeOperation("pause"),
    resumeWave: changeOperation("resume"),
    cancelWave: changeOperation("cancel"),
  };
}

/**
 * Gives the details for the audit entry of a start. The audit log must not have any addresses, so the details have only
 * the number of addresses, `named`. The link is left out, because the wave itself has it. `dryRun` and `after` belong
 * to a plan, which has no audit entry.
 */
function auditedDetails(id: string, request: Schemas.WaveRequest) {
  const { emails, link: _link, dryRun: _dryRun, after: _after, ...parameters } = request;
  return { ...parameters, wave: id, ...emails && { named: emails.length } };
}

/** Gives when letters that wait for a later try are tried next, and when the last of them is tried at the latest. */
function describeLaterTries(
  tries: LaterTries | undefined,
): Pick<Schemas.WaveReport, "nextTryAt" | "lastTryAt"> {
  if (!tries) return {};
  const { nextTry, items = [] } = tries;
  const nextTryAt = new Date(nextTry).toISOString();
  if (items.length === 0) return { nextTryAt };
  const lastTry = Math.max(...items.map(lastAttemptAt));
  return { nextTryAt, lastTryAt: new Date(lastTry).toISOString() };
}

/** Writes a position in the list of people of a wave in the form of {@linkcode PEOPLE_POSITION}. */
const formatPeoplePosition = ({ createdAt, skip }: WavePeoplePosition) => `${createdAt}.${skip}`;

/** Parses a text of the form of {@linkcode PEOPLE_POSITION}. */
function parsePeoplePosition(position: string): WavePeoplePosition {
  const dot = position.lastIndexOf(".");
  return { createdAt: position.slice(0, dot), skip: Number(position.slice(dot + 1)) };
}

/** Gives the reason why a wave does not allow a change, and what the operator can do. */
function reasonOfRefusal(
  change: keyof typeof CHANGE_RULES,
  { refusedAs, endedAt }: { refusedAs: string; endedAt?: string | undefined },
): string {
  if (endedAt) return `its invitations held until ${endedAt}, so start another one`;
  // If the invitations have not ended, the store refuses to resume a paused wave for only one reason: not all of its
  // invitees were stored.
  if (refusedAs === "paused") {
    return "its start was not finished, so start it again with the same addresses";
  }
  return CHANGE_RULES[change];
}

function unknownWaveFailure(id: string): OperatorFailure {
  return { failure: "unknown", message: `There is no wave ${quote(id)}; see the list of waves.` };
}

/** Makes the failure of a wave that was not started. */
function conflictFailure(outcome: WaveConflict, id: string): OperatorFailure {
  if (outcome.conflict === "no_letters") {
    return noLettersFailure("with 'letters' as false (--output of the CLI)");
  }
  const { emails, ...parameters } = outcome.wave.parameters;
  const parameterTexts = quoteParameters(parameters);
  if (emails) parameterTexts.unshift("named addresses");
  const message =
    `The wave ${quote(id)} was begun with other parameters: ${parameterTexts.join(", ")}. ` +
    "Repeat those, or choose another id.";
  return { failure: "conflict", message };
}
