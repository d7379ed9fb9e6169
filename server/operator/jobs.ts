/**
 * The operations on jobs. A job does one act, such as a reminder, with everybody who fits a selection of people.
 * @module
 */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { momentId } from "../../shared/moments.ts";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { peopleSelectionSchema } from "../../shared/people_query.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import type { JobStore } from "../store/jobs/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { auditedSelection } from "./export_signups.ts";
import { type OperatorFailure, switchedOffFailure } from "./failure.ts";
import type { Operations } from "./operation.ts";

const ID_RULE = "give 1 to 64 of the characters A-Z, a-z, 0-9, '_' and '-'";
const ACT_RULE = "give 'remind' or 'erase'";
const MOST_RULE = "give the number of people who fit, a whole number from 1 on";

const jobSchema: z.ZodType<Schemas.JobRequest> = z.strictObject({
  job: z.string(ID_RULE).regex(WAVE_ID, ID_RULE).exactOptional(),
  act: z.enum(["remind", "erase"], ACT_RULE),
  selection: peopleSelectionSchema,
  most: z.int(MOST_RULE).min(1, MOST_RULE),
});

interface JobNeeds
  extends JobStore, Pick<PeopleStore, "sendsLetters">, Pick<Runtime, "now" | "random"> {}

type JobOperations = Pick<Operations, "listJobs" | "startJob" | "showJob" | "cancelJob">;

export function jobOperations(needs: JobNeeds): JobOperations {
  const { findJob, listJobs, startJob, cancelJob, sendsLetters, now, random } = needs;
  return {
    listJobs: {
      act: async () => ({ jobs: await listJobs() }),
    },

    startJob: {
      body: jobSchema,
      async act({ job, act, selection, most }, call) {
        const { state = "unconfirmed" } = selection;
        if (act === "remind" && state !== "unconfirmed") {
          const message =
            `Field 'selection.state' is ${quote(state)}; leave it out, as only people ` +
            "who are unconfirmed are reminded.";
          return { failure: "invalid_request", message };
        }
        if (act === "remind" && !sendsLetters) return switchedOffFailure("letters", "MAIL_URL");
        // Two jobs can start in the same millisecond, so a random part makes their ids differ.
        const id = job ?? `${momentId(now())}-${Buffer.from(random(3)).toString("hex")}`;
        const details = { ...auditedSelection(selection), job: id, act, most };
        const started = await startJob(id, { act, selection, most }, call.auditEntry(details));
        return "conflict" in started ? describeConflict(id) : started;
      },
    },

    showJob: {
      act: async ({ id }) => (WAVE_ID.test(id) && await findJob(id)) || unknownJob(id),
    },

    cancelJob: {
      async act({ id }, call) {
        if (!WAVE_ID.test(id)) return unknownJob(id);
        const job = await cancelJob(id, call.auditEntry({ job: id }));
        if (!job) return unknownJob(id);
        if (job.state !== "done") return job;
        return { failure: "conflict", message: `The job ${quote(id)} is done already.` };
      },
    },
  };
}

function unknownJob(id: string): OperatorFailure {
  return { failure: "unknown", message: `There is no job ${quote(id)}; see the list of jobs.` };
}

function describeConflict(id: string): OperatorFailure {
  const message = `The job ${quote(id)} was started with other parameters; choose another id.`;
  return { failure: "conflict", message };
}
