/**
 * Renders the Markdown twin of an OpenAPI document: the same content as text, with commands to copy. It adds no facts
 * to the document.
 *
 * @module
 */
import { curlForToken, curlLines, sandboxUrl } from "./curl.ts";
import {
  type OpenApi,
  type OpenApiResponse,
  operationsOf,
  type PlacedOperation,
  resolve,
} from "./openapi.ts";
import { firstOperationsByBody, operationHeading, operationSection } from "./operation.ts";
import { anchor, code, paragraphs, table } from "./text.ts";

/**
 * Renders an OpenAPI document as Markdown.
 *
 * @param url the URL of the document
 */
export function renderOpenApi(document: OpenApi, url: string): string {
  const { info } = document;
  const operations = operationsOf(document);
  const headers = commonHeaders(document, operations);
  const shared = {
    commonHeaders: Object.keys(headers),
    firstOperations: firstOperationsByBody(operations),
  };
  return paragraphs(
    `# ${info.title}`,
    info.summary,
    `Version ${info.version}. The same as an OpenAPI ${document.openapi} document: <${url}>`,
    table(
      ["Base URL", "Environment"],
      document.servers.map(({ url, description }) => [`\`${url}\``, description]),
    ),
    table(
      ["Call", "Purpose"],
      operations.map((operation) => {
        const heading = operationHeading(operation);
        const note = operation.deprecated ? " (deprecated)" : "";
        return [`[${heading}](${anchor(heading)})`, `${operation.summary}${note}`];
      }),
    ),
    info.description,
    authenticationSection(document, operations),
    "## Headers of every answer",
    "Every answer carries these, the redirect (303) excepted, which shows its own.",
    table(
      ["Header", "Meaning", "Example"],
      Object.entries(headers).map(([name, header]) => {
        const { description, example } = resolve(document, header);
        return [`\`${name}\``, description, `\`${example}\``];
      }),
    ),
    errorCodeSection(document, operations),
    "## Operations",
    ...operations.map((operation) => operationSection(document, operation, shared)),
  ) + "\n";
}

/** Says how to get an access token in the sandbox, how to use it, and how to get credentials for production. */
function authenticationSection(document: OpenApi, operations: PlacedOperation[]): string {
  const protectedCall = operations.find(({ security }) =>
    security.some((scheme) => "accessToken" in scheme)
  );
  return paragraphs(
    "## Authentication",
    "The commands on this page run as they are, in a POSIX shell, against the sandbox at " +
      `<${sandboxUrl(document)}>. This one gets an access token and keeps it for the calls that ` +
      "need one:",
    code("sh", curlForToken(document)),
    protectedCall && "With it, a protected call succeeds:",
    protectedCall && code("sh", curlLines(document, protectedCall).join("\n\n")),
    "In production, leave `/sandbox` out of the addresses and use the credentials that the " +
      `operator gave you. To get some, write to ${contactLink(document)}.`,
  );
}

/** Writes the name of the contact, and a link to the contact's e-mail address or page. */
function contactLink({ info: { contact: { name, email, url } } }: OpenApi): string {
  return `${name}, <${email || url}>`;
}

/** Returns the headers that every response except a redirect has. */
function commonHeaders(document: OpenApi, operations: PlacedOperation[]) {
  const headersByResponse = operations.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => !status.startsWith("3"))
      .map(([, response]) => resolve(document, response).headers ?? {})
  );
  const [firstHeaders = {}, ...others] = headersByResponse;
  return Object.fromEntries(
    Object.entries(firstHeaders).filter(([name]) => others.every((headers) => name in headers)),
  );
}

/** Lists the error codes in the examples, each with its operations. */
function errorCodeSection(document: OpenApi, operations: PlacedOperation[]): string {
  const operationsByError = new Map<string, Set<string>>();
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      for (const code of errorCodesIn(resolve(document, response))) {
        // The status comes first, because the table is sorted by this text.
        const error = `${status} ${code}`;
        const ids = operationsByError.get(error) ?? new Set();
        operationsByError.set(error, ids.add(`\`${operationId}\``));
      }
    }
  }
  const rows = [...operationsByError].sort(([a], [b]) => a < b ? -1 : 1).map(([error, ids]) => {
    const [status = "", code] = error.split(" ");
    return [status, `\`${code}\``, [...ids].join(", ")];
  });
  return paragraphs("## Error codes", table(["Status", "Code", "Operations"], rows));
}

/** Returns the error codes in the examples of a response. */
function errorCodesIn({ content = {} }: OpenApiResponse): string[] {
  return Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples))
    .flatMap(({ value: { error } }) => typeof error === "string" ? error : []);
}
