import { isObject } from "./shapes.ts";

/** What an OAuth client authenticates with. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** The published sandbox credentials, from `x-sandbox-client` at the root of an OpenAPI document. */
export function sandboxClientOf(document: unknown): Credentials | undefined {
  const client = isObject(document) ? document["x-sandbox-client"] : undefined;
  if (!isObject(client)) return undefined;
  const { clientId, clientSecret } = client;
  if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
  return { clientId, clientSecret };
}
