import type { ClientList, ListedClient } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { type Client, validSecrets } from "../../oauth/mod.ts";
import type { CreateOperatorOperation } from "../operation.ts";

/** `listClients`: the OAuth clients of production, without their secrets. */
export const listClientsOperation: CreateOperatorOperation = ({ store, now }) => ({
  id: "listClients",
  method: "GET",
  path: "/operator/v1/clients",
  body: "none",
  async act() {
    const [clients, uses] = await Promise.all([store.readClients(), store.readClientUses()]);
    const moment = now();
    const described = clients.map((client) =>
      describeClient(client, { now: moment, lastUsed: uses.get(client.clientId) })
    );
    return jsonAnswer({ clients: described } satisfies ClientList);
  },
});

/** Describes a client for the operator. Of a secret it shows only when it ends. */
export function describeClient(
  client: Client,
  { now, lastUsed }: { now: number; lastUsed: string | undefined },
): ListedClient {
  const { clientId, name, scopes, createdAt, disabled = false } = client;
  return {
    client_id: clientId,
    name,
    // No client gets a scope that the document does not have.
    scopes: scopes as ListedClient["scopes"],
    createdAt,
    disabled,
    secrets: validSecrets(client, now).map(({ expiresAt }) => ({
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    })),
    ...(lastUsed && { lastUsed }),
  };
}
