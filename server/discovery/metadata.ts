/**
 * The metadata documents: authorization server (RFC 8414), protected resource (RFC 9728), API catalog
 * (RFC 9727).
 *
 * @module
 */
import type { DescribedEnvironment } from "../config/mod.ts";
import { STATS_SCOPE } from "../oauth/mod.ts";

/** The members of RFC 8414 §2 that an authorization server has whose only grant is client credentials. */
export interface AuthorizationServerMetadata {
  issuer: string;
  token_endpoint: string;
  scopes_supported: string[];
  response_types_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  service_documentation: string;
  /** The APIs that accept its tokens (RFC 9728 §4): a client that knows the issuer finds the API. */
  protected_resources: string[];
}

/**
 * Returns the authorization server metadata of an environment (RFC 8414 §2; decisions, "Index, discovery").
 */
export function authorizationServerMetadata(
  { urls }: DescribedEnvironment,
): AuthorizationServerMetadata {
  return {
    issuer: urls.base,
    token_endpoint: urls.token,
    scopes_supported: [STATS_SCOPE],
    // RFC 8414 requires this member. It is empty, as there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    service_documentation: urls.docs,
    protected_resources: [urls.index],
  };
}

/** The members of RFC 9728 §2 that describe the API. */
export interface ProtectedResourceMetadata {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
  resource_name: string;
  resource_documentation: string;
}

/**
 * Returns the protected resource metadata of an environment. The URL of the document is derived from its
 * `resource`, which is also the audience of the access tokens (RFC 9728 §3.3).
 */
export function protectedResourceMetadata(
  { name, urls }: DescribedEnvironment,
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

/** The media type of the API catalog: a linkset with the profile of RFC 9727 §7.3. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The target of a link (RFC 9264 §4.2.3). */
interface LinkTarget {
  href: string;
  type?: string;
  title?: string;
}

/** The links from one anchor, by relation type (RFC 9264 §4.2.2). */
interface LinkContext {
  anchor: string;
  item?: LinkTarget[];
  "service-desc"?: LinkTarget[];
  "service-doc"?: LinkTarget[];
  "service-meta"?: LinkTarget[];
  status?: LinkTarget[];
}

/**
 * Returns the API catalog (RFC 9727). Its `item` links lead to the APIs of the environments, and the links of
 * each API lead to its descriptions (RFC 8631).
 *
 * @param catalog the URL of the catalog itself
 */
export function apiCatalog(
  catalog: string,
  environments: DescribedEnvironment[],
): { linkset: LinkContext[] } {
  return {
    linkset: [
      { anchor: catalog, item: environments.map(({ urls }) => ({ href: urls.index })) },
      ...environments.map(apiLinks),
    ],
  };
}

function apiLinks({ name, urls }: DescribedEnvironment): LinkContext {
  return {
    anchor: urls.index,
    "service-desc": [
      { href: urls.openapi, type: "application/json", title: `OpenAPI document, ${name}` },
    ],
    "service-doc": [
      { href: urls.docs, type: "text/html", title: "For developers" },
      { href: `${urls.openapi}.md`, type: "text/markdown", title: "API reference" },
    ],
    "service-meta": [
      {
        href: urls.authorizationServer,
        type: "application/json",
        title: "OAuth 2.0 authorization server metadata",
      },
      {
        href: urls.protectedResource,
        type: "application/json",
        title: "OAuth 2.0 protected resource metadata",
      },
    ],
    status: [{ href: urls.status, type: "application/json" }],
  };
}
