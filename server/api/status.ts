import type { Status } from "../../shared/schemas.ts";
import type { Operation } from "./operation.ts";

/** `getStatus`: says that the service answers, and where its documentation is. */
export const getStatus: Operation = {
  allow: "GET, HEAD",
  limit: "status",
  answer: (_request, environment) => ({
    body: {
      status: "ok",
      service: environment.service,
      apiVersion: "1",
      environment: environment.name,
      time: new Date(environment.now()).toISOString(),
      docs: environment.urls.docs,
      openapi: environment.urls.openapi,
    } satisfies Status,
  }),
};
