/** The operations on waves of invitations. @module */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { momentId } from "../../shared/moment_id.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import { quote } from "../runtime/mod.ts";
import type { WaveConflict } from "../store/invitations/mod.ts";
import { FILTERS, invitationUrl, isSafeLink, WAVE_ID } from "../waitlist/mod.ts";
import { auditEntry, auditEntryOf } from "./audit.ts";
import type { OperatorFailure } from "./failure.ts";
import {
  addressesInBody,
  expiresInBody,
  filterInBody,
  flagInBody,
  notAhead,
  positionInBody,
} from "./fields.ts";
import { onCall, onJson, onQuery, type OperatorDependencies } from "./operation.ts";
import { mayExport, shownTo } from "./people.ts";

const waveId = "give 1 to 64 of the characters A-Z, a-z, 0-9, '_' and '-'";
const next = "give a whole number from 1 on";
const link = "give an https: URL of at most 2,000 characters, such as " +
  "https://app.example.com/welcome?code={code}; http: is for loopback hosts";

const position = "give the 'next' of the plan before it, or an empty object";
const count = z.int(position).min(0, position);
const PASSED_OVER = ["unconfirmed", "undeliverable", "complained", "invited"] as const;

const waveSchema: z.ZodType<Schemas.WaveRequest> = z.strictObject({
  wave: z.string(waveId).regex(WAVE_ID, waveId).exactOptional(),
  next: z.int(next).min(1, next).exactOptional(),
  emails: addressesInBody.exactOptional(),
  link: z.string(link).max(2_000, link).refine(isSafeLink, link),
  ...filterInBody,
  letters: flagInBody.default(true),
  expires: expiresInBody.exactOptional(),
  dryRun: flagInBody.exactOptional(),
  after: z.strictObject({
    email: z.string(position).max(254, position).exactOptional(),
    read: count.exactOptional(),
    wouldInvite: count.exactOptional(),
    passedOver: z.record(z.enum(PASSED_OVER), count, position).exactOptional(),
    first: z.array(z.string(position).max(254, position), position).max(20, position)
      .exactOptional(),
  }, position).exactOptional(),
});

const badPage = "give the 'next' of an earlier answer";
const limits = "give a whole number from 1 to 500";

const listSchema = z.strictObject({
  before: positionInBody(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,64}$/, badPage)
    .exactOptional(),
});

const peopleSchema = z.strictObject({
  after: positionInBody(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\.\d{1,9}$/, badPage)
    .exactOptional(),
  limit: z.string().regex(/^([1-9]\d?|[1-4]\d\d|500)$/, limits).transform(Number).default(100),
  export: z.enum(["true", "false"], "give true or false").exactOptional(),
});

export function waveOperations(dependencies: OperatorDependencies) {
  const { store, now, random, selfServiceUrls, forbid } = dependencies;

  const changeOperation = (change: "pause" | "resume" | "cancel") =>
    onCall(async (call) => {
      const { id = "" } = call.parameters;
      const audit = auditEntry(call, dependencies, { wave: id });
      const changed = WAVE_ID.test(id) ? await store.changeWave(id, change, audit) : "unknown";
      if (changed === "unknown") return unknownWave(id);
      if ("refusedAs" in changed) {
        const { refusedAs, ended } = changed;
        const why = ended
          ? `its invitations held until ${ended}, so start another one`
          : refusedAs === "paused"
          ? "its start was cut, so start it again with the same addresses"
          : REFUSALS[change];
        const message = `The wave ${quote(id)} is ${refusedAs}; ${why}.`;
        return { failure: "conflict", message };
      }
      return jsonAnswer(changed);
    });

  return {
    listWaves: onQuery(
      listSchema,
      async ({ before }) => jsonAnswer(await store.listWaves(before)),
    ),

    startWave: onJson(waveSchema, async (request, call) => {
      const message = faultOf(request);
      if (message) return { failure: "invalid_request", message };
      // Two calls of one moment without an id are two waves.
      const id = request.wave ?? `${momentId(now())}-${Buffer.from(random(3)).toString("hex")}`;
      const { expires, emails } = request;
      if (expires && Date.parse(expires) <= now() && !await store.findWave(id)) {
        return notAhead(expires);
      }
      if (request.dryRun) {
        const plan = await store.planWave(request);
        return "conflict" in plan ? describeConflict(plan, id) : jsonAnswer(plan);
      }
      const { emails: _, link: _link, dryRun: _dryRun, after: _after, ...shown } = request;
      const details = { ...shown, wave: id, ...emails && { named: emails.length } };
      const audit = await auditEntryOf(emails, call, dependencies, details);
      const started = await store.startWave(id, request, audit);
      if ("conflict" in started) return describeConflict(started, id);
      if ("wouldInvite" in started) return jsonAnswer(started);
      const { wave, notInvited } = started;
      return jsonAnswer<Schemas.StartedWave>({ ...wave, ...notInvited && { notInvited } });
    }),

    showWave: onCall(async ({ parameters: { id = "" } }) => {
      const wave = WAVE_ID.test(id) ? await store.findWave(id) : undefined;
      return wave ? jsonAnswer(wave) : unknownWave(id);
    }),

    listWavePeople: onQuery(peopleSchema, async (query, call) => {
      const { parameters: { id = "" }, operator } = call;
      if (query.export === "true" && operator && !mayExport(call)) return forbid(operator);
      const wave = WAVE_ID.test(id) ? await store.findWave(id) : undefined;
      if (!wave) return unknownWave(id);
      if (query.export === "true" && query.after === undefined) {
        const details = { wave: id, exported: wave.invited };
        // It comes first, so that no list leaves the service unnoticed.
        await store.writeAuditEntry(auditEntry(call, dependencies, details));
      }
      const [createdAt = "", skip] = query.after?.split(/\.(?=\d+$)/) ?? [];
      const after = skip === undefined ? undefined : { createdAt, skip: Number(skip) };
      const { people, next } = await store.listWavePeople(id, { limit: query.limit, after });
      return jsonAnswer<Schemas.WavePeople>({
        people: people.map((person) => {
          const shown = shownTo(call, person, selfServiceUrls);
          const { invitationCode: code } = shown;
          return { ...shown, ...code && { invitationUrl: invitationUrl(wave.link, code) } };
        }),
        ...next && { next: `${next.createdAt}.${next.skip}` },
      });
    }),

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

function unknownWave(id: string): OperatorFailure {
  return { failure: "unknown", message: `There is no wave ${quote(id)}; see the list of waves.` };
}

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

function describeConflict(conflict: WaveConflict, id: string): OperatorFailure {
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
