/**
 * Reads an OpenAPI document: its operations, the examples of their requests and their responses. All references are
 * followed, except for those in schemas, which `schema_check.ts` follows.
 *
 * @module
 */
import { ownMember } from "../own_member.ts";
import { isObject } from "../schemas.ts";

/** A JSON Schema. Its references point into the whole document. */
export type Schema = Record<string, unknown>;

/** The description of one response, without references. */
export interface DescribedResponse {
  /** The headers by their names in the document. */
  headers: Record<string, { required?: boolean; schema: Schema }>;
  /** The schema of the body by media type; absent if there is no body. */
  content?: Record<string, { schema: Schema }>;
}

/** A path of the API, split into the server's base path and the rest. */
export interface ApiPlace {
  /** The server's base path: empty for production, `/sandbox` for the sandbox. */
  prefix: string;
  /** The path below the base path, as the document writes it, such as `/api/v1/status`. */
  path: string;
}

/** An operation of the API. */
export interface DescribedOperation {
  /** The `operationId`. */
  id: string;
  /** The method in upper case. */
  method: string;
  path: string;
  deprecated: boolean;
  /** The names of the security schemes by which a client may authenticate. */
  security: string[];
  /** The examples of the request's body, by media type and by name. */
  requestExamples: Record<string, Record<string, unknown>>;
  /** The status with which each error code is sent, by error code, from the examples of the responses. */
  statusByCode: Map<string, number>;
}

/** The description of the API in an OpenAPI document. */
export interface Description {
  /** Returns all operations, in the order of the document. */
  operations: () => DescribedOperation[];
  /**
   * Splits a path, which has no query, into the base path and the rest; `undefined` if no server of the document has an
   * API there.
   */
  locate: (path: string) => ApiPlace | undefined;
  /** Returns the possible responses by status. The path is the `path` of an {@linkcode ApiPlace}. */
  responsesTo: (method: string, path: string) => Record<string, DescribedResponse>;
  /** The names of all headers that the document lists for the responses in its `components`. */
  headerNames: string[];
  /** The part of the document to which the references in schemas point. */
  components: unknown;
}

// Types with the prefix "Written" describe the document as it is written: any part may be a reference to another part.
interface Reference {
  $ref: string;
}

interface WrittenContent {
  schema: Schema;
  examples?: Record<string, { value?: unknown }>;
}

interface WrittenResponse {
  headers?: Record<string, DescribedResponse["headers"][string] | Reference>;
  content?: Record<string, WrittenContent>;
}

/** The responses of an operation, by status such as `200`. */
type WrittenResponses = Record<string, WrittenResponse | Reference>;

interface WrittenOperation {
  operationId?: string;
  deprecated?: boolean;
  security?: Record<string, unknown>[];
  requestBody?: { content?: Record<string, WrittenContent> } | Reference;
  responses?: WrittenResponses;
}

/** The operations of a path, by method in lower case. */
type WrittenPath = Record<string, WrittenOperation>;

/**
 * The methods that a path of a document can have (OpenAPI 3.1.0 §4.8.9). The other members of a path are no operations.
 */
const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/** The schema of the 404 response to a request for a path that the document does not list. */
const NOT_FOUND = withErrorCodes({
  schema: { $ref: "#/components/schemas/Error" },
  examples: { notFound: { value: { error: "not_found" } } },
});

/**
 * Reads the description of the API from an OpenAPI 3.1 document.
 *
 * @throws {Error} if the document is no such document, or if a reference leads nowhere. `operations` and `responsesTo`
 * throw too if a reference leads nowhere. The message is the end of a sentence about the document.
 */
export function readDescription(document: unknown): Description {
  const version = (document as { openapi?: unknown } | null)?.openapi;
  if (!String(version).startsWith("3.1.")) {
    throw new Error(
      `its "openapi" is ${JSON.stringify(version)}, so it is not an OpenAPI 3.1 document`,
    );
  }
  const references = new References(document);
  const responses = new ResponseDescriber(references);
  const paths = references.lookUp<Record<string, WrittenPath>>("#/paths");
  const servers = references.lookUp<{ url: string }[]>("#/servers");
  const prefixes = servers.map(({ url }) =>
    new URL(url, "http://localhost").pathname.replace(/\/$/, "")
  );
  const sharedResponses = references.lookUp<WrittenResponses>("#/components/responses");

  return {
    operations: () =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations).filter(([method]) => METHODS.includes(method))
          .map(([method, written]) => describeOperation(method, path, { written, references }))
      ),
    locate(path) {
      const prefix = prefixes.find((prefix) => `${path}/`.startsWith(`${prefix}/api/`));
      return prefix === undefined ? undefined : { prefix, path: path.slice(prefix.length) };
    },
    responsesTo(method, path) {
      const operations = ownMember(paths, path);
      if (!operations) return responsesToUnlistedPath(responses);
      return mapValues(responsesOf(operations, method), (written) => responses.describe(written));
    },
    headerNames: [
      ...new Set(
        Object.values(sharedResponses)
          .flatMap((written) => Object.keys(responses.describe(written).headers)),
      ),
    ],
    components: references.lookUp("#/components"),
  };
}

