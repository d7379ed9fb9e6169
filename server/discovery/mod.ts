/**
 * The discovery documents. With them, a client that knows only the service's base URL finds everything else. @module
 */
import template from "../../shared/generated/public.json" with { type: "json" };
import markdownLines from "../../shared/generated/public_markdown.json" with { type: "json" };
import type { DescribedEnvironment, EnvironmentUrls } from "../config/mod.ts";
import type { Document } from "../http/mod.ts";
import { STATS_SCOPE } from "../oauth/mod.ts";
import {
  llmsTxt,
  type LlmsTxtOptions,
  robotsTxt,
  securityTxt,
  sitemapXml,
} from "./crawler_files.ts";

interface DiscoveryOptions extends LlmsTxtOptions {
  /** The contact as a URL, `mailto:` or `https:`. */
  contact: string;
}

/** Returns, for the path of each document, the function that makes the document. */
export function discoveryDocuments(options: DiscoveryOptions): Record<string, () => Document> {
  const { production, sandbox, contact, pages, siteName, sandboxClient } = options;
  const { base: baseUrl, apiCatalog: catalogUrl } = production.urls;

  const names = { baseUrl, contact, siteName, service: production.service, sandboxClient };
  const catalog = () => ({
    contentType: API_CATALOG_TYPE,
    text: JSON.stringify(apiCatalog(catalogUrl, [production, sandbox])),
    headers: { Link: `<${catalogUrl}>; rel="api-catalog"` },
  });

  // RFC 8414 §3.1 and RFC 9728 §3.1 put `/.well-known/…` before the path of the issuer or resource, so before
  // `/sandbox`. Many clients put it after `/sandbox`. So each of these documents of the sandbox is served at both
  // paths.
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
      dependsOnTime: true,
    }),
  };
}

/** Makes a document from a value, as JSON. */
function json(value: unknown): Document {
  return { contentType: "application/json", text: JSON.stringify(value) };
}

/** Makes a document from a text. @param kind the subtype of the media type, after `text/` */
function text(text: string, kind = "plain"): Document {
  return { contentType: `text/${kind}; charset=utf-8`, text };
}

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
const API_CATALOG_TYPE =
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

/** The names of this service, which replace those of the example service in the template of the OpenAPI document. */
interface OpenApiOptions {
  baseUrl: string;
  contact: string;
  siteName: string;
  /** The name of the service in the answer of `status`. */
  service: string;
  sandboxClient: string;
}

/** The pattern of the e-mail addresses that the contract accepts. */
const EMAIL = new RegExp(template.components.schemas.WaitlistSignup.properties.email.pattern);

/** Returns the OpenAPI document of an environment. Its list of servers begins with the server of this environment. */
export function openApiDocument(
  options: OpenApiOptions,
  { base, token }: Pick<EnvironmentUrls, "base" | "token">,
): typeof template {
  const document = JSON.parse(replaceNames(JSON.stringify(template), namesOf(options)));
  document.info.contact = describeContact(options);
  document.servers = ownFirst(document.servers, (server: { url: string }) => server.url === base);
  document.components.securitySchemes.accessToken.flows.clientCredentials.tokenUrl = token;
  for (const schema of ["Status", "ServiceIndex"]) {
    const { properties } = document.components.schemas[schema];
    // The template allows any text as `service`, because all services share it. Here, the rule for `service` allows
    // only the name of this service.
    const { type, description } = properties.service;
    properties.service = { type, const: options.service, description };
  }
  return document;
}

/** Returns the document of {@linkcode openApiDocument} as Markdown. */
export function openApiMarkdown(
  options: OpenApiOptions,
  { base, openapi }: Pick<EnvironmentUrls, "base" | "openapi">,
): string {
  const { name, email, url } = describeContact(options);
  const names = {
    ...namesOf(options),
    "{{openapi_url}}": openapi,
    "Example Company": name,
    "hello@waitlist.example": email ?? url,
  };
  const lines = markdownLines.map((line) => replaceNames(line, names));
  const first = lines.indexOf("| Base URL | Environment |") + 2;
  const servers = lines.slice(first, first + template.servers.length);
  const ordered = ownFirst(servers, (row) => row.startsWith(`| \`${base}\` |`));
  return lines.toSpliced(first, servers.length, ...ordered).join("\n");
}

/** Moves the server of the environment to the beginning of a list of servers. */
function ownFirst<T>(servers: T[], isOwn: (server: T) => boolean): T[] {
  return servers.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}

/** Returns, for each name of the example service, the name of this service that replaces it. */
function namesOf({ baseUrl, service, sandboxClient }: OpenApiOptions): Record<string, string> {
  return {
    "https://waitlist.example": baseUrl,
    "waitlist-web": service,
    "sandbox-public-client": sandboxClient,
  };
}

/** Replaces names in one pass, so that a name inside a new name is not replaced. */
function replaceNames(text: string, names: Record<string, string>): string {
  const anyName = new RegExp(Object.keys(names).map(RegExp.escape).join("|"), "g");
  return text.replace(anyName, (name) => names[name] ?? name);
}

/**
 * Returns the contact of an OpenAPI document: the e-mail address if the contract accepts it, and otherwise the contact
 * as a URL. For example, the contract does not accept `hello@localhost`, the default address on a developer's computer.
 */
export function describeContact(
  { contact, siteName: name }: Pick<OpenApiOptions, "contact" | "siteName">,
) {
  const url = new URL(contact);
  const email = decodeURIComponent(url.pathname);
  return url.protocol === "mailto:" && EMAIL.test(email) ? { name, email } : { name, url: contact };
}
