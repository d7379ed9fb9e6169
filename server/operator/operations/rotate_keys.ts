import type { KeyRotation } from "../../../shared/operator_schemas.ts";
import { ANNOUNCE_MS } from "../../oauth/key_ring.ts";
import { DEADLINE_MS, withDeadline } from "../../store/deadline.ts";
import { rotateRootKey } from "../../store/root_keys.ts";
import type { CreateOperation } from "../operation.ts";

/** `rotateKeys`: a new root key, which begins to sign once every process knows it. */
export const rotateKeys: CreateOperation = ({ kv, now, random }) => async () => {
  const at = now();
  const { keyId, signsFrom } = await withDeadline(
    DEADLINE_MS,
    () => rotateRootKey(kv, at, random),
  );
  const rotation: KeyRotation = {
    outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
    keyId,
    signsFrom: new Date(signsFrom).toISOString(),
  };
  return { json: rotation };
};
