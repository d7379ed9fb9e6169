/** Says what is wrong with an address in an import file. The reader of the file and the service both use it. @module */
import { storedEmailSchema } from "../email_schema.ts";
import { findInvisible, nameInvisible } from "../invisible.ts";

/**
 * Says what is wrong with an address, in a sentence that never has the address in it.
 *
 * @param value the value of the field `email`; `undefined` if the row has none
 * @returns `undefined` if the value is an address
 */
export function faultOfAddress(value: unknown): string | undefined {
  if (storedEmailSchema.safeParse(value).success) return undefined;
  const invisible = findInvisible(String(value ?? ""));
  return invisible
    ? `The e-mail address holds ${nameInvisible(invisible)}; remove it.`
    : "The e-mail address is missing or not valid.";
}
