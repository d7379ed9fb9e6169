import type { OperatorError } from "../../shared/operator_schemas.ts";
import { type JsonAnswer, MAX_BODY_BYTES, type RequestFailure } from "../http/mod.ts";
import { quote } from "../runtime/mod.ts";
import { challenge } from "../oauth/mod.ts";
import type { RestoreConflict } from "../store/backup/mod.ts";

/** The failures of the operator's operations. */
export type OperatorFailure =
  | { failure: "conflict" | "unknown"; message: string }
  | { failure: "outcome_unknown"; message: string; cause: string }
  | { failure: "restore_conflict"; conflict: RestoreConflict };

/** Seconds to wait after a body was cut, as a service that stops cuts bodies and may start again. */
const BODY_CUT_RETRY_SECONDS = 1;

/** Gives status, body and headers of a failure. The body has the form of the public API's errors. */
export function describeOperatorFailure(failure: OperatorFailure | RequestFailure): JsonAnswer {
  switch (failure.failure) {
    case "invalid_request":
      return error(400, "invalid_request", failure.message);
    case "conflict":
      return error(409, "conflict", failure.message);
    case "restore_conflict":
      return error(409, ...RESTORE_CONFLICTS[failure.conflict]);
    case "unknown":
      return error(404, "not_found", failure.message);
    case "invalid_json":
    case "not_utf8":
      return error(400, "invalid_json", "The body is not valid JSON in UTF-8.");
    case "unauthorized": {
      const message =
        "The operator key is missing or wrong; send it as Authorization: Bearer <key>.";
      return error(401, "unauthorized", message, {
        "WWW-Authenticate": challenge("Bearer", { realm: "operator" }),
      });
    }
    case "not_found":
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
      return error(413, "payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    case "unsupported_media_type": {
      const message = `Send Content-Type ${failure.accepted.join(" or ")}.`;
      return error(415, "unsupported_media_type", message);
    }
    case "unsupported_content_encoding": {
      const message = "Send the body without a Content-Encoding; it is not decoded here.";
      // Names the codings that are accepted (RFC 9110 §15.5.16).
      return error(415, "unsupported_media_type", message, { "Accept-Encoding": "identity" });
    }
    case "rate_limited": {
      const seconds = String(failure.retryAfter);
      const message = `Too many requests from this address; try again in ${seconds} s.`;
      return error(429, "rate_limited", message, { "Retry-After": seconds });
    }
    case "outcome_unknown":
      return { ...error(500, "internal_error", failure.message), cause: failure.cause };
    case "internal_error":
      return error(500, "internal_error", "Something went wrong in the service; see its log.");
  }
}

function error(
  status: number,
  code: OperatorError["error"],
  message: string,
  headers?: Record<string, string>,
): JsonAnswer {
  const body: OperatorError = { error: code, message };
  return { status, json: JSON.stringify(body), ...(headers && { headers }) };
}

/** The failure for a `client_id` that does not exist. */
export function unknownClient(clientId: string): OperatorFailure {
  return { failure: "unknown", message: `There is no client ${quote(clientId)}.` };
}

/**
 * Waits for a change, and gives a failure where it failed: KV then did not say whether it was made.
 *
 * @param message what may have been changed and how to go on, in 200 characters, which the CLI shows
 */
export async function orUnknownOutcome<T>(
  change: Promise<T>,
  message: string,
): Promise<T | Extract<OperatorFailure, { failure: "outcome_unknown" }>> {
  try {
    return await change;
  } catch (error) {
    return { failure: "outcome_unknown", message, cause: String((error as Error).stack) };
  }
}

const RESTORE_CONFLICTS: Record<
  RestoreConflict,
  [code: OperatorError["error"], message: string]
> = {
  not_empty: [
    "store_not_empty",
    "The store is not empty: it has sign-ups or clients. A backup is restored into an empty " +
    "store only; start the service on a new KV_PATH or KV_URL.",
  ],
  begun: [
    "restore_begun",
    "The store is not empty: it holds a part of this very backup, whose restore was not " +
    "finished. Continue it with resume.",
  ],
  other: [
    "other_restore",
    "The store is not empty: it holds a part of another backup, whose restore was not " +
    "finished. Go on with that one, or start the service on a new KV_PATH or KV_URL.",
  ],
  not_begun: ["no_restore", "No restore of this backup is under way; begin it first."],
};
