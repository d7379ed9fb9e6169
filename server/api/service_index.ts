import type { ServiceIndex } from "../../shared/schemas.ts";
import { discoveryLinks } from "../http/discovery_links.ts";
import type { Operation } from "./operation.ts";

/** `index`: where everything is, for callers that know nothing but the address. */
export const index: Operation = {
  allow: "GET, HEAD",
  limit: "other",
  answer: (_request, environment) => {
    const { urls } = environment;
    const body: ServiceIndex = {
      service: environment.service,
      apiVersion: "1",
      environment: environment.name,
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
    return { body, headers: { Link: discoveryLinks(urls) } };
  },
};
