/** The failures of the public API, with their status, code and message (contract, "Errors"). @module */
import type { ApiError } from "../../shared/schemas.ts";
import { describeFailure, errorAnswer, type JsonAnswer, type RequestFailure } from "../http/mod.ts";
import { WINDOW_SECONDS } from "../limits/mod.ts";
import {
  type AccessFault,
  makeChallenge,
  STATS_SCOPE,
  type TokenFault,
  toQuotable,
} from "../oauth/mod.ts";
import type { SignUpFault } from "../waitlist/mod.ts";
import type { Environment } from "./environment.ts";

/** A failure of a public operation. `overloaded` means that too many sign-ups wait for the store. */
export type PublicFailure =
  | { failure: "sign_up"; fault: SignUpFault }
  | { failure: "token"; fault: TokenFault }
  | { failure: "access"; fault: AccessFault }
  | { failure: "overloaded" };

const toAnswer = errorAnswer<ApiError["error"]>;

/**
 * Makes the answer to a request that failed (contract, "Errors"). The answer to a faulty request for a token (`token`)
 * has `error_description` in place of `message` (RFC 6749 §5.2).
 */
export function answerForFailure(
  failure: PublicFailure | RequestFailure,
  environment: Environment,
): JsonAnswer {
  switch (failure.failure) {
    case "not_utf8":
      return toAnswer(400, "invalid_request", "The form is not UTF-8 text.");
    case "sign_up": {
      const { code, message } = failure.fault;
      return toAnswer(code === "invalid_request" ? 400 : 422, code, message);
    }
    case "token":
      return answerForTokenFault(failure.fault, environment);
    case "access":
      return answerForAccessFault(failure.fault, environment);
    case "not_found":
      return toAnswer(
        404,
        "not_found",
        `There is nothing here; start at ${environment.urls.index}.`,
      );
    case "rate_limited":
      return RATE_LIMITED[failure.retryAfter]!;
    case "overloaded": {
      const message = "Too many sign-ups at the same moment; try again in a second.";
      const answer = toAnswer(500, "internal_error", message, { "Retry-After": "1" });
      return { ...answer, logCause: "too many sign-ups wait for KV" };
    }
    // A public operation never refuses a key, so the failures of a key count as a fault of the service.
    case "unauthorized":
    case "forbidden":
    case "internal_error":
      return toAnswer(500, "internal_error", "Something went wrong on our side; try again later.");
    default:
      return toAnswer(...describeFailure(failure));
  }
}

/**
 * The answers with status 429. The index is the number of seconds to wait. The answers are made only once, so that a
 * flood of requests costs little time.
 */
const RATE_LIMITED = Array.from({ length: WINDOW_SECONDS + 1 }, (_, retryAfter): JsonAnswer => ({
  ...toAnswer(...describeFailure({ failure: "rate_limited", retryAfter })),
  shared: true,
}));

function answerForTokenFault(fault: TokenFault, environment: Environment): JsonAnswer {
  const body = { error: fault.code, error_description: toQuotable(fault.description) };
  const json = JSON.stringify(body);
  if (fault.code !== "invalid_client") return { kind: "json", status: 400, json };
  const basic = makeChallenge("Basic", { realm: environment.service, charset: "UTF-8" });
  return {
    kind: "json",
    status: 401,
    json,
    ...(fault.byHeader && { headers: { "WWW-Authenticate": basic } }),
  };
}

const ACCESS_MESSAGES: Record<AccessFault, string> = {
  unauthorized: "An access token is required; send Authorization: Bearer and the token.",
  invalid_token: "The access token is invalid or expired; get a new one at the token endpoint.",
  insufficient_scope: `The access token lacks the scope ${STATS_SCOPE}.`,
};

function answerForAccessFault(fault: AccessFault, environment: Environment): JsonAnswer {
  const message = ACCESS_MESSAGES[fault];
  const bearer = makeChallenge("Bearer", {
    realm: environment.service,
    error: fault,
    error_description: message,
    scope: STATS_SCOPE,
    resource_metadata: environment.urls.protectedResource,
  });
  const status = fault === "insufficient_scope" ? 403 : 401;
  return toAnswer(status, fault, message, { "WWW-Authenticate": bearer });
}
