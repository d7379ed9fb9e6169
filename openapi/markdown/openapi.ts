/**
 * The types of an OpenAPI 3.1 document, as far as the Markdown twin needs them, and functions to read them.
 *
 * @module
 */

/** An OpenAPI document. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; contact: Contact };
  servers: { url: string; description: string }[];
  "x-sandbox-client": { clientId: string; clientSecret: string };
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** The contact for questions. */
export interface Contact {
  name: string;
  email?: string;
  url?: string;
}

/** A part of the document, or a reference to such a part. */
export type OrReference<T> = T | { $ref: string };

/** An operation. */
export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  security: Record<string, string[]>[];
  requestBody?: OrReference<{ content: Record<string, MediaType> }>;
  responses: Record<string, OrReference<OpenApiResponse>>;
}

/** A response. */
export interface OpenApiResponse {
  description: string;
  headers?: Record<string, OrReference<OpenApiHeader>>;
  content?: Record<string, MediaType>;
}

/** A response header. */
export interface OpenApiHeader {
  description: string;
  example: unknown;
}

/** A body of one media type. */
export interface MediaType {
  schema: OrReference<Schema>;
  /** The examples by name; absent if the body is an HTML page. */
  examples?: Record<string, { summary?: string; value: Record<string, unknown> }>;
}

/** A JSON Schema. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, OrReference<Schema>>;
  required?: string[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maxLength?: number;
  additionalProperties?: boolean | OrReference<Schema>;
}

/** An operation with its method and path. */
export interface PlacedOperation extends Operation {
  method: string;
  path: string;
}

/** Lists all operations in the order of the document. */
export function operationsOf(document: OpenApi): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    }))
  );
}

/**
 * Follows a reference. A part that is no reference is returned as it is.
 *
 * @throws {Error} if the reference leads nowhere
 */
export function resolve<T extends object>(
  document: Pick<OpenApi, "components">,
  node: OrReference<T>,
): T {
  if (!("$ref" in node)) return node;
  let target: unknown = document;
  for (const name of node.$ref.replace(/^#\//, "").split("/")) {
    target = (target as Record<string, unknown> | undefined)?.[name];
  }
  if (target === undefined) throw new Error(`The OpenAPI document has no '${node.$ref}'`);
  return resolve(document, target as OrReference<T>);
}
