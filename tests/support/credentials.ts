/** Calls by clients whose credentials change, and a KV that does not tell of the change. */
import { basic, form, type TestService } from "./service.ts";
import type { OperatedService } from "./operator.ts";
import { requestStats } from "./tokens.ts";
import type { Key, Kv } from "../../server/store/kv/engine.ts";

/** A client and one of its secrets. */
interface Secret {
  clientId: string;
  clientSecret: string;
}

/** The status that a token call of a client is answered with. */
export async function tokenStatus(
  service: TestService,
  client: Secret,
  from?: string,
): Promise<number> {
  const { status } = await service.request("/api/v1/oauth/token", {
    ...form({ grant_type: "client_credentials" }),
    headers: { Authorization: basic(client.clientId, client.clientSecret) },
    ...(from && { from }),
  });
  return status;
}

/** The status that a statistics call with a token is answered with. */
export async function statsStatus(
  service: TestService,
  token: string,
  prefix = "",
): Promise<number> {
  const { status } = await requestStats(service, { authorization: `Bearer ${token}`, prefix });
  return status;
}

/** A KV whose watch tells of nothing, as one that died silently does; its lists fail while it is `away`. */
export function deafKv(memory: Kv) {
  const faults = { away: false, lists: new Array<string>() };
  const kv = new Proxy(memory, {
    get(target, name) {
      if (name === "watch") return () => ({ close: () => Promise.resolve() });
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "list") {
          faults.lists.push(String((args[0] as { prefix: Key }).prefix[0]));
          if (faults.away) throw new Error("KV is away");
        }
        return value.apply(target, args);
      };
    },
  });
  return { kv, faults };
}

/** Disables a client by the operator's operation; gives the status of the answer. */
export async function disable(
  service: Pick<OperatedService, "operate">,
  { clientId }: Secret,
): Promise<number> {
  const path = `/clients/${clientId}/disable`;
  return (await service.operate(path, undefined, { method: "POST" })).status;
}

/** Gives a client a new secret by the operator's operation; the old one ends at once. */
export async function rotateSecret(
  service: Pick<OperatedService, "operate">,
  { clientId }: Secret,
): Promise<Secret> {
  const rotated = await service.operate(`/clients/${clientId}/rotate`, { overlapSeconds: 0 });
  const { client_secret, clientSecret } = await rotated.json();
  return { clientId, clientSecret: client_secret ?? clientSecret };
}

/** Resolves once `holds` does; what a watch tells comes in a later turn of the event loop. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
