import type { ListedClient } from "../../shared/operator_schemas.ts";
import { validSecrets } from "../oauth/client_changes.ts";
import type { Client } from "../oauth/clients.ts";

/** What the operator is shown of a client: of its secrets nothing but when they end. */
export function describeClient(
  client: Client,
  { now, lastUsed }: { now: number; lastUsed: string | undefined },
): ListedClient {
  const { clientId, name, scopes, createdAt, disabled = false } = client;
  return {
    client_id: clientId,
    name,
    // Nobody gets a client with another one.
    scopes: scopes as ListedClient["scopes"],
    createdAt,
    disabled,
    secrets: validSecrets(client, now).map(({ expiresAt }) => ({
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    })),
    ...(lastUsed && { lastUsed }),
  };
}
