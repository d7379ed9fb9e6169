/**
 * The operations on jobs. A job does one act, such as a reminder, with everybody who fits a selection of people.
 * @module
 */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { peopleSelectionSchema } from "../../shared/people_query.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import type { JobStore } from "../store/jobs/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { auditedSelection } from "./export_signups.ts";
import { type OperatorFailure, switchedOffFailure } from "./failure.ts";
import { idSchema, isPossibleId, newId } from "./ids.ts";
import type { Operations } from "./operation.ts";

const ACT_RULE = "give 'remind' or 'erase'";
const MOST_RULE = "give the number of people who fit, a whole number from 1 on";

const jobSchema: z.ZodType<Schemas.JobRequest> = z.strictObject({
  job: idSchema.exactOptional(),
  act: z.enum(["remind", "erase"], ACT_RULE),
  selection: peopleSelectionSchema,
  most: z.int(MOST_RULE).min(1, MOST_RULE),
});

interface JobNeeds
  extends JobStore, Pick<PeopleStore, "sendsLetters">, Pick<Runtime, "now" | "random"> {}

type JobOperations = Pick<Operations, "listJobs" | "startJob" | "showJob" | "cancelJob">;

/** Makes the operations on jobs. */
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
        if (act === "remind" && !sendsLetters) return switchedOffFailure("e-mails", "MAIL_URL");
        const id = job ?? newId({ now, random });
        const details = { ...auditedSelection(selection), job: id, act, most };
        const outcome = await startJob(id, { act, selection, most }, call.auditEntry(details));
        return "conflict" in outcome ? conflictFailure(id) : outcome;
      },
    },

    showJob: {
      async act({ id }) {
        const job = isPossibleId(id) ? await findJob(id) : undefined;
        return job ?? unknownJobFailure(id);
      },
    },

    cancelJob: {
      async act({ id }, call) {
        if (!isPossibleId(id)) return unknownJobFailure(id);
        const job = await cancelJob(id, call.auditEntry({ job: id }));
        if (!job) return unknownJobFailure(id);
        if (job.state !== "done") return job;
        return { failure: "conflict", message: `The job ${quote(id)} is done already.` };
      },
    },
  };
}

function unknownJobFailure(id: string): OperatorFailure {
  return { failure: "unknown", message: `There is no job ${quote(id)}; see the list of jobs.` };
}

function conflictFailure(id: string): OperatorFailure {
  const message = `The job ${quote(id)} was started with other parameters; choose another id.`;
  return { failure: "conflict", message };
}
