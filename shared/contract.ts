/**
 * Holds a response against the OpenAPI document: the status, the headers and the body that it documents
 * for the path and the method, and the rules on limits that a schema cannot say.
 *
 * @module
 */
import { type DescribedResponse, readDescription } from "./contract/description.ts";
import { limitFindings } from "./contract/limit_rules.ts";
import { createSchemaCheck, type SchemaCheck } from "./contract/schema_check.ts";

/** A request's method and path, and what came back. */
export interface Exchange {
  method: string;
  /** The path as it was sent, with the server's prefix; a query is ignored. */
  path: string;
  status: number;
  headers: Headers;
  /** The whole body, empty where there was none. */
  body: string;
}

/** The API's contract. */
export interface Contract {
  /**
   * What is wrong with a response, each as a sentence such as
   * `GET /api/v1/status 200: header RateLimit-Policy is missing`; nothing when it keeps the contract.
   */
  check: (exchange: Exchange) => string[];
}

/**
 * Makes the contract that an OpenAPI document states. It loads the validator first, so that a program
 * which only imports this module starts without it.
 *
 * @param document the public API's document, parsed: this project's own, or a deployment's `/openapi.json`
 * @throws {Error} if it is no OpenAPI 3.1 document, or lacks a part that it refers to; then also in `check`
 */
export async function createContract(document: unknown): Promise<Contract> {
  const { locate, responsesTo, headerNames, components } = readDescription(document);
  const checkSchema = await createSchemaCheck(components);

  function findings({ method, path, status, headers, body }: Exchange): string[] {
    const place = locate(path);
    if (!place) return ["the path is not under /api of a server that the document lists"];

    const responses = responsesTo(method, place.path);
    const response = responses[status];
    if (!response) {
      const documented = Object.keys(responses).join(", ");
      return [`the status is not documented here, expected one of ${documented}`];
    }

    const inHeaders = [...headerFindings(headers, response, { headerNames, checkSchema })];
    // The rules relate headers to each other, which asks for each of them to be valid by itself.
    if (inHeaders.length === 0) {
      inHeaders.push(...limitFindings({ method, place, status, headers }));
    }
    const content = method === "HEAD" ? undefined : response.content;
    return [...inHeaders, ...bodyFindings({ headers, body }, content, checkSchema)];
  }

  return {
    check(exchange) {
      const [path = ""] = exchange.path.split("?");
      return findings({ ...exchange, path }).map((finding) =>
        `${exchange.method} ${path} ${exchange.status}: ${finding}`
      );
    },
  };
}

/** Compares the headers that the document speaks of anywhere with those that it lists for this response. */
function* headerFindings(
  headers: Headers,
  response: DescribedResponse,
  { headerNames, checkSchema }: { headerNames: string[]; checkSchema: SchemaCheck },
): Generator<string> {
  // "No answer carries CORS headers" (the document's "Errors").
  const cors = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  for (const name of new Set([...headerNames, ...Object.keys(response.headers), ...cors])) {
    const header = response.headers[name];
    const value = headers.get(name);
    if (value === null) {
      if (header?.required) yield `header ${name} is missing`;
    } else if (!header) {
      yield `header ${name} is not documented here`;
    } else {
      const isInteger = header.schema.type === "integer" && /^-?\d+$/.test(value);
      yield* checkSchema(header.schema, isInteger ? Number(value) : value, `header ${name}`);
    }
  }
}

/** Compares the body with the documented content, by media type; without content it must be empty. */
function bodyFindings(
  { headers, body }: Pick<Exchange, "headers" | "body">,
  content: DescribedResponse["content"],
  checkSchema: SchemaCheck,
): string[] {
  if (!content) {
    return body === "" ? [] : [`the body must be empty, not ${body.length} characters long`];
  }
  const contentType = headers.get("Content-Type");
  if (contentType === null) return ["header Content-Type is missing"];
  const [mediaType = ""] = contentType.split(";");
  const documented = content[mediaType.trim().toLowerCase()];
  if (!documented) {
    const expected = Object.keys(content).join(" or ");
    return [`header Content-Type must be ${expected}, not "${contentType}"`];
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return ["the body is not JSON"];
  }
  return checkSchema(documented.schema, value, "body");
}
