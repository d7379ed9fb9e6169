import { z } from "zod";
import type { IssuedClient, NewClient } from "../../../shared/operator_schemas.ts";
import { newClient, STATS_SCOPE } from "../../oauth/clients.ts";
import { createClient } from "../../store/clients.ts";
import { type CreateOperation, type OperatorParts, takingJson } from "../operation.ts";

const MAX_NAME_LENGTH = 100;

const name = `give it 1 to ${MAX_NAME_LENGTH} characters, not only spaces`;

/** What the operator asks for. */
const newClientSchema: z.ZodType<NewClient> = z.strictObject({
  name: z.string(name).max(MAX_NAME_LENGTH, name).regex(/\S/, name),
  scopes: z.array(
    z.literal(STATS_SCOPE, `the only scope is ${STATS_SCOPE}`),
    "give a list of scopes, which may be empty",
  ),
});

/** `createClient`: issues an OAuth client of production. */
export const createClientOperation: CreateOperation = (parts) =>
  takingJson(newClientSchema, async (description) => {
    const json = await issueClient(description, parts);
    await parts.credentialsChanged();
    return { status: 201, json };
  });

/** Makes and stores a client; its secret is in the answer alone. */
export async function issueClient(
  { name, scopes }: NewClient,
  { kv, now, random }: Pick<OperatorParts, "kv" | "now" | "random">,
): Promise<IssuedClient> {
  const { client, clientSecret } = newClient({ name, scopes: [...new Set(scopes)] }, {
    now: now(),
    random,
  });
  await createClient(kv, client);
  const { clientId, createdAt } = client;
  return {
    client_id: clientId,
    client_secret: clientSecret,
    name,
    scopes: [...new Set(scopes)],
    createdAt,
  };
}
