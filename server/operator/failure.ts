/** The failures of operators' operations, and the status, code and message that describe each failure. @module */
import type { OperatorError } from "../../shared/operator_schemas.ts";
import {
  type DescribedError,
  describeFailure,
  errorAnswer,
  type JsonAnswer,
  type RequestFailure,
} from "../http/mod.ts";
import { makeChallenge } from "../oauth/mod.ts";
import type { RestoreConflict } from "../store/backup/mod.ts";
import { UnknownOutcome } from "../store/credentials/mod.ts";

/** The role of the caller does not allow the operation. */
export type ForbiddenFailure = Extract<RequestFailure, { failure: "forbidden" }>;

/** An expected failure of an operation. */
export type OperatorFailure =
  | { failure: "invalid_request"; message: string }
  | { failure: "conflict" | "unknown" | "expired"; message: string }
  | ForbiddenFailure
  | { failure: "outcome_unknown"; message: string; cause: string }
  | { failure: "restore_conflict"; conflict: RestoreConflict };

/**
 * The `Retry-After` for a body that did not arrive whole, in seconds. It is short, because the service itself may have
 * cut the body in order to restart.
 */
const BODY_CUT_RETRY_SECONDS = 1;

/** Gives the status, code, message and headers of a failure. They have no internal details. */
export function describeOperatorFailure(
  failure: OperatorFailure | RequestFailure,
): DescribedError<OperatorError["error"]> {
  switch (failure.failure) {
    case "conflict":
      return [409, "conflict", failure.message];
    case "restore_conflict":
      return [409, ...RESTORE_CONFLICTS[failure.conflict]];
    case "expired":
      return [410, "expired", failure.message];
    case "unknown":
      return [404, "not_found", failure.message];
    case "not_utf8":
      return describeFailure({ failure: "invalid_json" });
    case "unauthorized": {
      const message =
        "The operator key is missing or wrong; send it as Authorization: Bearer <key>.";
      return [401, "unauthorized", message, {
        "WWW-Authenticate": makeChallenge("Bearer", { realm: "operator" }),
      }];
    }
    case "forbidden": {
      const message =
        `A key with the role '${failure.role}' may not do this; use the key of an operator.`;
      return [403, "forbidden", message];
    }
    case "not_found":
      return [404, "not_found", "There is nothing here; see /operator/v1/openapi.json."];
    case "body_cut": {
      const [, , message] = describeFailure(failure);
      return [408, "body_cut", message, { "Retry-After": String(BODY_CUT_RETRY_SECONDS) }];
    }
    case "outcome_unknown":
      return [500, "internal_error", failure.message];
    case "internal_error":
      return [500, "internal_error", "Something went wrong in the service; see its log."];
    default:
      return describeFailure(failure);
  }
}

/** Makes the answer of the HTTP surface about a failure. */
export function answerFailure(failure: OperatorFailure | RequestFailure): JsonAnswer {
  const answer = errorAnswer<OperatorError["error"]>(...describeOperatorFailure(failure));
  return failure.failure === "outcome_unknown" ? { ...answer, logCause: failure.cause } : answer;
}

/**
 * Waits for a change. Gives a failure if KV does not tell whether the change was made.
 *
 * @param message what the operator should do after such a failure. It has at most 200 characters, because the CLI does
 * not show more.
 */
export async function orUnknownOutcome<T>(
  change: Promise<T>,
  message: string,
): Promise<T | Extract<OperatorFailure, { failure: "outcome_unknown" }>> {
  try {
    return await change;
  } catch (error) {
    // Any other error is thrown again, because it means that the change was not made.
    if (!(error instanceof UnknownOutcome)) throw error;
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

/**
 * Makes the failure of an operation that needs letters or events, if the service sends none. @param variable the
 * variable that is not set
 */
export const switchedOffFailure = (
  kind: "letters" | "events",
  variable: string,
): OperatorFailure => ({
  failure: "conflict",
  message:
    `The service sends no ${kind}, as ${variable} is not set; set it, and start the service again.`,
});
