/**
 * Renders the section of one operation.
 *
 * @module
 */
import { curlLines } from "./curl.ts";
import { type OpenApi, type OpenApiResponse, type PlacedOperation, resolve } from "./openapi.ts";
import { schemaTable } from "./schema_table.ts";
import { anchor, code, inlineJson, paragraphs } from "./text.ts";

/** Returns the heading of an operation, such as `GET /api/v1/status`. */
export function operationHeading({ method, path }: PlacedOperation): string {
  return `${method} ${path}`;
}

/** The headers and request bodies that several operations share. The page describes each of them once. */
export interface SharedParts {
  /** The names of the headers that every response except a redirect has. */
  commonHeaders: string[];
  /** The first operation with each shared request body, by the `$ref` of the body. */
  firstOperations: Map<string, PlacedOperation>;
}

/** Finds the first operation with each shared request body. */
export function firstOperationsByBody(operations: PlacedOperation[]): Map<string, PlacedOperation> {
  const firstOperations = new Map<string, PlacedOperation>();
  for (const operation of operations) {
    const body = operation.requestBody;
    if (!body || !("$ref" in body) || firstOperations.has(body.$ref)) continue;
    firstOperations.set(body.$ref, operation);
  }
  return firstOperations;
}

/** Renders the section of an operation: its description, commands, request body and responses. */
export function operationSection(
  document: OpenApi,
  operation: PlacedOperation,
  shared: SharedParts,
): string {
  const { operationId, summary, description, deprecated } = operation;
  return paragraphs(
    `### ${operationHeading(operation)}`,
    `${deprecated ? "**Deprecated.** " : ""}**${summary}.** ` +
      `\`${operationId}\`, ${neededAccess(operation)}.`,
    description,
    code("sh", curlLines(document, operation).join("\n\n")),
    bodySection(document, operation, shared.firstOperations),
    "#### Answers",
    answerSection(document, operation, shared.commonHeaders),
  );
}

/** Renders the responses. A HEAD gets only a short list, because the GET above it shows the same responses in full. */
function answerSection(
  document: OpenApi,
  operation: PlacedOperation,
  commonHeaders: string[],
): string {
  const responses = Object.entries(operation.responses)
    .map(([status, node]) => ({ status, response: resolve(document, node) }));
  if (operation.method === "HEAD") {
    return responses.map(({ status, response }) => `- **${status}** ${response.description}`)
      .join("\n");
  }
  return paragraphs(
    ...responses.map(({ status, response }) =>
      renderResponse(document, status, { response, commonHeaders })
    ),
  );
}

/** Says which access an operation needs, as the end of a sentence. */
function neededAccess({ security }: PlacedOperation): string {
  const scopes = security.flatMap((scheme) => scheme.accessToken ?? []);
  if (scopes.length > 0) return `needs an access token with the scope \`${scopes.join(" ")}\``;
  const needsClient = security.some((scheme) => "clientBasic" in scheme);
  return needsClient ? "needs client authentication" : "needs no authentication";
}

/** Renders the request body. If an earlier operation has the same body, links to the section of that operation. */
function bodySection(
  document: OpenApi,
  operation: PlacedOperation,
  firstOperations: SharedParts["firstOperations"],
): string | undefined {
  const body = operation.requestBody;
  if (!body) return undefined;
  const first = "$ref" in body ? firstOperations.get(body.$ref) : undefined;
  if (first && first !== operation) {
    const heading = operationHeading(first);
    return paragraphs("#### Body", `The same as for [${heading}](${anchor(heading)}).`);
  }
  return paragraphs(
    "#### Body",
    ...Object.entries(resolve(document, body).content).map(([mediaType, { schema }]) =>
      paragraphs(
        `\`${mediaType}\`: ${resolve(document, schema).description}`,
        schemaTable(document, schema),
      )
    ),
  );
}

function renderResponse(
  document: OpenApi,
  status: string,
  { response, commonHeaders }: { response: OpenApiResponse; commonHeaders: string[] },
): string {
  const isSuccess = status.startsWith("2");
  return paragraphs(
    `**${status}** ${response.description}`,
    specialHeaders(document, response, commonHeaders),
    ...Object.values(response.content ?? {}).flatMap(({ schema, examples = {} }) => [
      // Errors get no table, because the page explains their two fields once.
      isSuccess ? schemaTable(document, schema) : undefined,
      ...Object.values(examples).flatMap(({ summary, value }) => [
        summary && `${summary}:`,
        code("json", isSuccess ? JSON.stringify(value, null, 2) : inlineJson(value)),
      ]),
    ]),
  );
}

/** Lists the headers of a response that are not common to all responses. */
function specialHeaders(
  document: OpenApi,
  { headers = {} }: OpenApiResponse,
  commonHeaders: string[],
): string {
  return Object.entries(headers)
    .filter(([name]) => !commonHeaders.includes(name))
    .map(([name, node]) => {
      const { description, example } = resolve(document, node);
      return `- \`${name}: ${example}\`  \n  ${description.trim().replace(/\s+/g, " ")}`;
    })
    .join("\n");
}
