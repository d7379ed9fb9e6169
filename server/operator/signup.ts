import { z } from "zod";
import { keptEmailSchema } from "../../shared/email_schema.ts";
import type { Address, StoredSignup } from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/respond.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { auditEntry } from "./audit_entry.ts";
import type { OperatorFailure } from "./failure.ts";
import { type CreateOperatorOperation, onJson } from "./operation.ts";

const sentence = "give an e-mail address as a record may have it";

/** A body with an address, which it puts into lower case as KV has it. */
const addressSchema: z.ZodType<Address> = z.strictObject({
  email: z.string(sentence)
    .refine((email) => keptEmailSchema.safeParse(email).success, sentence)
    .transform((email) => email.toLowerCase()),
});

/** Gives a record as the operator sees it, without its id. */
export function toStoredSignup(email: string, { id: _, ...record }: SignUpRecord): StoredSignup {
  return { email, ...record };
}

/** `showSignup`: shows the record of an address. */
export const showSignupOperation: CreateOperatorOperation = ({ store }) => ({
  id: "showSignup",
  method: "POST",
  path: "/operator/v1/signups/show",
  ...onJson(addressSchema, async ({ email }) => {
    const known = await store.findSignUp(email);
    if (!known) return unknownAddress();
    if ("erasedAt" in known) return unknownAddress(known.erasedAt);
    return jsonAnswer(toStoredSignup(email, known.record));
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
