/** The types of an operation of an API: its call, its body, its outcome and its failures. @module */
import type { Line } from "../../shared/lines.ts";
import type { Role } from "../../shared/roles.ts";
import type { ClientAddress, Limit } from "../limits/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import type { Form } from "./form.ts";
import type { ApiAnswer, JsonAnswer, PageAnswer } from "./respond.ts";

/** The member that all failures have: the kind of the failure. */
export interface AnyFailure {
  failure: string;
}

/** A failure that the pipeline finds. Each surface gives it a status, a code and a message. */
export type RequestFailure =
  | { failure: "rate_limited"; retryAfter: number }
  | { failure: "unauthorized" }
  /** The role of the call's key does not allow the operation. */
  | { failure: "forbidden"; role: Role }
  | { failure: "not_found" }
  | { failure: "method_not_allowed"; allow: string }
  | BodyFailure
  | { failure: "internal_error" };

/** A reason why a body is refused. */
export type BodyFailure =
  /** `accepted` lists the media types that the operation accepts. */
  | { failure: "unsupported_media_type"; accepted: readonly string[] }
  /** The body has a content coding, such as gzip (RFC 9110 §8.4). */
  | { failure: "unsupported_content_encoding" }
  | { failure: "payload_too_large" }
  | { failure: "not_utf8" }
  | { failure: "body_cut" }
  | { failure: "invalid_json" }
  | { failure: "invalid_request"; message: string };

/** The result of an operation. */
export type Outcome<Failure extends AnyFailure> = ApiAnswer | Failure | BodyFailure;

/** The operator to whom a key belongs: the name in the audit log, and the role. */
export interface KeyHolder {
  name: string;
  role: Role;
}

/** A request whose limit, key, path and method have been checked. */
export interface Call {
  /** The id of the operation. It is empty if there is no operation for the path and the method. */
  operationId: string;
  headers: Headers;
  url: string;
  /** The values of the parameters in the path, as they are in the URL (not decoded). */
  parameters: Readonly<Record<string, string>>;
  requestId: string;
  /** The client address under which the limit counts the request. */
  address: ClientAddress;
  /** The holder of the call's key. Absent on a surface without keys. */
  operator: KeyHolder | undefined;
  /** The form in the body, once it has been read. */
  form?: Form;
}

type Act<Body, Failure extends AnyFailure> = (
  body: Body,
  call: Call,
) => MaybePromise<Outcome<Failure>>;

/** The kind of body that an operation accepts, and the function that acts on it. */
export type Action<Failure extends AnyFailure> =
  | { body: "none"; act: (call: Call) => MaybePromise<Outcome<Failure>> }
  | { body: "form"; act: Act<Form, Failure> }
  | { body: "form_or_json"; act: Act<{ form: Form } | { json: unknown }, Failure> }
  | { body: "json"; act: Act<unknown, Failure> }
  /** NDJSON of any length. If the body is cut, the lines that were stored before stay stored. */
  | { body: "ndjson"; act: Act<AsyncGenerator<Line[]>, Failure> };

/** Makes the page that shows an error to a person whose browser posted a form without scripts. */
export type ShowError = (answer: JsonAnswer, call: Call) => PageAnswer;

/** An operation of a surface. Its id is the `operationId` of the OpenAPI document. */
export type Operation<Failure extends AnyFailure> = Action<Failure> & {
  /** The origins of other sites whose scripts may call the operation with JSON. Absent if no site may. */
  scriptOrigins?: ReadonlySet<string> | undefined;
  /** The limit of the operation. By default, it is the limit of the surface. */
  limit?: Limit;
  /** Finds the visitor's address in a call by a company's server; `undefined` if the caller's own address counts. */
  passedOnAddress?: ((headers: Headers) => ClientAddress | undefined) | undefined;
  /** The headers that every answer of the operation has. */
  headers?: Readonly<Record<string, string>>;
  /** Replaces the failure of a refused body by another failure; `undefined` keeps the failure. */
  describeBody?: (failure: BodyFailure) => Failure | undefined;
  /** Makes the page of an error. Absent if every caller gets errors as JSON. */
  showError?: ShowError;
};
