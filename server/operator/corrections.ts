/** The operations that correct the data of people: their addresses, answers and notes. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema, answerSchema } from "../../shared/people_query.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { noteSchema, type SelfServiceUrls, type SignUpRecord } from "../waitlist/mod.ts";
import { unknownAddressFailure, UNREADABLE_MESSAGE } from "./failure.ts";
import type { Caller, Operations } from "./operation.ts";
import { showPeople } from "./people.ts";

const correctionRequestSchema: z.ZodType<Schemas.CorrectionRequest> = z.strictObject({
  email: addressSchema,
  newEmail: addressSchema,
});

const answersRequestSchema: z.ZodType<Schemas.AnswersRequest> = z.strictObject({
  email: addressSchema,
  role: answerSchema.nullable().exactOptional(),
  building: answerSchema.nullable().exactOptional(),
});

const noteRequestSchema: z.ZodType<Schemas.NoteRequest> = z.strictObject({
  email: addressSchema,
  note: noteSchema.nullable(),
});

/**
 * The messages of refused corrections, by the reason of the refusal. They quote no address, because a client may log
 * them.
 */
const REFUSAL_MESSAGES = {
  on_list: "The new address is on the waitlist already; erase one of the two people.",
  erased:
    "Somebody else was erased from the new address; only a sign-up by its owner brings it back.",
  unreadable: UNREADABLE_MESSAGE,
} as const;

interface CorrectionNeeds {
  store: Pick<PeopleStore, "setAnswers" | "setNote" | "correctAddress" | "readReferrals">;
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl">;
}

/** The operations that change the address, the answers and the note of a person. */
export function correctionOperations(
  { store, selfServiceUrls }: CorrectionNeeds,
): Pick<Operations, "setAnswers" | "setNote" | "correctSignup"> {
  /** Gives a changed person with only those members that the caller's role may see. */
  async function showChangedPerson(call: Caller, email: string, record: SignUpRecord) {
    const needs = { readReferrals: store.readReferrals, selfServiceUrls };
    const [shown] = await showPeople(call, [{ email, record }], needs);
    return shown!;
  }

  return {
    setAnswers: {
      body: answersRequestSchema,
      async act({ email, ...answers }, call) {
        if (Object.keys(answers).length === 0) {
          return { failure: "invalid_request", message: "Give 'role' or 'building', or both." };
        }
        const entry = await call.auditEntryAbout([email]);
        const outcome = await store.setAnswers(email, answers, entry);
        if ("record" in outcome) return await showChangedPerson(call, email, outcome.record);
        if (outcome.refused === "unknown") return unknownAddressFailure();
        const message = outcome.refused === "full" ? outcome.message : REFUSAL_MESSAGES.unreadable;
        return { failure: "conflict", message };
      },
    },

    setNote: {
      body: noteRequestSchema,
      async act({ email, note }, call) {
        const outcome = await store.setNote(email, note, await call.auditEntryAbout([email]));
        if ("record" in outcome) return await showChangedPerson(call, email, outcome.record);
        if (outcome.refused === "unknown") return unknownAddressFailure();
        return { failure: "conflict", message: REFUSAL_MESSAGES.unreadable };
      },
    },

    correctSignup: {
      body: correctionRequestSchema,
      async act(request, call) {
        if (request.email === request.newEmail) {
          const message = "The fields 'email' and 'newEmail' are the same address.";
          return { failure: "invalid_request", message };
        }
        const outcome = await store.correctAddress(request, call.auditEntry());
        if (!("refused" in outcome)) return outcome;
        if (outcome.refused === "unknown") return unknownAddressFailure(outcome.erasedAt);
        return { failure: "conflict", message: REFUSAL_MESSAGES[outcome.refused] };
      },
    },
  };
}
