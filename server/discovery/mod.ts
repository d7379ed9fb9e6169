/**
 * Everything by which a client finds its way knowing nothing but the service's address: metadata of
 * the OAuth roles, the API catalog, the OpenAPI document and its Markdown twin, and the files that
 * crawlers ask for. What they describe belongs to the environments; how a document is answered
 * (`ETag`, 304, methods) to `http/document.ts`.
 *
 * @module
 */
import type { Environment } from "../environment.ts";
import type { Document } from "../http/document.ts";
import type { ListedPage } from "../http/listed_page.ts";
import { API_CATALOG_TYPE, apiCatalog } from "./api_catalog.ts";
import { authorizationServerMetadata } from "./authorization_server.ts";
import { llmsTxt } from "./llms_txt.ts";
import { openApiDocument, openApiMarkdown } from "./openapi.ts";
import { protectedResourceMetadata } from "./protected_resource.ts";
import { robotsTxt } from "./robots_txt.ts";
import { securityTxt } from "./security_txt.ts";
import { sitemapXml } from "./sitemap_xml.ts";

/** What the documents are made of. */
export interface DiscoveryOptions {
  production: Environment;
  sandbox: Environment;
  sandboxClient: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  siteName: string;
  /** All pages, for the lists of them. */
  pages: ListedPage[];
}

/** All documents by path; one that changes with time is made when it is asked for. */
export function discoveryDocuments(
  options: DiscoveryOptions,
): Record<string, Document | (() => Document)> {
  const { production, sandbox, contact, pages } = options;
  const { base: baseUrl, apiCatalog: catalogUrl } = production.urls;

  const names = { ...options, baseUrl, service: production.service };
  const openApi = json(openApiDocument(names));
  const catalog: Document = {
    contentType: API_CATALOG_TYPE,
    text: JSON.stringify(apiCatalog(catalogUrl, [production, sandbox])),
    headers: { Link: `<${catalogUrl}>; rel="api-catalog"` },
  };

  return {
    // RFC 8414 §3.1 inserts an issuer's path behind the well-known path; many clients append instead.
    "/.well-known/oauth-authorization-server": json(authorizationServerMetadata(production)),
    "/.well-known/oauth-authorization-server/sandbox": json(authorizationServerMetadata(sandbox)),
    "/sandbox/.well-known/oauth-authorization-server": json(authorizationServerMetadata(sandbox)),

    // RFC 9728 §3.1 does likewise with the path of the resource, the API.
    "/.well-known/oauth-protected-resource/api/v1": json(protectedResourceMetadata(production)),
    "/.well-known/oauth-protected-resource/sandbox/api/v1": json(
      protectedResourceMetadata(sandbox),
    ),
    "/sandbox/.well-known/oauth-protected-resource/api/v1": json(
      protectedResourceMetadata(sandbox),
    ),

    "/.well-known/api-catalog": catalog,
    "/sandbox/.well-known/api-catalog": catalog,

    "/openapi.json": openApi,
    "/sandbox/openapi.json": openApi,
    "/openapi.json.md": markdown(openApiMarkdown(names, production.urls.openapi)),
    "/sandbox/openapi.json.md": markdown(openApiMarkdown(names, sandbox.urls.openapi)),

    "/llms.txt": plain(llmsTxt(options)),
    "/robots.txt": plain(robotsTxt(baseUrl)),
    "/sitemap.xml": { contentType: "application/xml", text: sitemapXml(baseUrl, pages) },
    "/.well-known/security.txt": () =>
      plain(securityTxt({ baseUrl, contact, now: production.now() })),
  };
}

function json(value: unknown): Document {
  return { contentType: "application/json", text: JSON.stringify(value) };
}

function markdown(text: string): Document {
  return { contentType: "text/markdown; charset=utf-8", text };
}

function plain(text: string): Document {
  return { contentType: "text/plain; charset=utf-8", text };
}
