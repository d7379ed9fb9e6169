import type { Environment } from "../environment.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";

/** The members of RFC 9728 §2 that the API has. */
export interface ProtectedResourceMetadata {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
  resource_name: string;
  resource_documentation: string;
}

/**
 * An environment's protected resource metadata. Its `resource` is the identifier that the URL of the
 * document is derived from, and the audience of the access tokens (RFC 9728 §3.3).
 */
export function protectedResourceMetadata(
  { name, urls }: Environment,
): ProtectedResourceMetadata {
  return {
    resource: urls.index,
    authorization_servers: [urls.base],
    scopes_supported: [STATS_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: `Waitlist API (${name})`,
    resource_documentation: urls.docs,
  };
}
