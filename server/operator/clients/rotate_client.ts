import { z } from "zod";
import type { RotatedClient, SecretRotation } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { MAX_SECRETS, rotateSecret, validSecrets } from "../../oauth/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { orUnknownOutcome, unknownClient } from "../failure.ts";
import { type CreateOperatorOperation, onJson } from "../operation.ts";

/** The longest overlap, in seconds: 90 days. */
const MAX_OVERLAP = 90 * 24 * 60 * 60;

const overlap = `give a whole number of seconds from 0 to ${MAX_OVERLAP}`;

const rotationSchema: z.ZodType<SecretRotation> = z.strictObject({
  overlapSeconds: z.int(overlap).min(0, overlap).max(MAX_OVERLAP, overlap),
});

const UNKNOWN =
  "KV did not say whether the secret was replaced, and may still replace it; try again once it " +
  "answers, which settles that. The secret of this try is lost.";

/** `rotateClient`: gives a client a new secret; the old one stays valid during the overlap. */
export const rotateClientOperation: CreateOperatorOperation = (dependencies) => ({
  id: "rotateClient",
  method: "POST",
  path: "/operator/v1/clients/{client_id}/rotate",
  ...onJson(rotationSchema, async ({ overlapSeconds }, call) => {
    const { store, now, random } = dependencies;
    const clientId = call.parameters.client_id ?? "";
    const moment = now();
    let clientSecret: string | undefined;
    const change = store.changeClient(clientId, (client) => {
      const options = { overlapMs: overlapSeconds * 1000, now: moment, random };
      const rotated = rotateSecret(client, options);
      clientSecret = rotated?.clientSecret;
      return rotated?.client;
    }, {
      ...auditEntry("rotateClient", call, dependencies),
      client_id: clientId,
      details: { overlapSeconds },
    });
    const client = await orUnknownOutcome(change, UNKNOWN);
    if (client && "failure" in client) return client;
    if (!client) return unknownClient(clientId);
    if (clientSecret === undefined) {
      const message = `The client has ${MAX_SECRETS} valid secrets; wait until one of them ends, ` +
        "or end them all with an overlap of 0.";
      return { failure: "conflict", message };
    }
    const [, before] = validSecrets(client, moment);
    const oldSecretUntil = before?.expiresAt && new Date(before.expiresAt).toISOString();
    const answer: RotatedClient = {
      client_id: clientId,
      client_secret: clientSecret,
      ...(oldSecretUntil && { oldSecretUntil }),
    };
    return jsonAnswer(answer);
  }),
});
