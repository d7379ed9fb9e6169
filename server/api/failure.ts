import type { ApiError } from "../../shared/schemas.ts";
import type { Environment } from "../environment.ts";
import { WINDOW_SECONDS } from "../limits/fixed_window.ts";
import type { AccessFault } from "../oauth/access.ts";
import { challenge, toQuotable } from "../oauth/challenge.ts";
import { STATS_SCOPE } from "../oauth/clients.ts";
import type { TokenFault } from "../oauth/token_grant.ts";
import type { SignUpFault } from "../waitlist/sign_up.ts";
import type { JsonAnswer } from "./json_answer.ts";

/** Every failure that a client can be told of. */
export type Failure =
  | { failure: "invalid_json" }
  | { failure: "sign_up"; fault: SignUpFault }
  | { failure: "token"; fault: TokenFault }
  | { failure: "access"; fault: AccessFault }
  | { failure: "not_found" }
  | { failure: "method_not_allowed"; allow: string }
  | { failure: "payload_too_large" }
  | { failure: "unsupported_media_type" }
  | { failure: "rate_limited"; retryAfter: number }
  | { failure: "overloaded" }
  | { failure: "internal_error" };

/** A failure on the wire: `{error, message}`, or `{error, error_description}` for a token fault. */
export interface WireError extends JsonAnswer {
  status: number;
}

/** Puts a failure into the status, body and headers of the contract's error table. */
export function describeFailure(failure: Failure, environment: Environment): WireError {
  switch (failure.failure) {
    case "invalid_json":
      return error(400, "invalid_json", "The body is not valid JSON in UTF-8.");
    case "sign_up": {
      const { code, message } = failure.fault;
      return error(code === "invalid_request" ? 400 : 422, code, message);
    }
    case "token":
      return describeTokenFault(failure.fault, environment);
    case "access":
      return describeAccessFault(failure.fault, environment);
    case "not_found":
      return error(404, "not_found", `There is nothing here; start at ${environment.urls.index}.`);
    case "method_not_allowed": {
      const { allow } = failure;
      const message = `This method is not accepted here; use ${allow.replace(", ", " or ")}.`;
      return error(405, "method_not_allowed", message, { Allow: allow });
    }
    case "payload_too_large":
      return error(413, "payload_too_large", "The body is larger than 65536 bytes.");
    case "unsupported_media_type":
      return error(
        415,
        "unsupported_media_type",
        "Send Content-Type application/json or application/x-www-form-urlencoded.",
      );
    case "rate_limited":
      // Limits name no other seconds.
      return RATE_LIMITED[failure.retryAfter] ?? rateLimited(failure.retryAfter);
    case "overloaded": {
      const message = "Too many sign-ups at the same moment; try again in a second.";
      return error(500, "internal_error", message, { "Retry-After": "1" });
    }
    case "internal_error":
      return error(500, "internal_error", "Something went wrong on our side; try again later.");
  }
}

function error(
  status: number,
  code: ApiError["error"],
  message: string,
  headers?: Record<string, string>,
): WireError {
  const body: ApiError = { error: code, message };
  return { status, json: JSON.stringify(body), ...(headers && { headers }) };
}

function describeTokenFault(fault: TokenFault, environment: Environment): WireError {
  const body = { error: fault.code, error_description: toQuotable(fault.description) };
  const json = JSON.stringify(body);
  if (fault.code !== "invalid_client") return { status: 400, json };
  const basic = challenge("Basic", { realm: environment.service, charset: "UTF-8" });
  return { status: 401, json, ...(fault.byHeader && { headers: { "WWW-Authenticate": basic } }) };
}

/** The refusals by the seconds to wait: made once, as a flood is to cost next to nothing. */
const RATE_LIMITED = Array.from(
  { length: WINDOW_SECONDS + 1 },
  (_, seconds) => rateLimited(seconds),
);

function rateLimited(seconds: number): WireError {
  const message = `Too many requests from this address; try again in ${seconds} s.`;
  const wire = error(429, "rate_limited", message, { "Retry-After": String(seconds) });
  return { ...wire, shared: true };
}

const ACCESS_MESSAGES: Record<AccessFault, string> = {
  unauthorized: "An access token is required; send Authorization: Bearer and the token.",
  invalid_token: "The access token is invalid or expired; get a new one at the token endpoint.",
  insufficient_scope: `The access token lacks the scope ${STATS_SCOPE}.`,
};

function describeAccessFault(fault: AccessFault, environment: Environment): WireError {
  const message = ACCESS_MESSAGES[fault];
  const bearer = challenge("Bearer", {
    realm: environment.service,
    error: fault,
    error_description: message,
    scope: STATS_SCOPE,
    resource_metadata: environment.urls.protectedResource,
  });
  const status = fault === "insufficient_scope" ? 403 : 401;
  return error(status, fault, message, { "WWW-Authenticate": bearer });
}
