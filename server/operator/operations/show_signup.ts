import type { StoredSignup } from "../../../shared/operator_schemas.ts";
import { findSignUp } from "../../store/erasures.ts";
import { addressSchema, unknownAddress } from "../address.ts";
import { type CreateOperation, takingJson } from "../operation.ts";

/** `showSignup`: what is kept of an address. */
export const showSignup: CreateOperation = ({ kv }) =>
  takingJson(addressSchema, async ({ email }) => {
    const known = await findSignUp(kv, email);
    if (!known) return unknownAddress();
    if ("erasedAt" in known) return unknownAddress(known.erasedAt);
    return { json: { email, ...known.record } satisfies StoredSignup };
  });
