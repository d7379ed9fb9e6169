/** The operation `getWaitlistStats`. @module */
import type { WaitlistStats } from "../../shared/schemas.ts";
import type { JsonAnswer, Outcome } from "../http/mod.ts";
import { decideAccess, STATS_SCOPE } from "../oauth/mod.ts";
import { andThen, type MaybePromise } from "../runtime/mod.ts";
import type { PublicFailure } from "./failure.ts";
import type { CreateOperation } from "./operation.ts";

/**
 * Answers with aggregate counts. The call needs a token that this environment issued and that has the scope {@linkcode
 * STATS_SCOPE} (contract, rule 4).
 */
export const getWaitlistStats: CreateOperation = ({ tokens, statistics }) => {
  // Calls that share a read of the counters get the same object. The JSON text of this object is made only once.
  let lastStatistics: WaitlistStats | undefined;
  let json = "";
  const toAnswer = (current: WaitlistStats): JsonAnswer => {
    if (current !== lastStatistics) {
      lastStatistics = current;
      json = JSON.stringify(current);
    }
    return { kind: "json", json, isShared: true };
  };
  return {
    body: "none",
    act({ headers }) {
      const authorization = headers.get("authorization");
      const access = decideAccess(authorization, STATS_SCOPE, tokens.verify);
      return andThen(access, (fault): MaybePromise<Outcome<PublicFailure>> => {
        return fault ? { failure: "access", fault } : andThen(statistics(), toAnswer);
      });
    },
  };
};
