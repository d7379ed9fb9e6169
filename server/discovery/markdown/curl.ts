/**
 * curl command lines against the sandbox that work as they are printed.
 *
 * @module
 */
import { type MediaType, type OpenApi, type PlacedOperation, resolve } from "./openapi.ts";

/** The sandbox's base URL, by the prefix that the contract gives it. */
export function sandboxUrl(document: OpenApi): string {
  const server = document.servers.find(({ url }) => url.endsWith("/sandbox"));
  if (!server) {
    throw new Error("The OpenAPI document names no sandbox among its servers");
  }
  return server.url;
}

/** Puts an access token of the sandbox into the shell's `ACCESS_TOKEN`. */
export function curlForToken(document: OpenApi): string {
  const { clientId, clientSecret } = document["x-sandbox-client"];
  const url = `${sandboxUrl(document)}/api/v1/oauth/token`;
  return `ACCESS_TOKEN=$(curl -s -u ${quote(`${clientId}:${clientSecret}`)} \\
  -d grant_type=client_credentials ${url} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
}

/** A command for each way to call an operation: one, or one per example of its request body. */
export function curlLines(document: OpenApi, operation: PlacedOperation): string[] {
  const url = quote(sandboxUrl(document) + operation.path);
  const { requestBody, method } = operation;
  if (!requestBody) {
    return [command([method === "HEAD" ? "-I" : "", bearer(operation), url])];
  }
  return Object.entries(resolve(document, requestBody).content)
    .flatMap(([type, { examples }]) =>
      Object.values(examples).map(({ summary, value }) => {
        const credentials = basic(document, operation, value);
        const comment = summary ? `# ${summary} (${type})\n` : "";
        return comment + command([credentials, ...body(operation, type, value), url]);
      })
    );
}

/** A command that breaks its line where it would grow long. */
function command(parts: string[]): string {
  const given = ["curl", ...parts].filter(Boolean);
  const line = given.join(" ");
  return line.length < 80 ? line : given.join(" \\\n  ").replace(/^curl \\\n */, "curl ");
}

function bearer({ security }: PlacedOperation): string {
  const needsToken = security.some((scheme) => "accessToken" in scheme);
  return needsToken ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : "";
}

/** HTTP Basic, unless the body names the client. */
function basic(document: OpenApi, { security }: PlacedOperation, value: object): string {
  const { clientId, clientSecret } = document["x-sandbox-client"];
  const wanted = security.some((scheme) => "clientBasic" in scheme) && !("client_id" in value);
  return wanted ? `-u ${quote(`${clientId}:${clientSecret}`)}` : "";
}

type Example = MediaType["examples"][string]["value"];

function body({ responses }: PlacedOperation, type: string, value: Example): string[] {
  if (type === "application/json") {
    return ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(value))}`];
  }
  const fields = Object.entries(value)
    .map(([name, text]) => `-d ${quote(`${name}=${formEncode(String(text))}`)}`);
  // All that a redirect says is in its head.
  return ["303" in responses ? `-i ${fields.join(" ")}` : fields.join(" ")];
}

/** Encodes what a form must encode, and leaves `@` and `:` to be read. */
function formEncode(text: string): string {
  return encodeURIComponent(text).replace(/%40/g, "@").replace(/%3A/g, ":");
}

/** Quotes an argument for a POSIX shell, where it needs it. */
function quote(argument: string): string {
  return /^[\w@%+=:,./~-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
