/**
 * Writes curl commands for the sandbox. A reader can copy and run them without a change.
 *
 * @module
 */
import { type MediaType, type OpenApi, type PlacedOperation, resolve } from "./openapi.ts";

/**
 * Returns the sandbox's base URL: the URL of the server whose path is `/sandbox`.
 *
 * @throws {Error} if there is no such server
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
  const url = `${sandboxUrl(document)}/api/v1/oauth/token`;
  return `ACCESS_TOKEN=$(curl -s ${userOption(document)} \\
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
    const headOption = method === "HEAD" ? ["-I"] : [];
    return [curlCommand([...headOption, ...tokenOptions(operation)], url)];
  }
  return Object.entries(resolve(document, requestBody).content)
    .flatMap(([mediaType, { examples = {} }]) =>
      Object.values(examples).map(({ summary, value }) => {
        const comment = summary ? `# ${summary} (${mediaType})\n` : "";
        const options = [
          ...clientOptions(document, operation, value),
          ...bodyOptions(operation, mediaType, value),
        ];
        return comment + curlCommand(options, url);
      })
    );
}

/** If the options of a command have this number of characters or more, each option stands on a line of its own. */
const LONG_OPTIONS = 40;

/**
 * Joins the options and the URL of a command. Line breaks and quotes must not depend on the URL, because the service
 * replaces the beginning of the URL with its own base URL.
 */
function curlCommand(options: string[], url: string): string {
  const isShort = options.join(" ").length < LONG_OPTIONS;
  return `curl ${[...options, url].join(isShort ? " " : " \\\n  ")}`;
}

/** Returns the option with the access token; an empty list if the operation needs no access token. */
function tokenOptions({ security }: PlacedOperation): string[] {
  const needsToken = security.some((scheme) => "accessToken" in scheme);
  return needsToken ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : [];
}

/**
 * Returns the option by which the sandbox's client authenticates with HTTP Basic; an empty list if the operation needs
 * no client, or if the body has the credentials.
 */
function clientOptions(
  document: OpenApi,
  { security }: PlacedOperation,
  body: ExampleBody,
): string[] {
  const needsClient = security.some((scheme) => "clientBasic" in scheme);
  return needsClient && !("client_id" in body) ? [userOption(document)] : [];
}

/** Returns the option with the credentials of the sandbox's client, for HTTP Basic. */
function userOption(document: OpenApi): string {
  const { clientId, clientSecret } = document["x-sandbox-client"];
  return `-u ${quote(`${clientId}:${clientSecret}`)}`;
}

/** An example of a request body: an object of JSON, or the fields of a form. */
type ExampleBody = NonNullable<MediaType["examples"]>[string]["value"];

/** Returns the options that send a body. All fields of a form stand on one line. */
function bodyOptions(
  { responses }: PlacedOperation,
  mediaType: string,
  body: ExampleBody,
): string[] {
  if (mediaType === "application/json") {
    return ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`];
  }
  const fields = Object.entries(body)
    .map(([name, value]) => `-d ${quote(`${name}=${formEncode(String(value))}`)}`).join(" ");
  // `-i` shows the headers, because a redirect has no body.
  return ["303" in responses ? `-i ${fields}` : fields];
}

/** Percent-encodes the value of a form field, except `@` and `:`, which a form allows and which are easier to read. */
function formEncode(text: string): string {
  return encodeURIComponent(text).replace(/%40/g, "@").replace(/%3A/g, ":");
}

/** Quotes an argument for a POSIX shell if it needs quotes. */
function quote(argument: string): string {
  return /^[\w@%+=:,./~-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
