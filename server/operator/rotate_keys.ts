import type { KeyRotation } from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/respond.ts";
import { ANNOUNCE_MS } from "../oauth/key_ring.ts";
import { auditEntry } from "./audit_entry.ts";
import type { CreateOperatorOperation } from "./operation.ts";

/** `rotateKeys`: announces a new root key, which begins to sign when every process knows it. */
export const rotateKeysOperation: CreateOperatorOperation = (dependencies) => ({
  id: "rotateKeys",
  method: "POST",
  path: "/operator/v1/keys/rotate",
  body: "none",
  async act(call) {
    const { store, now } = dependencies;
    const at = now();
    const entry = auditEntry("rotateKeys", call, dependencies);
    const { keyId, signsFrom } = await store.rotateRootKey(at, entry);
    const rotation: KeyRotation = {
      outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
      keyId,
      signsFrom: new Date(signsFrom).toISOString(),
    };
    return jsonAnswer(rotation);
  },
});
