/**
 * Reads from the OpenAPI document, for each operation, the names of the path parameters, the media type of the body,
 * and the status of a successful call. @module
 */
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { OperationId } from "../../shared/roles.ts";

/** What the OpenAPI document says about an operation. */
export interface DocumentedOperation {
  id: OperationId;
  /** The names of the parameters in the path. */
  pathNames: string[];
  /** The media type of the body. `undefined` if the operation accepts no body. */
  bodyType: string | undefined;
  /** The HTTP status of a successful call. */
  status: number;
}

type PathObject = Partial<Record<"get" | "post", OperationObject>>;

interface OperationObject {
  operationId: string;
  requestBody?: { content: object };
  responses: object;
}

/** All operations of the document. The document has no methods but GET and POST. */
export const DOCUMENTED_OPERATIONS: DocumentedOperation[] = [];

for (const [path, { get, post }] of Object.entries<PathObject>(document.paths)) {
  if (get) DOCUMENTED_OPERATIONS.push(toDocumentedOperation(path, get));
  if (post) DOCUMENTED_OPERATIONS.push(toDocumentedOperation(path, post));
}

function toDocumentedOperation(
  path: string,
  { operationId, requestBody, responses }: OperationObject,
): DocumentedOperation {
  return {
    id: operationId as OperationId,
    pathNames: Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name!),
    bodyType: Object.keys(requestBody?.content ?? {})[0],
    // The document has no other status of success.
    status: "201" in responses ? 201 : 200,
  };
}
