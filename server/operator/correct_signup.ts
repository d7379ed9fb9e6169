import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import { auditEntry } from "./audit.ts";
import { addressInBody } from "./fields.ts";
import { onJson, type OperatorDependencies } from "./operation.ts";
import { unknownAddress } from "./people.ts";

const correctionSchema: z.ZodType<Schemas.CorrectionRequest> = z.strictObject({
  email: addressInBody,
  newEmail: addressInBody,
});

/** The sentences do not hold the addresses. */
const REFUSALS = {
  on_list: "The new address is on the waitlist already; erase one of the two people.",
  erased:
    "Somebody else was erased from the new address; only a sign-up by its owner brings it back.",
  unreadable: "The record of one of the addresses cannot be read; 'counters verify' names it.",
} as const;

export function correctionOperations(dependencies: OperatorDependencies) {
  const { store } = dependencies;
  return {
    /** Moves a person to another address. */
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
