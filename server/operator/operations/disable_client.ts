import { setDisabled } from "../../oauth/client_changes.ts";
import { readClientUse } from "../../store/client_uses.ts";
import { changeClient } from "../../store/clients.ts";
import { describeClient } from "../describe_client.ts";
import type { CreateOperation } from "../operation.ts";
import { unknownClient } from "../unknown_client.ts";

/** `disableClient`: it gets no more tokens: at once here, within a second in every other process. */
export const disableClient = switching(true);

/** `enableClient`: it gets tokens again. */
export const enableClient = switching(false);

function switching(disabled: boolean): CreateOperation {
  return ({ kv, now, credentialsChanged }) => async ({ parameters }) => {
    const clientId = parameters.client_id ?? "";
    const client = await changeClient(kv, clientId, (client) => setDisabled(client, disabled));
    if (!client) return unknownClient(clientId);
    await credentialsChanged();
    const lastUsed = await readClientUse(kv, clientId);
    return { json: describeClient(client, { now: now(), lastUsed }) };
  };
}
