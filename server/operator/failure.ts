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
  /** `unknown` means that the address, id or code of the call leads to nothing. */
  | { failure: "conflict" | "unknown" | "expired"; message: string }
  | ForbiddenFailure
  /** KV does not tell whether the change was made. */
  | { failure: "outcome_unknown"; message: string; cause: string }
  | { failure: "restore_conflict"; conflict: RestoreConflict };

/**
 * The `Retry-After` for a body that did not arrive whole, in seconds. It is short, because the service itself may have
 * cut the body in order to restart.
 */
const BODY_CUT_RETRY_SECONDS = 1;

/** The code and the message of each reason why a restore is refused. */
const RESTORE_CONFLICTS: Record<
  RestoreConflict,
  Pick<DescribedError<OperatorError["error"]>, "code" | "message">
> = {
  not_empty: {
    code: "store_not_empty",
    message:
      "The store is not empty: it has sign-ups or clients. A backup is restored into an empty " +
      "store only; start the service on a new KV_PATH or KV_URL.",
  },
  begun: {
    code: "restore_begun",
    message: "The store is not empty: it holds a part of this very backup, whose restore was not " +
      "finished. Continue it with resume.",
  },
  other: {
    code: "other_restore",
    message: "The store is not empty: it holds a part of another backup, whose restore was not " +
      "finished. Go on with that one, or start the service on a new KV_PATH or KV_URL.",
  },
  not_begun: {
    code: "no_restore",
    message: "No restore of this backup is under way; begin it first.",
  },
};

/** Gives the status, code, message and headers of a failure. They have no internal details. */
export function describeOperatorFailure(
  failure: OperatorFailure | RequestFailure,
): DescribedError<OperatorError["error"]> {
  switch (failure.failure) {
    case "conflict":
      return { status: 409, code: "conflict", message: failure.message };
    case "restore_conflict":
      return { status: 409, ...RESTORE_CONFLICTS[failure.conflict] };
    case "expired":
      return { status: 410, code: "expired", message: failure.message };
    case "unknown":
      return { status: 404, code: "not_found", message: failure.message };
    case "not_utf8":
      return describeFailure({ failure: "invalid_json" });
    case "unauthorized": {
      const message =
        "The operator key is missing or wrong; send it as Authorization: Bearer <key>.";
      const headers = { "WWW-Authenticate": makeChallenge("Bearer", { realm: "operator" }) };
      return { status: 401, code: "unauthorized", message, headers };
    }
    case "forbidden": {
      const message =
        `A key with the role '${failure.role}' may not do this; use the key of an operator.`;
      return { status: 403, code: "forbidden", message };
    }
    case "not_found": {
      const message = "There is nothing here; see /operator/v1/openapi.json.";
      return { status: 404, code: "not_found", message };
    }
    case "body_cut": {
      const { message } = describeFailure(failure);
      const headers = { "Retry-After": String(BODY_CUT_RETRY_SECONDS) };
      return { status: 408, code: "body_cut", message, headers };
    }
    case "outcome_unknown":
      return { status: 500, code: "internal_error", message: failure.message };
    case "internal_error": {
      const message = "Something went wrong in the service; see its log.";
      return { status: 500, code: "internal_error", message };
    }
    default:
      return describeFailure(failure);
  }
}

/** Makes the answer of the HTTP surface about a failure. */
export function answerForOperatorFailure(failure: OperatorFailure | RequestFailure): JsonAnswer {
  const answer = errorAnswer(describeOperatorFailure(failure));
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

/**
 * Makes the failure of an operation that needs letters or events, if the service sends none.
 * @param variable the name of the variable that is not set
 */
export function switchedOffFailure(
  kind: "e-mails" | "events",
  variable: "MAIL_URL" | "WEBHOOK_URL",
): OperatorFailure {
  const message =
    `The service sends no ${kind}, as ${variable} is not set; set it, and start the service again.`;
  return { failure: "conflict", message };
}

/**
 * The message of a call about an address whose record or letter limit cannot be read. A backup names both, and
 * `counters verify` names only records.
 */
export const UNREADABLE_MESSAGE =
  "The record of the address, or the letter limit of its mailbox, cannot be read; 'backup' names what is damaged.";

/**
 * Makes the failure of a call about an address that is not on the list.
 *
 * @param erasedAt the date-time of the erasure, if the address was on the list before
 */
export function unknownAddressFailure(erasedAt?: string): OperatorFailure {
  const detail = erasedAt ? `It was erased at ${erasedAt}.` : "Check its spelling.";
  return { failure: "unknown", message: `The address is not on the waitlist. ${detail}` };
}
