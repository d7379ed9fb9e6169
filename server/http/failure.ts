/** The form of errors, and the status, code and message of the failures that every API can have. @module */
import type { OperatorError } from "../../shared/operator_schemas.ts";
import type { ApiError } from "../../shared/schemas.ts";
import { MAX_BODY_BYTES } from "./body.ts";
import type { RequestFailure } from "./operation.ts";
import type { JsonAnswer } from "./respond.ts";

/** An error as an API sends it: a stable code for programs, and a sentence for people. */
export type DescribedError<Code extends string> = readonly [
  status: number,
  code: Code,
  message: string,
  headers?: Readonly<Record<string, string>>,
];

/** Makes the answer about an error, with the body `{error, message}` (contract, "Error"). */
export function errorAnswer<Code extends string>(
  ...[status, error, message, headers]: DescribedError<Code>
): JsonAnswer & { status: number } {
  return {
    kind: "json",
    status,
    errorCode: error,
    json: JSON.stringify({ error, message }),
    ...(headers && { headers }),
  };
}

type CommonCode = ApiError["error"] & OperatorError["error"];

type CommonFailure = Exclude<
  RequestFailure,
  { failure: "unauthorized" | "forbidden" | "not_found" | "not_utf8" | "internal_error" }
>;

/** Gives the status, code and message of a failure that every API can have. */
export function describeFailure(failure: CommonFailure): DescribedError<CommonCode> {
  switch (failure.failure) {
    case "invalid_request":
      return [400, "invalid_request", failure.message];
    case "body_cut":
      return [400, "invalid_request", "The body did not arrive whole; send it again."];
    case "invalid_json":
      return [400, "invalid_json", "The body is not valid JSON in UTF-8."];
    case "method_not_allowed": {
      const { allow } = failure;
      const message = `This method is not accepted here; use ${allow.replaceAll(", ", " or ")}.`;
      return [405, "method_not_allowed", message, { Allow: allow }];
    }
    case "payload_too_large":
      return [413, "payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`];
    case "unsupported_media_type": {
      const message = `Send Content-Type ${failure.accepted.join(" or ")}.`;
      return [415, "unsupported_media_type", message];
    }
    case "unsupported_content_encoding": {
      const message = "Send the body without a Content-Encoding; it is not decoded here.";
      // In an answer with status 415, `Accept-Encoding` lists the codings that the service accepts (RFC 9110 §15.5.16).
      return [415, "unsupported_media_type", message, { "Accept-Encoding": "identity" }];
    }
    case "rate_limited": {
      const seconds = String(failure.retryAfter);
      const message = `Too many requests from this address; try again in ${seconds} s.`;
      return [429, "rate_limited", message, { "Retry-After": seconds }];
    }
  }
}
