/**
 * The discovery documents and their paths. With them, a client that knows only the service's base URL finds everything
 * else. @module
 */
import type { DescribedEnvironment } from "../config/mod.ts";
import type { Document } from "../http/mod.ts";
import {
  llmsTxt,
  type LlmsTxtOptions,
  robotsTxt,
  securityTxt,
  sitemapXml,
} from "./crawler_files.ts";
import {
  API_CATALOG_TYPE,
  apiCatalog,
  authorizationServerMetadata,
  protectedResourceMetadata,
} from "./metadata.ts";
import { openApiDocument, openApiMarkdown } from "./openapi_document.ts";
export { describeContact } from "./openapi_document.ts";

interface DiscoveryOptions extends LlmsTxtOptions {
  /** The contact as a URL, `mailto:` or `https:`. */
  contact: string;
}

/** Returns, for the path of each document, the function that makes the document. */
export function discoveryDocuments(options: DiscoveryOptions): Record<string, () => Document> {
  const { production, sandbox, contact, pages, siteName, sandboxClient } = options;
  const { base: baseUrl, apiCatalog: catalogUrl } = production.urls;

  const serviceNames = { baseUrl, contact, siteName, service: production.service, sandboxClient };
  const catalog = () => ({
    contentType: API_CATALOG_TYPE,
    text: JSON.stringify(apiCatalog(catalogUrl, [production, sandbox])),
    headers: { Link: `<${catalogUrl}>; rel="api-catalog"` },
  });

  // RFC 8414 §3.1 and RFC 9728 §3.1 put `/.well-known/…` before the path of the issuer or resource, so before
  // `/sandbox`. Many clients put it after `/sandbox`. So each of these documents of the sandbox is served at both
  // paths.
  const documentsOf = (environment: DescribedEnvironment, prefix: string) => {
    const { urls } = environment;
    const authorizationServer = () => jsonDocument(authorizationServerMetadata(environment));
    const protectedResource = () => jsonDocument(protectedResourceMetadata(environment));
    return {
      [`/.well-known/oauth-authorization-server${prefix}`]: authorizationServer,
      [`${prefix}/.well-known/oauth-authorization-server`]: authorizationServer,
      [`/.well-known/oauth-protected-resource${prefix}/api/v1`]: protectedResource,
      [`${prefix}/.well-known/oauth-protected-resource/api/v1`]: protectedResource,
      [`${prefix}/.well-known/api-catalog`]: catalog,
      [`${prefix}/openapi.json`]: () => jsonDocument(openApiDocument(serviceNames, urls)),
      [`${prefix}/openapi.json.md`]: () =>
        textDocument(openApiMarkdown(serviceNames, urls), "markdown"),
    };
  };

  return {
    ...documentsOf(production, ""),
    ...documentsOf(sandbox, "/sandbox"),
    "/llms.txt": () => textDocument(llmsTxt(options)),
    "/robots.txt": () => textDocument(robotsTxt(baseUrl)),
    "/sitemap.xml": () => ({ contentType: "application/xml", text: sitemapXml(baseUrl, pages) }),
    "/.well-known/security.txt": () => ({
      ...textDocument(securityTxt({ baseUrl, contact, now: production.now() })),
      dependsOnTime: true,
    }),
  };
}

/** Makes a document from a value, as JSON. */
function jsonDocument(value: unknown): Document {
  return { contentType: "application/json", text: JSON.stringify(value) };
}

/** Makes a document from a text. @param kind the subtype of the media type, after `text/` */
function textDocument(text: string, kind: "plain" | "markdown" = "plain"): Document {
  return { contentType: `text/${kind}; charset=utf-8`, text };
}
