import document from "../../../shared/generated/operator.json" with { type: "json" };
import type { CreateOperation } from "../operation.ts";

/** `getOperatorDocument`: the OpenAPI document of this surface. */
export const operatorDocument: CreateOperation = ({ baseUrl }) => {
  const json = { ...document, servers: [{ url: baseUrl }] };
  return () => Promise.resolve({ json });
};
