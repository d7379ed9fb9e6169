/** The failures of the public API, with their status, code and message (contract, "Errors"). @module */
import type { ApiError } from "../../shared/schemas.ts";
import {
  type DescribedError,
  describeFailure,
  errorAnswer,
  type JsonAnswer,
  type RequestFailure,
} from "../http/mod.ts";
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

/**
 * Makes the answer to a request that failed (contract, "Errors"). The answer to a faulty request for a token (`token`)
 * has `error_description` in place of `message` (RFC 6749 §5.2).
 */
export function answerForPublicFailure(
  failure: PublicFailure | RequestFailure,
  environment: Environment,
): JsonAnswer {
  switch (failure.failure) {
    case "token":
      return answerForTokenFault(failure.fault, environment);
    case "rate_limited":
      return RATE_LIMITED_ANSWERS[failure.retryAfter]!;
    case "overloaded":
      return {
        ...errorAnswer(describePublicFailure(failure, environment)),
        logCause: "too many sign-ups wait for KV",
      };
    default:
      return errorAnswer(describePublicFailure(failure, environment));
  }
}

/** Gives the status, code, message and headers of a failure whose answer has the usual form of an error. */
function describePublicFailure(
  failure: Exclude<PublicFailure | RequestFailure, { failure: "token" }>,
  environment: Environment,
): DescribedError<ApiError["error"]> {
  switch (failure.failure) {
    case "sign_up": {
      const { code, message } = failure.fault;
      return { status: code === "invalid_request" ? 400 : 422, code, message };
    }
    case "access":
      return describeAccessFault(failure.fault, environment);
    case "overloaded":
      return {
        status: 500,
        code: "internal_error",
        message: "Too many sign-ups at the same moment; try again in a second.",
        headers: { "Retry-After": "1" },
      };
    case "not_utf8":
      return { status: 400, code: "invalid_request", message: "The form is not UTF-8 text." };
    case "not_found": {
      const message = `There is nothing here; start at ${environment.urls.index}.`;
      return { status: 404, code: "not_found", message };
    }
    // A public operation never refuses a key, so the failures of a key count as a fault of the service.
    case "unauthorized":
    case "forbidden":
    case "internal_error": {
      const message = "Something went wrong on our side; try again later.";
      return { status: 500, code: "internal_error", message };
    }
    default:
      return describeFailure(failure);
  }
}

/**
 * The answers with status 429. The index is the number of seconds to wait. The answers are made only once, so that a
 * flood of requests costs little time.
 */
const RATE_LIMITED_ANSWERS = Array.from(
  { length: WINDOW_SECONDS + 1 },
  (_, retryAfter): JsonAnswer => ({
    ...errorAnswer(describeFailure({ failure: "rate_limited", retryAfter })),
    isShared: true,
  }),
);

function answerForTokenFault(fault: TokenFault, environment: Environment): JsonAnswer {
  const json = JSON.stringify({
    error: fault.code,
    error_description: toQuotable(fault.description),
  });
  if (fault.code !== "invalid_client") return { kind: "json", status: 400, json };
  const challenge = makeChallenge("Basic", { realm: environment.service, charset: "UTF-8" });
  return {
    kind: "json",
    status: 401,
    json,
    // RFC 6749 §5.2 requires the challenge only for a client that used the header `Authorization`.
    ...fault.hasAuthorizationHeader && { headers: { "WWW-Authenticate": challenge } },
  };
}

const ACCESS_MESSAGES: Record<AccessFault, string> = {
  unauthorized: "An access token is required; send Authorization: Bearer and the token.",
  invalid_token: "The access token is invalid or expired; get a new one at the token endpoint.",
  insufficient_scope: `The access token lacks the scope ${STATS_SCOPE}.`,
};

function describeAccessFault(
  fault: AccessFault,
  environment: Environment,
): DescribedError<AccessFault> {
  const message = ACCESS_MESSAGES[fault];
  const challenge = makeChallenge("Bearer", {
    realm: environment.service,
    error: fault,
    error_description: message,
    scope: STATS_SCOPE,
    resource_metadata: environment.urls.protectedResource,
  });
  const status = fault === "insufficient_scope" ? 403 : 401;
  return { status, code: fault, message, headers: { "WWW-Authenticate": challenge } };
}
