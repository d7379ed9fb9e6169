/** Where an API is described. All are absolute URLs. */
export interface ApiDescription {
  apiCatalog: string;
  openapi: string;
  /** The pages for people. */
  docs: string;
}

/**
 * The `Link` value by which a caller of any answer finds the API's catalog (RFC 9727 §3), its OpenAPI
 * document and its documentation (RFC 8631 §4).
 */
export function discoveryLinks({ apiCatalog, openapi, docs }: ApiDescription): string {
  return [
    `<${apiCatalog}>; rel="api-catalog"`,
    `<${openapi}>; rel="service-desc"; type="application/json"`,
    `<${docs}>; rel="service-doc"; type="text/html"`,
  ].join(", ");
}
