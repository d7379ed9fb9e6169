/**
 * The operations that replace the keys of the service. `rotateKeys` replaces the root key, from which the keys of
 * access tokens are made. `rotateLinkKey` replaces the self-service key, which makes the links to self-service pages.
 * @module
 */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { ANNOUNCE_MS } from "../oauth/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { ClientStore } from "../store/credentials/mod.ts";
import { orUnknownOutcome } from "./failure.ts";
import { MAX_OVERLAP, overlapSchema } from "./fields.ts";
import type { Operations } from "./operation.ts";

/** The schema of the body of `rotateLinkKey`. */
const linkRotationSchema: z.ZodType<Schemas.LinkKeyRotationRequest> = z.strictObject({
  overlapSeconds: overlapSchema.exactOptional(),
});

/**
 * The messages, by operation, for the case that KV does not tell whether the key was stored. They say what may have
 * happened, and what the operator should do.
 */
const UNKNOWN_OUTCOMES = {
  rotateKeys:
    "KV did not say whether the key was stored, and may still store it; try again once it answers. " +
    "Until a stored key signs, the same key is returned. No token is refused in either case.",
  rotateLinkKey:
    "KV did not say whether the key was stored, and may still store it; try again once it answers.",
};

interface KeyNeeds
  extends Pick<ClientStore, "rotateRootKey" | "rotateSelfServiceKey">, Pick<Runtime, "now"> {}

/** Makes the operations on the keys of the service. */
export function keyOperations(
  { rotateRootKey, rotateSelfServiceKey, now }: KeyNeeds,
): Pick<Operations, "rotateKeys" | "rotateLinkKey"> {
  return {
    /**
     * Announces a new root key for access tokens. The service begins to sign with this key only when every process has
     * had time to read it.
     */
    rotateKeys: {
      async act(_input, call) {
        const moment = now();
        const newKey = await orUnknownOutcome(
          rotateRootKey(moment, call.auditEntry()),
          UNKNOWN_OUTCOMES.rotateKeys,
        );
        if ("failure" in newKey) return newKey;
        const { keyId, signsFrom } = newKey;
        // If a key that an earlier call announced does not sign yet, the store gives that key and makes no further key.
        // Such a key begins to sign earlier than a key that was announced at this moment.
        const isAnnouncedNow = signsFrom === moment + ANNOUNCE_MS;
        return {
          outcome: isAnnouncedNow ? "begun" : "under_way",
          keyId,
          signsFrom: new Date(signsFrom).toISOString(),
        };
      },
    },

    /**
     * Makes a new self-service key. Links that older keys made stay valid for `overlapSeconds`, by default 90 days,
     * unless an earlier rotation lets these links end sooner.
     */
    rotateLinkKey: {
      body: linkRotationSchema,
      async act({ overlapSeconds = MAX_OVERLAP }, call) {
        const oldLinksUntil = new Date(now() + 1_000 * overlapSeconds).toISOString();
        const entry = call.auditEntry({ overlapSeconds });
        const failure = await orUnknownOutcome(
          rotateSelfServiceKey(oldLinksUntil, entry),
          UNKNOWN_OUTCOMES.rotateLinkKey,
        );
        return failure ?? { oldLinksUntil };
      },
    },
  };
}
