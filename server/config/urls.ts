/** What follows from the service's public origin: its URLs, and the addresses that are not configured. @module */
import type { Runtime } from "../runtime/mod.ts";
import type { Sender } from "./mail_values.ts";

/** What discovery documents and API need to know of production or of the sandbox. */
export interface DescribedEnvironment extends Pick<Runtime, "now"> {
  name: "production" | "sandbox";
  /** The service's fixed identifier (contract, "Status"). */
  service: string;
  urls: EnvironmentUrls;
}

export type EnvironmentUrls = ReturnType<typeof environmentUrls>;

/**
 * The absolute URLs in answers. Well-known ones have the environment's path at the end (RFC 8414 §3.1, RFC 9728 §3.1).
 */
export function environmentUrls(baseUrl: string, pathPrefix: string) {
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

const mailboxAt = (baseUrl: string) => `hello@${new URL(baseUrl).hostname}`;

/** The contact address that is shown: the configured one, or `hello@` at the base URL's host. */
export function contactOf({ contact }: { contact: string | undefined }, baseUrl: string): string {
  return contact ?? `mailto:${mailboxAt(baseUrl)}`;
}

/** The mailbox that letters come from: the configured one, or `hello@` at the base URL's host. */
export function senderOf(
  { from }: { from: Sender | undefined },
  { siteName, baseUrl }: { siteName: string; baseUrl: string },
): Sender {
  return from ?? { name: siteName, address: mailboxAt(baseUrl) };
}
