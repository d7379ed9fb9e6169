/** The OpenAPI document and its Markdown twin, in which the service's names replace those of an example. @module */
import template from "../../shared/generated/public.json" with { type: "json" };
import markdownLines from "../../shared/generated/public_markdown.json" with { type: "json" };
import type { EnvironmentUrls } from "../config/mod.ts";

export interface OpenApiOptions {
  /** The public origin, `{base_url}`. */
  baseUrl: string;
  contact: string;
  siteName: string;
  service: string;
  sandboxClient: string;
}

const EMAIL = new RegExp(template.components.schemas.WaitlistSignup.properties.email.pattern);

/** The document of the environment with these URLs, whose server comes first and whose token endpoint it names. */
export function openApiDocument(
  options: OpenApiOptions,
  { base, token }: Pick<EnvironmentUrls, "base" | "token">,
): typeof template {
  const document = JSON.parse(replaceNames(JSON.stringify(template), namesOf(options)));
  document.info.contact = contactObject(options);
  document.servers = ownFirst(document.servers, (server: { url: string }) => server.url === base);
  document.components.securitySchemes.accessToken.flows.clientCredentials.tokenUrl = token;
  for (const schema of ["Status", "ServiceIndex"]) {
    const { properties } = document.components.schemas[schema];
    // The document as written allows the name of any service; this service has one name.
    const { type, description } = properties.service;
    properties.service = { type, const: options.service, description };
  }
  return document;
}

/** Returns the Markdown twin of {@linkcode openApiDocument}, for the same environment. */
export function openApiMarkdown(
  options: OpenApiOptions,
  { base, openapi }: Pick<EnvironmentUrls, "base" | "openapi">,
): string {
  const { name, email, url } = contactObject(options);
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

function ownFirst<T>(servers: T[], isOwn: (server: T) => boolean): T[] {
  return servers.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}

/** The service's own names, by those of the example service. */
function namesOf({ baseUrl, service, sandboxClient }: OpenApiOptions): Record<string, string> {
  return {
    "https://waitlist.example": baseUrl,
    "waitlist-web": service,
    "sandbox-public-client": sandboxClient,
  };
}

/** Replaces names in one pass, so that no name is replaced inside another that was just put in. */
function replaceNames(text: string, names: Record<string, string>): string {
  const anyName = new RegExp(Object.keys(names).map(RegExp.escape).join("|"), "g");
  return text.replace(anyName, (name) => names[name] ?? name);
}

/** An address that JSON Schema's `email` refuses, such as the default one of localhost, is given as a URL. */
function contactObject({ contact, siteName: name }: OpenApiOptions) {
  const url = new URL(contact);
  const email = decodeURIComponent(url.pathname);
  return url.protocol === "mailto:" && EMAIL.test(email) ? { name, email } : { name, url: contact };
}
