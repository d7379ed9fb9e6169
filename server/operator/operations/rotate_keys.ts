import type { KeyRotation } from "../../../shared/operator_schemas.ts";
import { DEADLINE_MS, withDeadline } from "../../store/deadline.ts";
import { rotateRootKey } from "../../store/root_keys.ts";
import type { CreateOperation } from "../operation.ts";

/** `rotateKeys`: a new root key, which begins to sign once every process knows it. */
export const rotateKeys: CreateOperation = ({ kv, now, random }) => async () => {
  const { keyId, signsFrom } = await withDeadline(
    DEADLINE_MS,
    () => rotateRootKey(kv, now(), random),
  );
  return { json: { keyId, signsFrom: new Date(signsFrom).toISOString() } satisfies KeyRotation };
};
