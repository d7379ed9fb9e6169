/**
 * The parts of an OpenAPI 3.1 document that the Markdown twin shows, as types.
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

/** The address for questions. */
export interface Contact {
  name: string;
  email?: string;
  url?: string;
}

/** A node, or a reference to the node. */
export type OrReference<T> = T | { $ref: string };

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  security: Record<string, string[]>[];
  requestBody?: OrReference<{ content: Record<string, MediaType> }>;
  responses: Record<string, OrReference<OpenApiResponse>>;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, OrReference<OpenApiHeader>>;
  content?: Record<string, MediaType>;
}

export interface OpenApiHeader {
  description: string;
  example: unknown;
}

export interface MediaType {
  schema: OrReference<Schema>;
  /** Absent where the body is a page for people. */
  examples?: Record<string, { summary?: string; value: Record<string, unknown> }>;
}

export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, OrReference<Schema>>;
  required?: string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maxLength?: number;
  additionalProperties?: boolean | OrReference<Schema>;
}

/** An operation with its method and path. */
export interface PlacedOperation extends Operation {
  method: string;
  path: string;
}

/** Lists all operations, in the document's order. */
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
 * Returns a node itself, or the node that a reference points to.
 *
 * @throws an `Error` if the document has no such node
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
