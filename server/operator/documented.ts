/** What the OpenAPI document says of each operation beside its schemas. @module */
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { OperationId } from "../../shared/roles.ts";

/** The OpenAPI document of the operator surface. */
export type OperatorDocument = typeof document;

export interface DocumentedOperation {
  id: OperationId;
  /** The names of the parameters in the path. */
  pathNames: string[];
  /** The media type of the body; absent where the operation takes none. */
  bodyType: string | undefined;
  /** The status of a success. */
  status: number;
}

interface OperationObject {
  operationId: string;
  requestBody?: { content: object };
  responses: object;
}

/** All operations of the document. */
export const DOCUMENTED: DocumentedOperation[] = Object.entries(document.paths)
  .flatMap(([path, { get, post }]: [string, { get?: OperationObject; post?: OperationObject }]) =>
    [get, post].flatMap((operation) => operation ? describe(path, operation) : [])
  );

function describe(
  path: string,
  { operationId, requestBody, responses }: OperationObject,
): DocumentedOperation {
  return {
    id: operationId as OperationId,
    pathNames: Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name!),
    bodyType: Object.keys(requestBody?.content ?? {})[0],
    status: "201" in responses ? 201 : 200,
  };
}
