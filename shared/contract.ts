/**
 * Compares a response with the public OpenAPI document: the status, the headers, the body, and the rules on limits, which
 * the document has in words only.
 *
 * @module
 */
import { ownMember } from "./own_member.ts";
import {
  type ApiPlace,
  type DescribedOperation,
  type DescribedResponse,
  readDescription,
} from "./contract/description.ts";
import { createSchemaCheck, type SchemaCheck } from "./contract/schema_check.ts";

/**
 * The path that scripts of other sites may call. Its responses may have CORS headers, and `OPTIONS` may get 204 (the
 * document's section "Scripts of other sites").
 */
const JOIN_PATH = "/api/v1/waitlist";

/** The request limit for calls to status and to the sandbox, in requests a minute. */
const REQUESTS_TO_STATUS_OR_SANDBOX = 120;

/** The request limit for all other calls, in requests a minute. */
const OTHER_REQUESTS = 30;

/** The method and the path of a request, and its response. */
export interface Exchange {
  method: string;
  /** The path of the request, with the server's base path. A query is ignored. */
  path: string;
  status: number;
  headers: Headers;
  /** The whole body; empty if there was none. */
  body: string;
}

/** The contract of the API, by which responses are checked. */
export interface Contract {
  /** The operations of the document, in its order. */
  operations: DescribedOperation[];
  /**
   * Returns a sentence for each fault of a response, such as
   * `GET /api/v1/status 200: header RateLimit-Policy is missing`. Throws an `Error` if a reference in the description of
   * this response leads nowhere.
   */
  check: (exchange: Exchange) => string[];
}

/**
 * Makes the contract of an OpenAPI document. The JSON Schema validator is loaded by this call and not by the import of
 * this module, because loading takes time.
 *
 * @param document the public API's parsed document: this project's own, or a deployment's `/openapi.json`
 * @throws {Error} if the document is not an OpenAPI 3.1 document, or if a reference leads nowhere
 */
export async function createContract(document: unknown): Promise<Contract> {
  const { operations, locate, responsesTo, headerNames, components } = readDescription(document);
  const checkSchema = await createSchemaCheck(components);

  /** Returns a phrase for each fault of a response. */
  function faultsOf({ method, path, status, headers, body }: Exchange): string[] {
    const place = locate(path);
    if (!place) return ["the path is not under /api of a server that the document lists"];

    const responses = responsesTo(method, place.path);
    const mayHaveCors = place.path === JOIN_PATH && ["POST", "OPTIONS"].includes(method);
    const response = mayHaveCors && status === 204
      ? describePreflight(responses[405])
      : responses[status];
    if (!response) {
      const documentedStatuses = Object.keys(responses).join(", ");
      return [`the status is not documented here, expected one of ${documentedStatuses}`];
    }

    const faults = headerFaults(headers, response, {
      headerNames: mayHaveCors ? headerNames : [...headerNames, ...corsHeaderNames(headers)],
      checkSchema,
    });
    // The rules on limits are checked only if each header is valid, because these rules compare headers with each
    // other.
    if (faults.length === 0) faults.push(...limitFaults({ method, place, status, headers }));
    const content = method === "HEAD" ? undefined : response.content;
    faults.push(...bodyFaults({ headers, body }, content, checkSchema));
    return faults;
  }

  return {
    operations: operations(),
    check(exchange) {
      const [path = ""] = exchange.path.split("?");
      return faultsOf({ ...exchange, path }).map((fault) =>
        `${exchange.method} ${path} ${exchange.status}: ${fault}`
      );
    },
  };
}

/**
 * Checks the headers of a response.
 *
 * @param options.headerNames the headers that must be absent if the document does not list them for this response
 */
