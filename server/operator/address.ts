import { z } from "zod";
import type { Address } from "../../shared/operator_schemas.ts";
import { signUpSchema } from "../waitlist/sign_up.ts";
import type { OperatorFailure } from "./failure.ts";

const sentence = "give an e-mail address as a sign-up may have it";

/** A body that names an address, which comes out lower-cased as it is kept. */
export const addressSchema: z.ZodType<Address> = z.strictObject({
  email: z.string(sentence)
    .refine((email) => signUpSchema.shape.email.safeParse(email).success, sentence)
    .transform((email) => email.toLowerCase()),
});

/** The failure for an address without a record. */
export function unknownAddress(erasedAt?: string): OperatorFailure {
  const erased = erasedAt ? ` It was erased at ${erasedAt}.` : " Check its spelling.";
  return { failure: "not_found", message: `The address is not on the waitlist.${erased}` };
}
