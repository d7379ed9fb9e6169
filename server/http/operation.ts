/** The types of an operation of an API: the call that it gets, its body, its outcome and its failures. @module */
import type { Line } from "../../shared/lines.ts";
import type { Role } from "../../shared/roles.ts";
import type { ClientAddress, Limit } from "../limits/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import type { Form } from "./form.ts";
import type { ApiAnswer, JsonAnswer, PageAnswer } from "./answer.ts";

/** A failure of any API. */
export interface AnyFailure {
  /** The kind of the failure. */
  failure: string;
}

/**
 * A failure that the pipeline finds. Each surface (an HTTP API, see `pipeline.ts`) gives it a status, a code and a
 * message.
 */
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
export interface AuthenticatedOperator {
  name: string;
  role: Role;
}

/**
 * What an operation gets of a request besides the body. The pipeline makes a `Call` for every request, but calls an
 * operation only after it has checked the limit, the key, the path and the method of the request.
 */
export interface Call {
  /** The id of the operation. It is empty if there is no operation for the path and the method. */
  operationId: string;
  headers: Headers;
  url: string;
  /** The values of the parameters in the path, as they are in the URL (not decoded). */
  parameters: Readonly<Record<string, string>>;
  requestId: string;
  /** The client address for which the limit counts the request. */
  address: ClientAddress;
  /**
   * The operator to whom the call's key belongs. `undefined` on a surface without keys, and if the key is missing or
   * wrong.
   */
  operator: AuthenticatedOperator | undefined;
  /** The parsed form of the body. Absent for another kind of body, and until the body has been read. */
  form?: Form;
}

/** The function that acts on a parsed body. */
type Act<Body, Failure extends AnyFailure> = (
  body: Body,
  call: Call,
) => MaybePromise<Outcome<Failure>>;

/** What an operation does: the kind of body that it accepts, and the function that acts on the parsed body. */
export type Action<Failure extends AnyFailure> =
  | { body: "none"; act: (call: Call) => MaybePromise<Outcome<Failure>> }
  | { body: "form"; act: Act<Form, Failure> }
  | { body: "form_or_json"; act: Act<{ form: Form } | { json: unknown }, Failure> }
  | { body: "json"; act: Act<unknown, Failure> }
  /** NDJSON of any length. If the body ends too early, the lines that have been stored stay stored. */
  | { body: "ndjson"; act: Act<AsyncGenerator<Line[]>, Failure> };

/**
 * Makes the page that shows an error to a person. It is used if a browser posted a form without the help of a script.
 */
export type ShowError = (answer: JsonAnswer, call: Call) => PageAnswer;

/**
 * An operation of a surface: of an HTTP API such as the public API or the operator surface. It is stored under its
 * `operationId` in the OpenAPI document.
 */
export type Operation<Failure extends AnyFailure> = Action<Failure> & {
  /**
   * The origins whose pages may call the operation by scripts, with JSON (CORS). Absent if scripts of other origins may
   * not call it.
   */
  scriptOrigins?: ReadonlySet<string> | undefined;
  /** The limit of the operation. By default, it is the limit of the surface. */
  limit?: Limit;
  /**
   * Finds the client address of a visitor if a company's server calls the operation for the visitor and passes the
   * address on; `undefined` if the request counts for the caller's own client address.
   */
  passedOnAddress?: ((headers: Headers) => ClientAddress | undefined) | undefined;
  /** The headers that every answer of the operation has. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Is called with the failure of a body that the pipeline refused. Gives a more exact failure; `undefined` keeps the
   * pipeline's failure.
   */
  onRefusedBody?: (failure: BodyFailure) => Failure | undefined;
  /** Makes the page that shows an error. Absent if every caller gets errors as JSON. */
  showError?: ShowError;
};
