import { decideAccess } from "../oauth/access.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";
import type { Operation } from "./operation.ts";

/** `getWaitlistStats`: aggregate counts, for a token of this environment with the scope. */
export const getWaitlistStats: Operation = {
  allow: "GET, HEAD",
  limit: "other",
  async answer(request, environment) {
    const authorization = request.headers.get("authorization");
    const fault = await decideAccess(authorization, STATS_SCOPE, environment.tokens.verify);
    if (fault) return { failure: "access", fault };
    return { body: await environment.statistics() };
  },
};
