/** Makes the URLs of the service and its default e-mail addresses from the public origin. @module */
import type { Runtime } from "../runtime/mod.ts";
import type { Sender } from "./mail_values.ts";

/** What discovery documents and the API say about an environment: production or the sandbox. */
export interface DescribedEnvironment extends Pick<Runtime, "now"> {
  name: "production" | "sandbox";
  /** The service's fixed identifier (contract, "Status"). */
  service: string;
  urls: EnvironmentUrls;
}

/** The absolute URLs of an environment. */
export interface EnvironmentUrls {
  /** The beginning of the URLs of the API: the public origin with the path prefix. */
  base: string;
  index: string;
  status: string;
  token: string;
  waitlist: string;
  stats: string;
  openapi: string;
  /** The page for developers. */
  docs: string;
  /** The metadata of the authorization server (RFC 8414). */
  authorizationServer: string;
  /** The metadata of the protected resource (RFC 9728). */
  protectedResource: string;
  /** The API catalog (RFC 9727), which both environments share. */
  apiCatalog: string;
}

/**
 * Makes the URLs of an environment. In a well-known URL, the path prefix comes after the well-known path, as in
 * `/.well-known/oauth-authorization-server/sandbox` (RFC 8414 §3.1, RFC 9728 §3.1).
 *
 * @param baseUrl the public origin, without a trailing slash
 * @param pathPrefix `/sandbox`, or an empty text for production
 */
export function environmentUrls(baseUrl: string, pathPrefix: string): EnvironmentUrls {
  const base = baseUrl + pathPrefix;
  return {
    base,
    index: `${base}/api/v1`,
    status: `${base}/api/v1/status`,
    token: `${base}/api/v1/oauth/token`,
    waitlist: `${base}/api/v1/waitlist`,
    stats: `${base}/api/v1/waitlist/stats`,
    openapi: `${base}/openapi.json`,
    docs: `${baseUrl}/developers/`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server${pathPrefix}`,
    protectedResource: `${baseUrl}/.well-known/oauth-protected-resource${pathPrefix}/api/v1`,
    apiCatalog: `${baseUrl}/.well-known/api-catalog`,
  };
}

/** Gives the default e-mail address for contact and sender: `hello@` at the host of the base URL. */
const defaultEmailAt = (baseUrl: string) => `hello@${new URL(baseUrl).hostname}`;

/** Gives the contact address to show: the configured address, or `hello@` at the host of the base URL. */
export function contactOf({ contact }: { contact: string | undefined }, baseUrl: string): string {
  return contact ?? `mailto:${defaultEmailAt(baseUrl)}`;
}

/** Gives the sender of letters: the configured sender, or `hello@` at the host of the base URL. */
export function senderOf(
  { from }: { from: Sender | undefined },
  { siteName, baseUrl }: { siteName: string; baseUrl: string },
): Sender {
  return from ?? { name: siteName, address: defaultEmailAt(baseUrl) };
}
