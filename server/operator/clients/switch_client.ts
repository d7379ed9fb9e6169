import { jsonAnswer } from "../../http/mod.ts";
import { setDisabled } from "../../oauth/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { unknownClient } from "../failure.ts";
import { describeClient } from "./list_clients.ts";
import type { CreateOperatorOperation } from "../operation.ts";

/** `disableClient`: the client gets no more tokens, at once here and within a second in other processes. */
export const disableClientOperation = switchClient("disable");

/** `enableClient`: the client gets tokens again. */
export const enableClientOperation = switchClient("enable");

function switchClient(action: "disable" | "enable"): CreateOperatorOperation {
  const id = `${action}Client`;
  return (dependencies) => ({
    id,
    method: "POST",
    path: `/operator/v1/clients/{client_id}/${action}`,
    body: "none",
    async act(call) {
      const { store, now } = dependencies;
      const { client_id: clientId = "" } = call.parameters;
      const client = await store.changeClient(
        clientId,
        (client) => setDisabled(client, action === "disable"),
        { ...auditEntry(id, call, dependencies), client_id: clientId },
      );
      if (!client) return unknownClient(clientId);
      const lastUsed = await store.readClientUse(clientId);
      return jsonAnswer(describeClient(client, { now: now(), lastUsed }));
    },
  });
}
