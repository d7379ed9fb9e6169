import type { ClientList } from "../../../shared/operator_schemas.ts";
import { readClientUses } from "../../store/client_uses.ts";
import { readClients } from "../../store/clients.ts";
import { describeClient } from "../describe_client.ts";
import type { CreateOperation } from "../operation.ts";

/** `listClients`: production's OAuth clients, without anything of their secrets. */
export const listClients: CreateOperation = ({ kv, now }) => async () => {
  const [clients, uses] = await Promise.all([readClients(kv), readClientUses(kv)]);
  const moment = now();
  const described = clients.map((client) =>
    describeClient(client, { now: moment, lastUsed: uses.get(client.clientId) })
  );
  return { json: { clients: described } satisfies ClientList };
};
