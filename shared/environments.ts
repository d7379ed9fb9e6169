/**
 * The two environments of the API, as a client sees them: their base URLs, and the credentials for each environment.
 *
 * @module
 */

/** The path of each environment, and whether its OpenAPI document publishes an OAuth client for everybody. */
export const ENVIRONMENTS = {
  production: { path: "", publishesClient: false },
  sandbox: { path: "/sandbox", publishesClient: true },
} as const;

/** The name of an environment. */
export type EnvironmentName = keyof typeof ENVIRONMENTS;

/**
 * Returns the base URL of an environment, without a slash at its end: the paths of the API are appended to this URL.
 *
 * @param baseUrl the service's public origin
 */
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
 * @returns `undefined` if the document has no such credentials
 */
export function sandboxClientOf(document: unknown): Credentials | undefined {
  type Published = { "x-sandbox-client"?: Record<string, unknown> | null } | null | undefined;
  const { clientId, clientSecret } = (document as Published)?.["x-sandbox-client"] ?? {};
  if (typeof clientId !== "string" || typeof clientSecret !== "string") return undefined;
  return { clientId, clientSecret };
}

/**
 * Returns the value of an `Authorization` header for HTTP Basic. The id and the secret are form-encoded before they are
 * joined (RFC 6749 §2.3.1).
 */
export function basicAuthorization({ clientId, clientSecret }: Credentials): string {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`;
}
