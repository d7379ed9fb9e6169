import { z } from "zod";
import type { RotatedClient, SecretRotation } from "../../../shared/operator_schemas.ts";
import { MAX_SECRETS, rotateSecret, validSecrets } from "../../oauth/client_changes.ts";
import { changeClient } from "../../store/clients.ts";
import { type CreateOperation, takingJson } from "../operation.ts";
import { unknownClient } from "../unknown_client.ts";

/** The longest overlap, in seconds: 90 days. */
const MAX_OVERLAP = 90 * 24 * 60 * 60;

const overlap = `give a whole number of seconds from 0 to ${MAX_OVERLAP}`;

const rotationSchema: z.ZodType<SecretRotation> = z.strictObject({
  overlapSeconds: z.int(overlap).min(0, overlap).max(MAX_OVERLAP, overlap),
});

/** `rotateClient`: gives a client a new secret, beside the old one for a while. */
export const rotateClient: CreateOperation = ({ kv, now, random, credentialsChanged }) =>
  takingJson(rotationSchema, async ({ overlapSeconds }, { parameters }) => {
    const clientId = parameters.client_id ?? "";
    const moment = now();
    let clientSecret: string | undefined;
    const client = await changeClient(kv, clientId, (client) => {
      const rotated = rotateSecret(client, {
        overlapMs: overlapSeconds * 1000,
        now: moment,
        random,
      });
      clientSecret = rotated?.clientSecret;
      return rotated?.client;
    });
    if (!client) return unknownClient(clientId);
    if (clientSecret === undefined) {
      const message = `The client has ${MAX_SECRETS} valid secrets; wait until one of them ends, ` +
        "or end them all with an overlap of 0.";
      return { failure: "conflict", message };
    }
    await credentialsChanged();
    const [, before] = validSecrets(client, moment);
    const oldSecretUntil = before?.expiresAt && new Date(before.expiresAt).toISOString();
    return {
      json: {
        client_id: clientId,
        client_secret: clientSecret,
        ...(oldSecretUntil && { oldSecretUntil }),
      } satisfies RotatedClient,
    };
  });
