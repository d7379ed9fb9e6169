/** The facts about the two environments that a client needs. */
export const ENVIRONMENTS = {
  production: { path: "", publishesClient: false },
  sandbox: { path: "/sandbox", publishesClient: true },
} as const;

/** The name of an environment. */
export type EnvironmentName = keyof typeof ENVIRONMENTS;

/** Returns the URL that an environment's paths begin with, without a slash at the end. */
export function environmentBase(baseUrl: string, environment: EnvironmentName): string {
  return baseUrl.replace(/\/$/, "") + ENVIRONMENTS[environment].path;
}

/** The id and the secret that an OAuth client authenticates with. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/**
 * Reads the published sandbox credentials, `x-sandbox-client` at the root of an OpenAPI document.
 *
 * @returns `undefined` if the document has none
 */
export function sandboxClientOf(document: unknown): Credentials | undefined {
  type Published = { "x-sandbox-client"?: Record<string, unknown> | null } | null | undefined;
  const { clientId, clientSecret } = (document as Published)?.["x-sandbox-client"] ?? {};
  if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
  return { clientId, clientSecret };
}

/**
 * Returns the value of an `Authorization` header of HTTP Basic, in which id and secret are form-encoded
 * (RFC 6749 §2.3.1).
 */
export function basicAuthorization({ clientId, clientSecret }: Credentials): string {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`;
}
