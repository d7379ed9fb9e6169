/** What an operation of an API is: what it learns of a call, and how it may end. @module */
import type { Line } from "../../shared/lines.ts";
import type { Role } from "../../shared/roles.ts";
import type { ClientAddress, Limit } from "../limits/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import type { Form } from "./form.ts";
import type { ApiAnswer, JsonAnswer, PageAnswer } from "./respond.ts";

export interface AnyFailure {
  failure: string;
}

/** A failure that the pipeline reports itself; the surface decides how it looks on the wire. */
export type RequestFailure =
  | { failure: "rate_limited"; retryAfter: number }
  | { failure: "unauthorized" }
  /** The key that a call has may not do this. */
  | { failure: "forbidden"; role: Role }
  | { failure: "not_found" }
  | { failure: "method_not_allowed"; allow: string }
  | BodyFailure
  | { failure: "internal_error" };

export type BodyFailure =
  /** `accepted` lists the media types that the operation takes. */
  | { failure: "unsupported_media_type"; accepted: readonly string[] }
  /** A content coding, such as gzip (RFC 9110 §8.4). */
  | { failure: "unsupported_content_encoding" }
  | { failure: "payload_too_large" }
  | { failure: "not_utf8" }
  | { failure: "body_cut" }
  | { failure: "invalid_json" }
  | { failure: "invalid_request"; message: string };

export type Outcome<Failure extends AnyFailure> = ApiAnswer | Failure | BodyFailure;

/** Whose key a call has, and what the key is for. */
export interface KeyHolder {
  name: string;
  role: Role;
}

/** What an operation learns of a request whose limit, key, path and method have been checked. */
export interface Call {
  /** The id of the operation; empty where the path or the method has none. */
  operationId: string;
  headers: Headers;
  url: string;
  /** The values of the path's `{…}`, as they were sent. */
  parameters: Readonly<Record<string, string>>;
  requestId: string;
  address: ClientAddress;
  /** Whose key the call has; absent on a surface without keys. */
  operator: KeyHolder | undefined;
  /** The form that the body was, once it has been read. */
  form?: Form;
}

type Act<Body, Failure extends AnyFailure> = (
  body: Body,
  call: Call,
) => MaybePromise<Outcome<Failure>>;

/** The kind of body that an operation takes, and the function that acts on it. */
export type Action<Failure extends AnyFailure> =
  | { body: "none"; act: (call: Call) => MaybePromise<Outcome<Failure>> }
  | { body: "form"; act: Act<Form, Failure> }
  | { body: "form_or_json"; act: Act<{ form: Form } | { json: unknown }, Failure> }
  | { body: "json"; act: Act<unknown, Failure> }
  /** NDJSON of any length. Where the body is cut, the lines that were stored before stay stored. */
  | { body: "ndjson"; act: Act<AsyncGenerator<Line[]>, Failure> };

/** Makes a page of an error's answer, for people whose browser posted a form without scripts. */
export type ShowError = (answer: JsonAnswer, call: Call) => PageAnswer;

/** An operation of a surface, which has it under the `operationId` of its OpenAPI document. */
export type Operation<Failure extends AnyFailure> = Action<Failure> & {
  /** The origins of other sites whose scripts may send it JSON; absent where none may. */
  scriptOrigins?: ReadonlySet<string> | undefined;
  /** The limit that counts the calls; absent where the surface's limit does. */
  limit?: Limit;
  /** Finds the address of the client for which a server calls; `undefined` where the caller's own address counts. */
  passedOnAddress?: ((headers: Headers) => ClientAddress | undefined) | undefined;
  /** Headers of every answer on its path. */
  headers?: Readonly<Record<string, string>>;
  /** Replaces the surface's answer to a refused body; `undefined` keeps that answer. */
  describeBody?: (failure: BodyFailure) => Failure | undefined;
  showError?: ShowError;
};
