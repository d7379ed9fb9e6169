import type { KeyRotation } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { ANNOUNCE_MS } from "../../oauth/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { orUnknownOutcome } from "../failure.ts";
import type { CreateOperatorOperation } from "../operation.ts";

const UNKNOWN =
  "KV did not say whether the key was stored, and may still store it; try again once it answers: " +
  "a key that does not sign by then is given again. No token is refused in either case.";

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
    const rotated = await orUnknownOutcome(store.rotateRootKey(at, entry), UNKNOWN);
    if ("failure" in rotated) return rotated;
    const { keyId, signsFrom } = rotated;
    const rotation: KeyRotation = {
      outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
      keyId,
      signsFrom: new Date(signsFrom).toISOString(),
    };
    return jsonAnswer(rotation);
  },
});
