/**
 * The OpenAPI document of an environment, in JSON and in Markdown. Both are made from a template, the document of an
 * example service, by replacing the names of that service. @module
 */
import template from "../../shared/generated/public.json" with { type: "json" };
import markdownLines from "../../shared/generated/public_markdown.json" with { type: "json" };
import type { EnvironmentUrls } from "../config/mod.ts";

/** The names of this service, which replace those of the example service in the template. */
interface ServiceNames {
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
  names: ServiceNames,
  { base, token }: Pick<EnvironmentUrls, "base" | "token">,
): typeof template {
  const document = JSON.parse(replaceNames(JSON.stringify(template), replacementsFor(names)));
  document.info.contact = describeContact(names);
  document.servers = moveToFront(
    document.servers,
    (server: { url: string }) => server.url === base,
  );
  document.components.securitySchemes.accessToken.flows.clientCredentials.tokenUrl = token;
  for (const schema of ["Status", "ServiceIndex"]) {
    const { properties } = document.components.schemas[schema];
    // The template allows any text as `service`, because all services share it. Here, the rule for `service` allows
    // only the name of this service.
    const { type, description } = properties.service;
    properties.service = { type, const: names.service, description };
  }
  return document;
}

/** Returns the document of {@linkcode openApiDocument} as Markdown. */
export function openApiMarkdown(
  names: ServiceNames,
  { base, openapi }: Pick<EnvironmentUrls, "base" | "openapi">,
): string {
  const { name, email, url } = describeContact(names);
  const replacements = {
    ...replacementsFor(names),
    "{{openapi_url}}": openapi,
    "Example Company": name,
    "hello@waitlist.example": email ?? url,
  };
  const lines = markdownLines.map((line) => replaceNames(line, replacements));
  // The rows of the table of servers follow the two lines of the table's head.
  const firstRow = lines.indexOf("| Base URL | Environment |") + 2;
  const rows = lines.slice(firstRow, firstRow + template.servers.length);
  const orderedRows = moveToFront(rows, (row) => row.startsWith(`| \`${base}\` |`));
  return lines.toSpliced(firstRow, rows.length, ...orderedRows).join("\n");
}

/** Moves the server of the environment to the beginning of a list of servers. */
function moveToFront<T>(servers: T[], isOwnServer: (server: T) => boolean): T[] {
  return servers.toSorted((a, b) => Number(isOwnServer(b)) - Number(isOwnServer(a)));
}

/** Returns, for each name of the example service, the name of this service that replaces it. */
function replacementsFor(
  { baseUrl, service, sandboxClient }: ServiceNames,
): Record<string, string> {
  return {
    "https://waitlist.example": baseUrl,
    "waitlist-web": service,
    "sandbox-public-client": sandboxClient,
  };
}

/** Replaces names in one pass, so that a name inside a new name is not replaced. */
function replaceNames(text: string, replacements: Record<string, string>): string {
  const anyName = new RegExp(Object.keys(replacements).map(RegExp.escape).join("|"), "g");
  return text.replace(anyName, (name) => replacements[name] ?? name);
}

/**
 * Returns the contact of an OpenAPI document: the e-mail address if the contract accepts it, and otherwise the contact
 * as a URL. For example, the contract does not accept `hello@localhost`, the default address on a developer's computer.
 */
export function describeContact(
  { contact, siteName: name }: Pick<ServiceNames, "contact" | "siteName">,
) {
  const url = new URL(contact);
  const email = decodeURIComponent(url.pathname);
  return url.protocol === "mailto:" && EMAIL.test(email) ? { name, email } : { name, url: contact };
}