/** Follows the references in a document. Both methods throw an `Error` if a reference leads nowhere. */
class References {
  readonly #document: unknown;

  constructor(document: unknown) {
    this.#document = document;
  }

  /**
   * Returns the part of the document at a JSON pointer (RFC 6901) such as `#/components`. The caller gives its type as
   * `T`, which is not checked.
   */
  lookUp<T>(pointer: string): T {
    let node = this.#document;
    for (const step of pointer.split("/").slice(1)) {
      const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      node = ownMember(Object(node) as Record<string, unknown>, key);
      if (node === undefined) {
        throw new Error(`it has nothing at "${pointer}"`);
      }
    }
    return node as T;
  }

  /** Returns a node itself, or the node to which a reference leads. */
  follow<T extends object>(node: T | Reference): T {
    return isReference(node) ? this.follow(this.lookUp<T | Reference>(node.$ref)) : node;
  }
}

/**
 * Describes responses. The same response of the document gives the same object each time, because the schema check
 * compiles a schema once for each object.
 */
class ResponseDescriber {
  readonly #references: References;
  readonly #described = new Map<WrittenResponse, DescribedResponse>();

  constructor(references: References) {
    this.#references = references;
  }

  /** Describes a response as the document writes it, or the response to which a reference leads. */
  describe(written: WrittenResponse | Reference): DescribedResponse {
    const response = this.#references.follow(written);
    let description = this.#described.get(response);
    if (!description) {
      const { headers = {}, content } = response;
      description = {
        headers: mapValues(headers, (header) => this.#references.follow(header)),
        ...content && {
          content: mapValues(content, (body) => ({ schema: withErrorCodes(body) })),
        },
      };
      this.#described.set(response, description);
    }
    return description;
  }
}

/**
 * Describes the responses to a request for a path that the document does not list. The document's sections "Limits" and
 * "Errors" name these responses.
 */
function responsesToUnlistedPath(
  responses: ResponseDescriber,
): Record<string, DescribedResponse> {
  const rateLimited = responses.describe({ $ref: "#/components/responses/RateLimited" });
  const { "Retry-After": _retryAfter, ...headers } = rateLimited.headers;
  return {
    404: { headers, content: { "application/json": { schema: NOT_FOUND } } },
    429: rateLimited,
    500: responses.describe({ $ref: "#/components/responses/InternalError" }),
  };
}

/** Returns the responses to a request with a method, even if the path does not have this method. */
function responsesOf(operations: WrittenPath, method: string): WrittenResponses {
  const responsesToMethod = ownMember(operations, method.toLowerCase())?.responses;
  if (responsesToMethod) return responsesToMethod;
  // A request with a method that the path does not have gets the path's 405. It can also get a 429 or 500, which the
  // service sends before it looks at the method.
  const operationWith405 = Object.values(operations).find(({ responses }) => responses?.[405]);
  return Object.fromEntries(
    Object.entries(operationWith405?.responses ?? {})
      .filter(([status]) => ["405", "429", "500"].includes(status)),
  );
}

/** Describes an operation, and finds the statuses of its error codes in the examples of its responses. */
function describeOperation(
  method: string,
  path: string,
  { written, references }: { written: WrittenOperation; references: References },
): DescribedOperation {
  const { operationId, deprecated = false, security = [], requestBody = {}, responses = {} } =
    written;
  const statusByCode = new Map<string, number>();
  for (const [status, response] of Object.entries(responses)) {
    for (const content of Object.values(references.follow(response).content ?? {})) {
      for (const code of errorCodesIn(content)) statusByCode.set(code, Number(status));
    }
  }
  return {
    id: operationId ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    deprecated,
    security: security.flatMap((schemes) => Object.keys(schemes)),
    requestExamples: mapValues(
      references.follow(requestBody).content ?? {},
      ({ examples = {} }) => mapValues(examples, ({ value }) => value),
    ),
    statusByCode,
  };
}

/** Makes an object with the same names, and with the converted values. */
function mapValues<A, B>(record: Record<string, A>, convert: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}

/**
 * Returns the schema of a body. The code of an error must be one of the codes in the examples (the document's section
 * "Errors").
 */
function withErrorCodes(content: WrittenContent): Schema {
  const { schema } = content;
  const codes = errorCodesIn(content);
  if (codes.length === 0) return schema;
  const error = codes.length === 1 ? { const: codes[0] } : { enum: codes };
  return { allOf: [schema, { properties: { error } }] };
}

/** Returns the codes of errors in the examples of a body. */
function errorCodesIn({ examples = {} }: WrittenContent): string[] {
  return Object.values(examples).flatMap(({ value }) => {
    const { error } = isObject(value) ? value : {};
    return typeof error === "string" ? error : [];
  });
}

function isReference(node: object): node is Reference {
  return "$ref" in node;
}
