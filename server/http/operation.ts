import type { z } from "zod";
import type { Line } from "../../shared/lines.ts";
import type { Limit } from "../limits/fixed_window.ts";
import type { MaybePromise } from "../maybe_promise.ts";
import type { Form } from "./form.ts";
import type { Answer } from "./respond.ts";

/** A failure, told apart by a word; what it becomes on the wire is its surface's affair. */
export interface AnyFailure {
  failure: string;
}

/** What the pipeline refuses by itself, before an operation acts or where it breaks. */
export type RequestFailure =
  | { failure: "rate_limited"; retryAfter: number }
  | { failure: "unauthorized" }
  | { failure: "not_found" }
  | { failure: "method_not_allowed"; allow: string }
  | BodyFailure
  | { failure: "internal_error" };

/** Why a body is not taken. */
export type BodyFailure =
  /** The media types that would have been. */
  | { failure: "unsupported_media_type"; accepted: readonly string[] }
  /** It is encoded, as by gzip (RFC 9110 §8.4). */
  | { failure: "unsupported_content_encoding" }
  | { failure: "payload_too_large" }
  /** A form that is not UTF-8 text. */
  | { failure: "not_utf8" }
  | { failure: "body_cut" }
  /** No JSON, or not in UTF-8. */
  | { failure: "invalid_json" }
  /** It breaks the schema; the message names the field. */
  | { failure: "invalid_request"; message: string };

/** What an operation comes to. */
export type Outcome<Failure extends AnyFailure> = Answer | Failure;

/** A request whose limit, key, path and method have been checked. */
export interface Call {
  headers: Headers;
  /** As it was sent. */
  url: string;
  /** What stands in the path's `{…}`, as it was sent. */
  parameters: Readonly<Record<string, string>>;
}

/** How an operation takes its body, and what it does with it. */
export type Action<Failure extends AnyFailure> =
  | { body: "none"; act: (call: Call) => MaybePromise<Outcome<Failure | BodyFailure>> }
  | { body: "form"; act: (form: Form, call: Call) => MaybePromise<Outcome<Failure | BodyFailure>> }
  | {
    body: "form_or_json";
    act: (
      body: { form: Form } | { json: unknown },
      call: Call,
    ) => MaybePromise<Outcome<Failure | BodyFailure>>;
  }
  /** JSON of at most 64 KB that the schema has passed. */
  | {
    body: "json";
    schema: z.ZodType;
    act: (value: never, call: Call) => MaybePromise<Outcome<Failure | BodyFailure>>;
  }
  /** NDJSON of any length, a line of it at most 64 KB. What was done by the time that it is cut stays done. */
  | {
    body: "ndjson";
    act: (lines: AsyncGenerator<Line[]>, call: Call) => Promise<Outcome<Failure | BodyFailure>>;
  };

/** An operation of a surface. */
export type Operation<Failure extends AnyFailure> = Action<Failure> & {
  /** Its `operationId` in the OpenAPI document; the log calls it so too. */
  id: string;
  /** GET stands for HEAD too. */
  method: "GET" | "POST";
  /** Matched byte for byte; `{name}` stands for any segment. */
  path: string;
  /** What counts its calls in the place of the surface's own limit. */
  limit?: Limit;
  /** Headers of every answer on its path. */
  headers?: Readonly<Record<string, string>>;
  /** What it says of a body in the place of its surface, if anything. */
  describeBody?: (failure: BodyFailure) => Failure | undefined;
};
