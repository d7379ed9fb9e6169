import type { KeyRotation } from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/respond.ts";
import { ANNOUNCE_MS } from "../oauth/key_ring.ts";
import type { CreateOperatorOperation } from "./operation.ts";

/** `rotateKeys`: announces a new root key, which begins to sign when every process knows it. */
export const rotateKeysOperation: CreateOperatorOperation = ({ store, now }) => ({
  id: "rotateKeys",
  method: "POST",
  path: "/operator/v1/keys/rotate",
  body: "none",
  async act() {
    const at = now();
    const { keyId, signsFrom } = await store.rotateRootKey(at);
    const rotation: KeyRotation = {
      outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
      keyId,
      signsFrom: new Date(signsFrom).toISOString(),
    };
    return jsonAnswer(rotation);
  },
});
