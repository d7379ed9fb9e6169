/** The operations that correct what is kept of people: address, answers, and what keeps letters from them. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import { auditEntry, auditEntryOf } from "./audit.ts";
import { addressesInBody, addressInBody, slugInBody } from "./fields.ts";
import { onJson, type OperatorDependencies } from "./operation.ts";
import { shownTo, unknownAddress } from "./people.ts";

const correctionSchema: z.ZodType<Schemas.CorrectionRequest> = z.strictObject({
  email: addressInBody,
  newEmail: addressInBody,
});

const answersSchema: z.ZodType<Schemas.AnswersRequest> = z.strictObject({
  email: addressInBody,
  role: slugInBody.nullable().exactOptional(),
  building: slugInBody.nullable().exactOptional(),
});

/** The sentences do not hold the addresses. */
const REFUSALS = {
  on_list: "The new address is on the waitlist already; erase one of the two people.",
  erased:
    "Somebody else was erased from the new address; only a sign-up by its owner brings it back.",
  unreadable: "The record of the address cannot be read; 'counters verify' names it.",
} as const;

export function correctionOperations(dependencies: OperatorDependencies) {
  const { store, selfServiceUrls } = dependencies;
  return {
    setAnswers: onJson(answersSchema, async ({ email, ...answers }, call) => {
      if (Object.keys(answers).length === 0) {
        return { failure: "invalid_request", message: "Give 'role' or 'building', or both." };
      }
      const audit = await auditEntryOf([email], call, dependencies);
      const changed = await store.setAnswers(email, answers, audit);
      if ("record" in changed) {
        const person = { email, record: changed.record };
        return jsonAnswer<Schemas.StoredSignup>(shownTo(call, person, selfServiceUrls));
      }
      if (changed.refused === "unknown") return unknownAddress();
      const message = changed.refused === "full" ? changed.message : REFUSALS.unreadable;
      return { failure: "conflict", message };
    }),

    correctSignup: onJson(correctionSchema, async (request, call) => {
      if (request.email === request.newEmail) {
        const message = "The fields 'email' and 'newEmail' are the same address.";
        return { failure: "invalid_request", message };
      }
      const corrected = await store.correctAddress(request, auditEntry(call, dependencies));
      if (!("refused" in corrected)) return jsonAnswer<Schemas.Correction>(corrected);
      const { refused } = corrected;
      return refused === "unknown"
        ? unknownAddress(corrected.erasedAt)
        : { failure: "conflict", message: REFUSALS[refused] };
    }),
  };
}

const addressesSchema: z.ZodType<Schemas.Addresses> = z.strictObject({ emails: addressesInBody });

/** Bounces that operators note, and lifting any mark. */
export function mailMarkOperations(dependencies: OperatorDependencies) {
  const { store } = dependencies;
  return {
    markUndeliverable: onJson(addressesSchema, async ({ emails }, call) => {
      const audit = await auditEntryOf(emails, call, dependencies, { named: emails.length });
      const report: Schemas.UndeliverableReport = { marked: 0, notMarked: [] };
      for await (const addresses of store.markUndeliverable(emails, audit)) {
        for (const { email, outcome } of addresses) {
          if (outcome === "marked") report.marked++;
          else report.notMarked.push(email);
        }
      }
      return jsonAnswer(report);
    }),

    /** Lets letters go to addresses again, whatever was reported before. */
    markDeliverable: onJson(addressesSchema, async ({ emails }, call) => {
      const audit = await auditEntryOf(emails, call, dependencies, { named: emails.length });
      const report: Schemas.DeliverableReport = { lifted: 0, notLifted: [] };
      for await (const { email, outcome } of store.markDeliverable(emails, audit)) {
        if (outcome === "changed" || outcome === "unchanged") report.lifted++;
        else report.notLifted.push(email);
      }
      return jsonAnswer(report);
    }),
  };
}
