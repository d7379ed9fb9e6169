/** The metadata of the authorization server and of the protected resource, and the API catalog. @module */
import type { DescribedEnvironment } from "../config/mod.ts";
import { STATS_SCOPE } from "../oauth/mod.ts";

/** Returns the metadata of the authorization server (RFC 8414 §2). Client credentials are the only grant. */
export function authorizationServerMetadata({ urls }: DescribedEnvironment) {
  return {
    issuer: urls.base,
    token_endpoint: urls.token,
    scopes_supported: [STATS_SCOPE],
    // RFC 8414 requires this member. It is empty because there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    service_documentation: urls.docs,
    // The APIs that accept the tokens (RFC 9728 §4). A client that knows only the issuer finds the API by this member.
    protected_resources: [urls.index],
  };
}

/** Returns the metadata of the protected resource (RFC 9728 §2). `resource` is the audience of access tokens (§3.3). */
export function protectedResourceMetadata({ name, urls }: DescribedEnvironment) {
  return {
    resource: urls.index,
    authorization_servers: [urls.base],
    scopes_supported: [STATS_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: `Waitlist API (${name})`,
    resource_documentation: urls.docs,
  };
}

/** The media type of the API catalog: a link set with the profile of RFC 9727 §7.3. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Returns the API catalog (RFC 9727) as a link set (RFC 9264): a link to each API, and links from each API to its
 * descriptions (RFC 8631).
 *
 * @param catalog the URL of the catalog itself
 */
export function apiCatalog(catalog: string, environments: DescribedEnvironment[]) {
  const items = environments.map(({ urls }) => ({ href: urls.index }));
  return { linkset: [{ anchor: catalog, item: items }, ...environments.map(apiLinks)] };
}

/** Makes the links from one API to its descriptions. */
function apiLinks({ name, urls }: DescribedEnvironment) {
  const json = (href: string, title?: string) => ({ href, type: "application/json", title });
  return {
    anchor: urls.index,
    "service-desc": [json(urls.openapi, `OpenAPI document, ${name}`)],
    "service-doc": [
      { href: urls.docs, type: "text/html", title: "For developers" },
      { href: `${urls.openapi}.md`, type: "text/markdown", title: "API reference" },
    ],
    "service-meta": [
      json(urls.authorizationServer, "OAuth 2.0 authorization server metadata"),
      json(urls.protectedResource, "OAuth 2.0 protected resource metadata"),
    ],
    status: [json(urls.status)],
  };
}