function headerFaults(
  headers: Headers,
  response: DescribedResponse,
  { headerNames, checkSchema }: { headerNames: string[]; checkSchema: SchemaCheck },
): string[] {
  const names = new Set([...headerNames, ...Object.keys(response.headers)]);
  return [...names].flatMap((name) => {
    const header = response.headers[name];
    const value = headers.get(name);
    if (value === null) return header?.required ? [`header ${name} is missing`] : [];
    if (!header) return [`header ${name} is not documented here`];
    const isInteger = header.schema.type === "integer" && /^-?\d+$/.test(value);
    return checkSchema(header.schema, isInteger ? Number(value) : value, `header ${name}`);
  });
}

/** Returns the names of a response's CORS headers. */
function corsHeaderNames(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

/**
 * Returns the description of the 204 response to a CORS preflight. It has the headers of the path's 405 response
 * without `Allow`, and no body.
 *
 * @param refusal the description of the path's 405 response
 */
function describePreflight(refusal: DescribedResponse | undefined): DescribedResponse | undefined {
  if (!refusal) return undefined;
  const { Allow: _, ...headers } = refusal.headers;
  return { headers };
}

/** Checks the body by the schema of its media type. If the document lists no content, the body must be empty. */
function bodyFaults(
  { headers, body }: Pick<Exchange, "headers" | "body">,
  content: DescribedResponse["content"],
  checkSchema: SchemaCheck,
): string[] {
  if (!content) {
    return body === "" ? [] : [`the body must be empty, not ${body.length} characters long`];
  }
  const contentType = headers.get("Content-Type");
  if (contentType === null) return ["header Content-Type is missing"];
  const mediaType = contentType.split(";")[0]!.trim().toLowerCase();
  const documentedBody = ownMember(content, mediaType);
  if (!documentedBody) {
    const documentedTypes = Object.keys(content).join(" or ");
    return [`header Content-Type must be ${documentedTypes}, not "${contentType}"`];
  }
  let value: unknown;
  try {
    value = mediaType === "application/json" ? JSON.parse(body) : body;
  } catch {
    return ["the body is not JSON"];
  }
  return checkSchema(documentedBody.schema, value, "body");
}

/** A request, and its response, whose headers are valid by their schemas. */
export interface LimitedResponse {
  method: string;
  place: ApiPlace;
  /** The status of the response. */
  status: number;
  /** The headers of the response. */
  headers: Headers;
}

/**
 * Checks a response by the rules in the document's section "Limits": which limit a request has, and how the headers about
 * the limit depend on each other.
 *
 * @returns a sentence for each fault
 */
export function limitFaults({ method, place, status, headers }: LimitedResponse): string[] {
  // A response without this header needs no check, because it is the 303 response, which has no headers about the
  // limit.
  if (!headers.has("RateLimit-Limit")) return [];
  const limit = Number(headers.get("RateLimit-Limit"));
  const remaining = Number(headers.get("RateLimit-Remaining"));
  const policy = headers.get("RateLimit-Policy");
  const reset = headers.get("RateLimit-Reset");
  const retryAfter = headers.get("Retry-After");

  const asksForStatus = place.path === "/api/v1/status" && ["GET", "HEAD"].includes(method);
  const documentedLimit = place.prefix === "/sandbox" || asksForStatus
    ? REQUESTS_TO_STATUS_OR_SANDBOX
    : OTHER_REQUESTS;

  const faults: string[] = [];
  if (limit !== documentedLimit) {
    faults.push(`header RateLimit-Limit must be ${documentedLimit} here, not ${limit}`);
  }
  if (policy !== `${limit};w=60`) {
    faults.push(
      `header RateLimit-Policy must be ${limit};w=60 as the limit is ${limit}, not ${policy}`,
    );
  }
  if (remaining > limit) {
    faults.push(
      `header RateLimit-Remaining must be at most ${limit} as the limit is, not ${remaining}`,
    );
  }
  if (status === 429 && remaining !== 0) {
    faults.push(`header RateLimit-Remaining must be 0 on a refusal, not ${remaining}`);
  }
  if (status === 429 && retryAfter !== reset) {
    faults.push(`header Retry-After must be ${reset} as RateLimit-Reset is, not ${retryAfter}`);
  }
  return faults;
}
