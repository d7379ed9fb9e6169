import type { KeyRotation } from "../../../shared/operator_schemas.ts";
import { ANNOUNCE_MS } from "../../oauth/key_ring.ts";
import { rotateRootKey } from "../../store/root_keys.ts";
import type { CreateOperation } from "../operation.ts";

/** `rotateKeys`: a new root key, which begins to sign once every process knows it. */
export const rotateKeys: CreateOperation =
  ({ kv, now, random, credentialsChanged }) => async () => {
    const at = now();
    const { keyId, signsFrom } = await rotateRootKey(kv, at, random);
    await credentialsChanged();
    const rotation: KeyRotation = {
      outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
      keyId,
      signsFrom: new Date(signsFrom).toISOString(),
    };
    return { json: rotation };
  };
