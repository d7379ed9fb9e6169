/** The operation `index`: the URLs of all other resources. @module */
import type { ServiceIndex } from "../../shared/schemas.ts";
import type { EnvironmentUrls } from "../config/mod.ts";
import type { JsonAnswer } from "../http/mod.ts";
import type { CreateOperation } from "./operation.ts";

/** Answers with the URLs of the environment, for callers that know only the base URL. */
export const index: CreateOperation = ({ service, name: environment, urls }) => {
  const { base: _, index: _index, ...others } = urls;
  const { authorizationServer, protectedResource, apiCatalog, ...shown } = others;
  const discovery = { authorizationServer, protectedResource, apiCatalog };
  const body: ServiceIndex = { service, apiVersion: "1", environment, ...shown, discovery };
  const answer: JsonAnswer = {
    kind: "json",
    json: JSON.stringify(body),
    headers: { Link: discoveryLinks(urls) },
    isShared: true,
  };
  return { body: "none", act: () => answer };
};

/**
 * Makes the value of the header `Link` of the index and of pages. It links to the API catalog (RFC 9727 §3), the
 * OpenAPI document and the documentation (RFC 8631 §4).
 */
export function discoveryLinks({ apiCatalog, openapi, docs }: EnvironmentUrls): string {
  return [
    `<${apiCatalog}>; rel="api-catalog"`,
    `<${openapi}>; rel="service-desc"; type="application/json"`,
    `<${docs}>; rel="service-doc"; type="text/html"`,
  ].join(", ");
}
