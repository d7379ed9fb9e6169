/** The operation `index`: the URLs of all other resources. @module */
import type { ServiceIndex } from "../../shared/schemas.ts";
import type { EnvironmentUrls } from "../config/mod.ts";
import type { JsonAnswer } from "../http/mod.ts";
import type { CreateOperation } from "./operation.ts";

/** Answers with the URLs of the environment, for callers that know only the base URL. */
export const index: CreateOperation = ({ service, name, urls }) => {
  const body: ServiceIndex = {
    service,
    apiVersion: "1",
    environment: name,
    status: urls.status,
    token: urls.token,
    waitlist: urls.waitlist,
    stats: urls.stats,
    openapi: urls.openapi,
    docs: urls.docs,
    discovery: {
      authorizationServer: urls.authorizationServer,
      protectedResource: urls.protectedResource,
      apiCatalog: urls.apiCatalog,
    },
  };
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
