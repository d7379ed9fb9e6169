/** The documents by which a client that knows only the service's address finds the rest. @module */
import type { Document } from "../http/mod.ts";
import { llmsTxt, type LlmsTxtOptions, robotsTxt, securityTxt } from "./crawler_files.ts";
import { sitemapXml } from "./crawler_files.ts";
import { API_CATALOG_TYPE, apiCatalog, authorizationServerMetadata } from "./metadata.ts";
import { protectedResourceMetadata } from "./metadata.ts";
import { openApiDocument, openApiMarkdown, type OpenApiOptions } from "./openapi.ts";

export interface DiscoveryOptions
  extends LlmsTxtOptions, Pick<OpenApiOptions, "contact" | "sandboxClient"> {}

/** Returns the functions that make the documents, by path. */
export function discoveryDocuments(options: DiscoveryOptions): Record<string, () => Document> {
  const { production, sandbox, contact, pages } = options;
  const { base: baseUrl, apiCatalog: catalogUrl } = production.urls;

  const names = { ...options, baseUrl, service: production.service };
  const issuer = () => json(authorizationServerMetadata(sandbox));
  const resource = () => json(protectedResourceMetadata(sandbox));
  const catalog = () => ({
    contentType: API_CATALOG_TYPE,
    text: JSON.stringify(apiCatalog(catalogUrl, [production, sandbox])),
    headers: { Link: `<${catalogUrl}>; rel="api-catalog"` },
  });

  return {
    // RFC 8414 §3.1 puts the path of the issuer behind the well-known path; many clients put it before.
    "/.well-known/oauth-authorization-server": () => json(authorizationServerMetadata(production)),
    "/.well-known/oauth-authorization-server/sandbox": issuer,
    "/sandbox/.well-known/oauth-authorization-server": issuer,

    // RFC 9728 §3.1 does the same with the path of the resource.
    "/.well-known/oauth-protected-resource/api/v1": () =>
      json(protectedResourceMetadata(production)),
    "/.well-known/oauth-protected-resource/sandbox/api/v1": resource,
    "/sandbox/.well-known/oauth-protected-resource/api/v1": resource,

    "/.well-known/api-catalog": catalog,
    "/sandbox/.well-known/api-catalog": catalog,

    "/openapi.json": () => json(openApiDocument(names, production.urls)),
    "/sandbox/openapi.json": () => json(openApiDocument(names, sandbox.urls)),
    "/openapi.json.md": () => text(openApiMarkdown(names, production.urls), "markdown"),
    "/sandbox/openapi.json.md": () => text(openApiMarkdown(names, sandbox.urls), "markdown"),

    "/llms.txt": () => text(llmsTxt(options)),
    "/robots.txt": () => text(robotsTxt(baseUrl)),
    "/sitemap.xml": () => ({ contentType: "application/xml", text: sitemapXml(baseUrl, pages) }),
    "/.well-known/security.txt": () => ({
      ...text(securityTxt({ baseUrl, contact, now: production.now() })),
      changes: true,
    }),
  };
}

function json(value: unknown): Document {
  return { contentType: "application/json", text: JSON.stringify(value) };
}

function text(text: string, kind = "plain"): Document {
  return { contentType: `text/${kind}; charset=utf-8`, text };
}
