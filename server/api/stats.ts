import type { WaitlistStats } from "../../shared/schemas.ts";
import { decideAccess } from "../oauth/access.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";
import { andThen, type MaybePromise } from "../maybe_promise.ts";
import type { CreateOperation, Outcome } from "./operation.ts";

/** `getWaitlistStats`: aggregate counts, for a token of this environment with the scope. */
export const getWaitlistStats: CreateOperation = ({ tokens, statistics }) => {
  // Calls that share a read share its text too.
  let latest: WaitlistStats | undefined;
  let json = "";
  const describe = (current: WaitlistStats) => {
    if (current !== latest) {
      latest = current;
      json = JSON.stringify(current);
    }
    return { json, shared: true };
  };
  return {
    allow: "GET, HEAD",
    limit: "other",
    answer(request) {
      const authorization = request.headers.get("authorization");
      const access = decideAccess(authorization, STATS_SCOPE, tokens.verify);
      return andThen(access, (fault): MaybePromise<Outcome> => {
        return fault ? { failure: "access", fault } : andThen(statistics(), describe);
      });
    },
  };
};
