/** The form of errors, and the status, code and message of the failures that every API can have. @module */
import type { OperatorError } from "../../shared/operator_schemas.ts";
import type { ApiError } from "../../shared/schemas.ts";
import type { JsonAnswer } from "./answer.ts";
import type { RequestFailure } from "./operation.ts";
import { MAX_BODY_BYTES } from "./read_body.ts";

/** An error as an API sends it: a stable code for programs, and a sentence for people. */
export interface DescribedError<Code extends string> {
  status: number;
  code: Code;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/** Makes the answer about an error, with the body `{error, message}` (contract, "Error"). */
export function errorAnswer<Code extends string>(
  { status, code, message, headers }: DescribedError<Code>,
): JsonAnswer & { status: number } {
  return {
    kind: "json",
    status,
    errorCode: code,
    json: JSON.stringify({ error: code, message }),
    ...(headers && { headers }),
  };
}

/** A code that the errors of both surfaces can have. */
type CommonCode = ApiError["error"] & OperatorError["error"];

/** A failure that every surface describes in the same way. A surface describes its other failures in its own words. */
type CommonFailure = Exclude<
  RequestFailure,
  { failure: "unauthorized" | "forbidden" | "not_found" | "not_utf8" | "internal_error" }
>;

/** Gives the status, code and message of a failure that every surface describes in the same way. */
export function describeFailure(failure: CommonFailure): DescribedError<CommonCode> {
  switch (failure.failure) {
    case "invalid_request":
      return { status: 400, code: "invalid_request", message: failure.message };
    case "body_cut":
      return {
        status: 400,
        code: "invalid_request",
        message: "The body did not arrive whole; send it again.",
      };
    case "invalid_json":
      return { status: 400, code: "invalid_json", message: "The body is not valid JSON in UTF-8." };
    case "method_not_allowed": {
      const { allow } = failure;
      const message = `This method is not accepted here; use ${allow.replaceAll(", ", " or ")}.`;
      return { status: 405, code: "method_not_allowed", message, headers: { Allow: allow } };
    }
    case "payload_too_large": {
      const message = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
      return { status: 413, code: "payload_too_large", message };
    }
    case "unsupported_media_type": {
      const message = `Send Content-Type ${failure.accepted.join(" or ")}.`;
      return { status: 415, code: "unsupported_media_type", message };
    }
    case "unsupported_content_encoding": {
      const message = "Send the body without a Content-Encoding; it is not decoded here.";
      // In an answer with status 415, `Accept-Encoding` lists the codings that the service accepts (RFC 9110 §15.5.16).
      const headers = { "Accept-Encoding": "identity" };
      return { status: 415, code: "unsupported_media_type", message, headers };
    }
    case "rate_limited": {
      const seconds = String(failure.retryAfter);
      const message = `Too many requests from this address; try again in ${seconds} s.`;
      return { status: 429, code: "rate_limited", message, headers: { "Retry-After": seconds } };
    }
  }
}
