/** What discovery documents and API need to know of production or of the sandbox. */
export interface DescribedEnvironment {
  name: "production" | "sandbox";
  /** The service's fixed identifier (contract, "Status"). */
  service: string;
  urls: EnvironmentUrls;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** The absolute URLs that the answers of an environment contain. */
export type EnvironmentUrls = ReturnType<typeof environmentUrls>;

/** The URLs of an environment. Well-known URLs have its path at their end (RFC 8414 §3.1, RFC 9728 §3.1). */
export function environmentUrls(baseUrl: string, pathPrefix: string) {
  const base = baseUrl + pathPrefix;
  return {
    base,
    index: `${base}/api/v1`,
    status: `${base}/api/v1/status`,
    token: `${base}/api/v1/oauth/token`,
    waitlist: `${base}/api/v1/waitlist`,
    stats: `${base}/api/v1/waitlist/stats`,
    openapi: `${base}/openapi.json`,
    docs: `${baseUrl}/developers/`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server${pathPrefix}`,
    protectedResource: `${baseUrl}/.well-known/oauth-protected-resource${pathPrefix}/api/v1`,
    apiCatalog: `${baseUrl}/.well-known/api-catalog`,
  };
}
