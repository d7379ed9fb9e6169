import type { OperatorError } from "../../shared/operator_schemas.ts";
import { challenge } from "../oauth/challenge.ts";

/** Every failure that the operator can be told of. */
export type OperatorFailure =
  | { failure: "invalid_request" | "conflict" | "not_found"; message: string }
  | { failure: "restore_conflict"; code: RestoreConflictCode; message: string }
  | { failure: "invalid_json" }
  | { failure: "unauthorized" }
  | { failure: "no_such_path" }
  | { failure: "method_not_allowed"; allow: string }
  | { failure: "body_cut" }
  | { failure: "payload_too_large" }
  | { failure: "unsupported_media_type"; accepted: string }
  | { failure: "rate_limited"; retryAfter: number }
  | { failure: "internal_error" };

/** The codes that tell the states of a store apart, in which a restore cannot begin or go on. */
export type RestoreConflictCode = Extract<
  OperatorError["error"],
  "store_not_empty" | "restore_begun" | "other_restore" | "no_restore"
>;

/** A failure on the wire. */
export interface WireError {
  status: number;
  body: OperatorError;
  headers?: Record<string, string>;
}

/**
 * How long whoever sent a body that was cut should wait: a service that stops and cuts bodies takes no
 * more requests after that, so that the next one gets no answer, and waits for the service to be back.
 */
const BODY_CUT_RETRY_SECONDS = 1;

/** Puts a failure into status, body and headers; the shape is that of the public API's errors. */
export function describeFailure(failure: OperatorFailure): WireError {
  switch (failure.failure) {
    case "invalid_request":
      return error(400, "invalid_request", failure.message);
    case "conflict":
      return error(409, "conflict", failure.message);
    case "restore_conflict":
      return error(409, failure.code, failure.message);
    case "not_found":
      return error(404, "not_found", failure.message);
    case "invalid_json":
      return error(400, "invalid_json", "The body is not valid JSON in UTF-8.");
    case "unauthorized": {
      const message = "The operator key is missing or wrong; send Authorization: Bearer and it.";
      return error(401, "unauthorized", message, {
        "WWW-Authenticate": challenge("Bearer", { realm: "operator" }),
      });
    }
    case "no_such_path":
      return error(404, "not_found", "There is nothing here; see /operator/v1/openapi.json.");
    case "method_not_allowed": {
      const { allow } = failure;
      const message = `This method is not accepted here; use ${allow.replaceAll(", ", " or ")}.`;
      return error(405, "method_not_allowed", message, { Allow: allow });
    }
    case "body_cut": {
      const message = "The body did not arrive whole; send it again.";
      return error(408, "body_cut", message, { "Retry-After": String(BODY_CUT_RETRY_SECONDS) });
    }
    case "payload_too_large":
      return error(413, "payload_too_large", "The body is larger than 65536 bytes.");
    case "unsupported_media_type":
      return error(415, "unsupported_media_type", `Send Content-Type ${failure.accepted}.`);
    case "rate_limited": {
      const seconds = String(failure.retryAfter);
      const message = `Too many requests from this address; try again in ${seconds} s.`;
      return error(429, "rate_limited", message, { "Retry-After": seconds });
    }
    case "internal_error":
      return error(500, "internal_error", "Something went wrong in the service; see its log.");
  }
}

function error(
  status: number,
  code: OperatorError["error"],
  message: string,
  headers?: Record<string, string>,
): WireError {
  return { status, body: { error: code, message }, ...(headers && { headers }) };
}
