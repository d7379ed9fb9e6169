import type { ClientList, ListedClient } from "../../../shared/operator_schemas.ts";
import type { Client } from "../../oauth/clients.ts";
import { readClients } from "../../store/clients.ts";
import type { CreateOperation } from "../operation.ts";

/** `listClients`: production's OAuth clients, without anything of their secrets. */
export const listClients: CreateOperation = ({ kv, now }) => async () => {
  const moment = now();
  const clients = (await readClients(kv)).map((client) => describe(client, moment));
  return { json: { clients } satisfies ClientList };
};

function describe(client: Client, now: number): ListedClient {
  const { clientId, name, scopes, createdAt, disabled = false } = client;
  const secrets = client.secrets
    .filter(({ expiresAt }) => now < (expiresAt ?? Infinity))
    .map(({ expiresAt }) =>
      expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }
    );
  return {
    clientId,
    name,
    scopes: scopes as ListedClient["scopes"],
    createdAt,
    disabled,
    secrets,
  };
}
