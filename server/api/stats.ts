import type { WaitlistStats } from "../../shared/schemas.ts";
import { decideAccess } from "../oauth/access.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";
import type { CreateOperation } from "./operation.ts";

/** `getWaitlistStats`: aggregate counts, for a token of this environment with the scope. */
export const getWaitlistStats: CreateOperation = ({ tokens, statistics }) => {
  // Calls that share a read share its text too.
  let latest: WaitlistStats | undefined;
  let json = "";
  return {
    allow: "GET, HEAD",
    limit: "other",
    async answer(request) {
      const authorization = request.headers.get("authorization");
      const fault = await decideAccess(authorization, STATS_SCOPE, tokens.verify);
      if (fault) return { failure: "access", fault };
      const current = await statistics();
      if (current !== latest) {
        latest = current;
        json = JSON.stringify(current);
      }
      return { json };
    },
  };
};
