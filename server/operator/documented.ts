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

/** A path of the document with its operations. The document has no methods but GET and POST. */
type PathObject = Partial<Record<"get" | "post", OperationObject>>;

/** What this file reads of an operation in the document. */
interface OperationObject {
  operationId: string;
  requestBody?: { content: object };
  responses: object;
}

const PATHS: Record<string, PathObject> = document.paths;

/** All operations of the document. */
export const DOCUMENTED_OPERATIONS: readonly DocumentedOperation[] = Object.entries(PATHS).flatMap(
  ([path, { get, post }]) =>
    [get, post].filter((operation) => operation !== undefined)
      .map((operation) => toDocumentedOperation(path, operation)),
);

function toDocumentedOperation(
  path: string,
  { operationId, requestBody, responses }: OperationObject,
): DocumentedOperation {
  return {
    // The cast is needed because a JSON import has no literal types.
    id: operationId as OperationId,
    pathNames: Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name!),
    bodyType: Object.keys(requestBody?.content ?? {})[0],
    // The document has no other status of success.
    status: "201" in responses ? 201 : 200,
  };
}
