import { z } from "zod";
import type { Address, ShownSignup } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { toExportedSignup } from "../../waitlist/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import type { OperatorFailure } from "../failure.ts";
import { addressInBody } from "./filters.ts";
import { type CreateOperatorOperation, onJson } from "../operation.ts";

const addressSchema: z.ZodType<Address> = z.strictObject({ email: addressInBody });

/** `showSignup`: shows the record of an address, the wording that its proof names, and what was done about it. */
export const showSignupOperation: CreateOperatorOperation = ({ store, selfServiceUrls }) => ({
  id: "showSignup",
  method: "POST",
  path: "/operator/v1/signups/show",
  ...onJson(addressSchema, async ({ email }) => {
    const known = await store.findSignUp(email);
    if (!known) return unknownAddress();
    if ("erasedAt" in known) return unknownAddress(known.erasedAt);
    const { proof, confirmations, linkAt, createdAt } = known.record;
    const wording = proof && await store.findConsentText(proof.consentText);
    const shown: ShownSignup = {
      ...toExportedSignup(email, known.record, selfServiceUrls),
      ...confirmations && { confirmations },
      ...linkAt && { linkAt },
      ...wording && { wording },
      // What was done about an earlier record of the address is not the history of this one.
      history: await store.readAuditLogOf(email, createdAt),
    };
    return jsonAnswer(shown);
  }),
});

/** `eraseSignup`: removes an address and leaves a keyed hash of it as a mark. */
export const eraseSignupOperation: CreateOperatorOperation = (dependencies) => ({
  id: "eraseSignup",
  method: "POST",
  path: "/operator/v1/signups/erase",
  ...onJson(addressSchema, async ({ email }, call) => {
    const entry = auditEntry("eraseSignup", call, dependencies);
    const erasure = await dependencies.store.eraseSignUp(email, entry);
    return erasure ? jsonAnswer(erasure) : unknownAddress();
  }),
});

/** The failure for an address without a record. */
function unknownAddress(erasedAt?: string): OperatorFailure {
  const erased = erasedAt ? ` It was erased at ${erasedAt}.` : " Check its spelling.";
  return { failure: "unknown", message: `The address is not on the waitlist.${erased}` };
}
