import { z } from "zod";
import type { IssuedClient, NewClient } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { newClient, STATS_SCOPE } from "../../oauth/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { orUnknownOutcome } from "../failure.ts";
import { type CreateOperatorOperation, onJson } from "../operation.ts";

const MAX_NAME_LENGTH = 100;

const name = `give it 1 to ${MAX_NAME_LENGTH} characters, not only spaces`;

const newClientSchema: z.ZodType<NewClient> = z.strictObject({
  name: z.string(name).max(MAX_NAME_LENGTH, name).regex(/\S/, name),
  scopes: z.array(
    z.literal(STATS_SCOPE, `the only scope is ${STATS_SCOPE}`),
    "give a list of scopes, which may be empty",
  ),
});

const UNKNOWN =
  "KV did not say whether the client was stored, and may still store it; list the clients once it " +
  "answers, disable the one that nobody has the secret of, and create another.";

/** `createClient`: issues an OAuth client of production. Only this answer shows its secret. */
export const createClientOperation: CreateOperatorOperation = (dependencies) => ({
  id: "createClient",
  method: "POST",
  path: "/operator/v1/clients",
  ...onJson(newClientSchema, async ({ name, scopes }, call) => {
    const { store, now, random } = dependencies;
    const unique = [...new Set(scopes)];
    const { client, clientSecret } = newClient({ name, scopes: unique }, { now: now(), random });
    const entry = auditEntry("createClient", call, dependencies);
    const change = store.createClient(client, { ...entry, client_id: client.clientId });
    const outcome = await orUnknownOutcome(change, UNKNOWN);
    if (outcome) return outcome;
    const issued: IssuedClient = {
      client_id: client.clientId,
      client_secret: clientSecret,
      name,
      scopes: unique,
      createdAt: client.createdAt,
    };
    return jsonAnswer(issued, 201);
  }),
});
