/**
 * The operations that correct the data of people: their addresses, answers and notes, and whether letters go to an
 * address. @module
 */
import { z } from "zod";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema, answerSchema } from "../../shared/people_query.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { noteSchema, type SelfServiceUrls, type SignUpRecord } from "../waitlist/mod.ts";
import { addressesSchema } from "./fields.ts";
import type { Caller, Operations } from "./operation.ts";
import { shownTo, unknownAddress } from "./people.ts";

const correctionSchema: z.ZodType<Schemas.CorrectionRequest> = z.strictObject({
  email: addressSchema,
  newEmail: addressSchema,
});

const answersSchema: z.ZodType<Schemas.AnswersRequest> = z.strictObject({
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
const REFUSALS = {
  on_list: "The new address is on the waitlist already; erase one of the two people.",
  erased:
    "Somebody else was erased from the new address; only a sign-up by its owner brings it back.",
  unreadable: "The record of the address cannot be read; 'counters verify' names it.",
} as const;

interface CorrectionNeeds
  extends Pick<PeopleStore, "setAnswers" | "setNote" | "correctAddress" | "readReferrals"> {
  selfServiceUrls: Pick<SelfServiceUrls, "placeUrl">;
}

export function correctionOperations(
  { setAnswers, setNote, correctAddress, readReferrals, selfServiceUrls }: CorrectionNeeds,
): Pick<Operations, "setAnswers" | "setNote" | "correctSignup"> {
  /** Gives a changed person with only those members that the caller's role may see. */
  async function showChanged(call: Caller, email: string, record: SignUpRecord) {
    const [shown] = await shownTo(call, [{ email, record }], { readReferrals, selfServiceUrls });
    return shown!;
  }

  return {
    setAnswers: {
      body: answersSchema,
      async act({ email, ...answers }, call) {
        if (Object.keys(answers).length === 0) {
          return { failure: "invalid_request", message: "Give 'role' or 'building', or both." };
        }
        const changed = await setAnswers(email, answers, await call.auditEntryOf([email]));
        if ("record" in changed) return await showChanged(call, email, changed.record);
        if (changed.refused === "unknown") return unknownAddress();
        const message = changed.refused === "full" ? changed.message : REFUSALS.unreadable;
        return { failure: "conflict", message };
      },
    },

    setNote: {
      body: noteRequestSchema,
      async act({ email, note }, call) {
        const changed = await setNote(email, note, await call.auditEntryOf([email]));
        if ("record" in changed) return await showChanged(call, email, changed.record);
        if (changed.refused === "unknown") return unknownAddress();
        return { failure: "conflict", message: REFUSALS.unreadable };
      },
    },

    correctSignup: {
      body: correctionSchema,
      async act(request, call) {
        if (request.email === request.newEmail) {
          const message = "The fields 'email' and 'newEmail' are the same address.";
          return { failure: "invalid_request", message };
        }
        const corrected = await correctAddress(request, call.auditEntry());
        if (!("refused" in corrected)) return corrected;
        const { refused } = corrected;
        return refused === "unknown"
          ? unknownAddress(corrected.erasedAt)
          : { failure: "conflict", message: REFUSALS[refused] };
      },
    },
  };
}

const REASON_RULE = "give 1 to 200 characters without '@' and without control characters";

/** The pattern of a reason, as the OpenAPI document has it. */
const REASON = new RegExp(document.components.schemas.Addresses.properties.reason.pattern, "u");

const addressesBodySchema: z.ZodType<Schemas.Addresses> = z.strictObject({
  emails: addressesSchema,
  reason: z.string(REASON_RULE).regex(REASON, REASON_RULE)
    // `isWellFormed()` refuses half a surrogate pair, which PostgreSQL does not store. The pattern cannot refuse it,
    // because the same pattern must work in all programming languages.
    .refine((text) => text.isWellFormed(), REASON_RULE).exactOptional(),
});

/** Makes the details of the audit entries about the addresses. `named` is the number of addresses in the call. */
const detailsOf = ({ emails, reason }: Schemas.Addresses) => ({
  named: emails.length,
  ...reason !== undefined && { reason },
});

/** The operation that marks addresses as undeliverable, and the operation that makes them deliverable again. */
export function deliverabilityOperations(
  { markUndeliverable, markDeliverable }: Pick<
    PeopleStore,
    "markUndeliverable" | "markDeliverable"
  >,
): Pick<Operations, "markUndeliverable" | "markDeliverable"> {
  return {
    markUndeliverable: {
      body: addressesBodySchema,
      async act(body, call) {
        const audit = call.auditEntry(detailsOf(body));
        const report: Schemas.UndeliverableReport = { marked: 0, notMarked: [] };
        for await (const addresses of markUndeliverable(body.emails, audit)) {
          for (const { email, outcome } of addresses) {
            if (outcome === "marked") report.marked++;
            else report.notMarked.push(email);
          }
        }
        return report;
      },
    },

    /** Allows letters to addresses again, after a bounce, a complaint or a mark as undeliverable by an operator. */
    markDeliverable: {
      body: addressesBodySchema,
      async act(body, call) {
        const audit = call.auditEntry(detailsOf(body));
        const report: Schemas.DeliverableReport = { lifted: 0, notLifted: [] };
        for await (const { email, outcome } of markDeliverable(body.emails, audit)) {
          if (outcome === "changed" || outcome === "unchanged") report.lifted++;
          else report.notLifted.push(email);
        }
        return report;
      },
    },
  };
}
