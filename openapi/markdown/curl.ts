/**
 * Writes curl commands for the sandbox. A reader can copy and run them without a change.
 *
 * @module
 */
import { type MediaType, type OpenApi, type PlacedOperation, resolve } from "./openapi.ts";

/**
 * Returns the sandbox's base URL: that of the server whose path is `/sandbox`.
 *
 * @throws an Error if there is no such server
 */
export function sandboxUrl(document: OpenApi): string {
  const server = document.servers.find(({ url }) => url.endsWith("/sandbox"));
  if (!server) {
    throw new Error("The OpenAPI document names no sandbox among its servers");
  }
  return server.url;
}

/** Writes the command that gets an access token in the sandbox and stores it in the shell's variable `ACCESS_TOKEN`. */
export function curlForToken(document: OpenApi): string {
  const { clientId, clientSecret } = document["x-sandbox-client"];
  const url = `${sandboxUrl(document)}/api/v1/oauth/token`;
  return `ACCESS_TOKEN=$(curl -s -u ${quote(`${clientId}:${clientSecret}`)} \\
  -d grant_type=client_credentials ${url} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
}

/**
 * Writes the commands that call an operation: one for each example of the request body, or a single command if the
 * operation has no body.
 */
export function curlLines(document: OpenApi, operation: PlacedOperation): string[] {
  const url = sandboxUrl(document) + operation.path;
  const { requestBody, method } = operation;
  if (!requestBody) {
    return [command([method === "HEAD" ? "-I" : "", bearer(operation)], url)];
  }
  return Object.entries(resolve(document, requestBody).content)
    .flatMap(([type, { examples = {} }]) =>
      Object.values(examples).map(({ summary, value }) => {
        const credentials = basic(document, operation, value);
        const comment = summary ? `# ${summary} (${type})\n` : "";
        return comment + command([credentials, ...body(operation, type, value)], url);
      })
    );
}

/** If the options of a command have this number of characters or more, each option stands on a line of its own. */
const MAX_OPTIONS_ON_LINE = 40;

/**
 * Joins the options and the URL of a command. Line breaks and quotes must not depend on the URL, because the service
 * replaces the beginning of the URL with its own base URL.
 */
function command(options: string[], url: string): string {
  const shown = options.filter((option) => option !== "");
  const separator = shown.join(" ").length < MAX_OPTIONS_ON_LINE ? " " : " \\\n  ";
  return `curl ${[...shown, url].join(separator)}`;
}

function bearer({ security }: PlacedOperation): string {
  const needsToken = security.some((scheme) => "accessToken" in scheme);
  return needsToken ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : "";
}

/** Returns the option for HTTP Basic; empty if the operation needs none, or if the body has the credentials. */
function basic(document: OpenApi, { security }: PlacedOperation, value: object): string {
  const { clientId, clientSecret } = document["x-sandbox-client"];
  const wanted = security.some((scheme) => "clientBasic" in scheme) && !("client_id" in value);
  return wanted ? `-u ${quote(`${clientId}:${clientSecret}`)}` : "";
}

type Example = NonNullable<MediaType["examples"]>[string]["value"];

function body({ responses }: PlacedOperation, type: string, value: Example): string[] {
  if (type === "application/json") {
    return ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(value))}`];
  }
  const fields = Object.entries(value)
    .map(([name, text]) => `-d ${quote(`${name}=${formEncode(String(text))}`)}`);
  // `-i` shows the headers, because a redirect has no body.
  return ["303" in responses ? `-i ${fields.join(" ")}` : fields.join(" ")];
}

/** Percent-encodes the value of a form field, except `@` and `:`, which a form allows and which are easier to read. */
function formEncode(text: string): string {
  return encodeURIComponent(text).replace(/%40/g, "@").replace(/%3A/g, ":");
}

/** Quotes an argument for a POSIX shell if it needs quotes. */
function quote(argument: string): string {
  return /^[\w@%+=:,./~-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
