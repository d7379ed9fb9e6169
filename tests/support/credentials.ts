/** Calls by clients whose credentials change, and a KV that does not tell of the change. */
import { basic, form, type TestService } from "./service.ts";
import { requestStats } from "./tokens.ts";

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

/** What a test does to a KV: which of its reads fail, and whether its watch is deaf. */
export interface Faults {
  away: boolean;
  deaf: boolean;
  /** The lists that were read. */
  lists: string[];
}

/** A KV whose lists can fail, and whose watch can tell of nothing, as one that died silently does. */
export function watchedKv(kv: Deno.Kv, faults: Faults): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "watch" && faults.deaf) return () => new ReadableStream();
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "list") {
          faults.lists.push(String((args[0] as { prefix: Deno.KvKey }).prefix[0]));
          if (faults.away) throw new Error("KV is away");
        }
        return value.apply(target, args);
      };
    },
  });
}

/** Resolves once `holds` does; what a watch tells comes in a later turn of the event loop. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
