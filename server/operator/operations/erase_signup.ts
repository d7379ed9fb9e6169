import { eraseSignUp } from "../../store/erasures.ts";
import { addressSchema, unknownAddress } from "../address.ts";
import { type CreateOperation, takingJson } from "../operation.ts";

/** `eraseSignup`: removes an address and leaves a mark. */
export const eraseSignup: CreateOperation = ({ kv, now, random }) =>
  takingJson(addressSchema, async ({ email }) => {
    const erasure = await eraseSignUp(kv, email, { now: now(), random });
    return erasure ? { json: erasure } : unknownAddress();
  });
