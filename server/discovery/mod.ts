/** The documents by which a client that knows only the service's address finds the rest. @module */
import type { DescribedEnvironment } from "../config/mod.ts";
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
  const catalog = () => ({
    contentType: API_CATALOG_TYPE,
    text: JSON.stringify(apiCatalog(catalogUrl, [production, sandbox])),
    headers: { Link: `<${catalogUrl}>; rel="api-catalog"` },
  });

  // RFC 8414 §3.1 and RFC 9728 §3.1 put the path of what is described behind the well-known one; many clients put it
  // before.
  const documentsOf = (environment: DescribedEnvironment, prefix: string) => {
    const issuer = () => json(authorizationServerMetadata(environment));
    const resource = () => json(protectedResourceMetadata(environment));
    return {
      [`/.well-known/oauth-authorization-server${prefix}`]: issuer,
      [`${prefix}/.well-known/oauth-authorization-server`]: issuer,
      [`/.well-known/oauth-protected-resource${prefix}/api/v1`]: resource,
      [`${prefix}/.well-known/oauth-protected-resource/api/v1`]: resource,
      [`${prefix}/.well-known/api-catalog`]: catalog,
      [`${prefix}/openapi.json`]: () => json(openApiDocument(names, environment.urls)),
      [`${prefix}/openapi.json.md`]: () =>
        text(openApiMarkdown(names, environment.urls), "markdown"),
    };
  };

  return {
    ...documentsOf(production, ""),
    ...documentsOf(sandbox, "/sandbox"),
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
