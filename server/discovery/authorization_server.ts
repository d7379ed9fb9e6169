import type { Environment } from "../environment.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";

/** The members of RFC 8414 §2 that an authorization server with this one grant has. */
export interface AuthorizationServerMetadata {
  issuer: string;
  token_endpoint: string;
  scopes_supported: string[];
  response_types_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  service_documentation: string;
  /** What its tokens are good for (RFC 9728 §4), so that a client finds the API from the issuer. */
  protected_resources: string[];
}

/** An environment's authorization server metadata (RFC 8414 §2; decisions, "Index, discovery"). */
export function authorizationServerMetadata({ urls }: Environment): AuthorizationServerMetadata {
  return {
    issuer: urls.base,
    token_endpoint: urls.token,
    scopes_supported: [STATS_SCOPE],
    // Required, and empty: there is no authorization endpoint that could answer with one.
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    service_documentation: urls.docs,
    protected_resources: [urls.index],
  };
}
