/**
 * Renders the section of one operation.
 *
 * @module
 */
import { curlLines } from "./curl.ts";
import { type OpenApi, type OpenApiResponse, type PlacedOperation, resolve } from "./openapi.ts";
import { anchor, code, inlineJson, paragraphs, schemaTable } from "./text.ts";

/** Returns the heading of an operation, such as `GET /api/v1/status`. */
export function operationHeading({ method, path }: PlacedOperation): string {
  return `${method} ${path}`;
}

/** The headers and bodies that earlier parts of the page have shown. A section does not repeat them. */
export interface AlreadyShown {
  /** The names of the headers that every response except a redirect has. */
  headers: string[];
  /** The operation that has shown a shared request body, by the reference of the body. */
  bodies: Map<string, PlacedOperation>;
}

/**
 * Renders the section of an operation: its description, commands, request body and responses. If the request body is a
 * shared one, this function adds it to `shown.bodies`.
 */
export function operationSection(
  document: OpenApi,
  operation: PlacedOperation,
  shown: AlreadyShown,
): string {
  const { operationId, summary, description, deprecated } = operation;
  return paragraphs(
    `### ${operationHeading(operation)}`,
    `${deprecated ? "**Deprecated.** " : ""}**${summary}.** ` +
      `\`${operationId}\`, ${access(operation)}.`,
    description,
    code("sh", curlLines(document, operation).join("\n\n")),
    requestBody(document, operation, shown),
    "#### Answers",
    answers(document, operation, shown),
  );
}

/** Renders the responses. A HEAD gets only a short list, because the GET above it shows the same responses in full. */
function answers(document: OpenApi, operation: PlacedOperation, shown: AlreadyShown): string {
  const responses = Object.entries(operation.responses)
    .map(([status, node]) => ({ status, response: resolve(document, node) }));
  return operation.method === "HEAD"
    ? responses.map(({ status, response }) => `- **${status}** ${response.description}`).join("\n")
    : paragraphs(
      ...responses.map(({ status, response }) => answer(document, status, response, shown)),
    );
}

function access({ security }: PlacedOperation): string {
  const scopes = security.flatMap((scheme) => scheme.accessToken ?? []);
  if (scopes.length > 0) return `needs an access token with the scope \`${scopes.join(" ")}\``;
  const byClient = security.some((scheme) => "clientBasic" in scheme);
  return byClient ? "needs client authentication" : "needs no authentication";
}

function requestBody(
  document: OpenApi,
  operation: PlacedOperation,
  { bodies }: AlreadyShown,
): string | undefined {
  const body = operation.requestBody;
  if (!body) return undefined;
  const earlier = "$ref" in body ? bodies.get(body.$ref) : undefined;
  if (earlier) {
    const heading = operationHeading(earlier);
    return paragraphs("#### Body", `The same as for [${heading}](${anchor(heading)}).`);
  }
  if ("$ref" in body) bodies.set(body.$ref, operation);
  return paragraphs(
    "#### Body",
    ...Object.entries(resolve(document, body).content).map(([type, { schema }]) =>
      paragraphs(
        `\`${type}\`: ${resolve(document, schema).description}`,
        schemaTable(document, schema),
      )
    ),
  );
}

function answer(
  document: OpenApi,
  status: string,
  response: OpenApiResponse,
  shown: AlreadyShown,
): string {
  return paragraphs(
    `**${status}** ${response.description}`,
    ownHeaders(document, response, shown.headers),
    ...Object.values(response.content ?? {}).flatMap(({ schema, examples = {} }) => [
      // Errors get no table, because the page explains their two fields once.
      status.startsWith("2") ? schemaTable(document, schema) : undefined,
      ...Object.values(examples).flatMap(({ summary, value }) => [
        summary && `${summary}:`,
        code("json", status.startsWith("2") ? JSON.stringify(value, null, 2) : inlineJson(value)),
      ]),
    ]),
  );
}

/** Lists the headers of a response that are not common to all responses. */
function ownHeaders(
  document: OpenApi,
  { headers = {} }: OpenApiResponse,
  common: string[],
): string | undefined {
  return Object.entries(headers)
    .filter(([name]) => !common.includes(name))
    .map(([name, node]) => {
      const { description, example } = resolve(document, node);
      return `- \`${name}: ${example}\`  \n  ${description.trim().replace(/\s+/g, " ")}`;
    })
    .join("\n");
}
