import type { Environment } from "../environment.ts";

/** The media type of the catalog: a linkset with the profile of RFC 9727 §7.3. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** A link's target (RFC 9264 §4.2.3). */
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
 * The API catalog (RFC 9727): the catalog's `item`s are the APIs of the given environments, and each
 * API is the anchor of links to its descriptions (RFC 8631).
 *
 * @param catalog the catalog's own URL
 */
export function apiCatalog(
  catalog: string,
  environments: Environment[],
): { linkset: LinkContext[] } {
  return {
    linkset: [
      { anchor: catalog, item: environments.map(({ urls }) => ({ href: urls.index })) },
      ...environments.map(apiLinks),
    ],
  };
}

function apiLinks({ name, urls }: Environment): LinkContext {
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
