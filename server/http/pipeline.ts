/**
 * The steps of every API request, in this order: client address, limit, key, path and method, role, body, the operation
 * itself, response. If a step fails, the response follows at once. @module
 */
import type { CountRequest, Limit } from "../limits/mod.ts";
import type { Observer, Timing } from "../observe/mod.ts";
import { createRandomIds, type MaybePromise, type Runtime } from "../runtime/mod.ts";
import type { JsonAnswer, PageAnswer } from "./answer.ts";
import { actOnBody } from "./body.ts";
import { type ConnectionInfo, createClientAddressFinder } from "./client_address.ts";
import { answerPreflight, corsHeaders } from "./cross_origin.ts";
import { FORM_TYPES } from "./form.ts";
import { prefersHtml } from "./negotiate.ts";
import type {
  AnyFailure,
  AuthenticatedOperator,
  Call,
  Operation,
  Outcome,
  RequestFailure,
} from "./operation.ts";
import { mediaType } from "./request.ts";
import { respond, type ResponseContext, type RouteInfo } from "./respond.ts";
import { createRouter, type Route, type RouterOptions } from "./router.ts";

/**
 * A surface: an HTTP API whose paths all begin with `root`. It has a limit, its own form of errors, and in some cases a
 * check of keys.
 */
export interface Surface<Failure extends AnyFailure> extends RouterOptions<Failure> {
  /** The path with which all paths of the surface begin, without a slash at the end. */
  root: string;
  /** The limit for operations that have no limit of their own, and for calls for which there is no operation. */
  limit: Limit;
  /** The check of keys. Absent on a surface without keys. */
  keyCheck?: {
    /**
     * Finds the operator to whom the key in the header `Authorization` belongs; `undefined` for a missing or wrong key.
     */
    findOperator: (authorization: string | null) => AuthenticatedOperator | undefined;
    /**
     * Gives the failure if the operator with a key may not call an operation; `undefined` if the operator may call it.
     */
    checkRole: (
      operator: AuthenticatedOperator,
      operationId: string,
    ) => Failure | RequestFailure | undefined;
    /** The limit for calls with a missing or wrong key. */
    limitWithoutKey: Limit;
  };
  /** Makes the answer about a failure, with its status, code and message. */
  answerForFailure: (failure: Failure | RequestFailure) => JsonAnswer;
}

/** What {@linkcode createPipeline} needs besides the surface. */
export interface PipelineOptions {
  runtime: Pick<Runtime, "monotonic" | "log" | "random">;
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Observer;
}

/** Answers the requests to one surface. */
export interface Pipeline {
  /** Whether a path belongs to the surface, even if there is no operation at this path. The path is not decoded. */
  owns: (path: string) => boolean;
  /**
   * Answers a request. Gives the response itself, not a promise, if nothing has to be awaited, because a promise costs
   * time.
   */
  answer: (path: string, request: Request, info: ConnectionInfo) => MaybePromise<Response>;
}

/** What the steps know of a call. */
interface CallContext<Failure extends AnyFailure> extends ResponseContext {
  call: Call;
  /** The operations at the path by their methods. `undefined` if there is no operation at the path. */
  route: Route<Failure> | undefined;
  /** The operation for the path and the method. `undefined` if there is no such operation. */
  operation: Operation<Failure> | undefined;
  /** Whether the call may go on without a failure `unauthorized`. True on a surface without keys. */
  isKeyAccepted: boolean;
}

/**
 * The number of characters of an `X-Request-Id`. Six characters have 36 random bits, which is enough to tell the
 * requests in a log apart. The id is short, because Deno needs two system calls to send an answer of more than 512
 * bytes.
 */
const REQUEST_ID_LENGTH = 6;

/** The timing of an answer for which nothing had to be awaited. */
const NOTHING_AWAITED: Timing = { ms: 0 };

/** Makes the pipeline of a surface. */
export function createPipeline<Failure extends AnyFailure>(
  surface: Surface<Failure>,
  { runtime, countRequest, trustedProxyHops, observer }: PipelineOptions,
): Pipeline {
  const { name, root, limit, keyCheck, answerForFailure } = surface;
  const { log, monotonic, random } = runtime;
  const addressOf = createClientAddressFinder(trustedProxyHops);
  const nextRequestId = createRandomIds({ length: REQUEST_ID_LENGTH, random });
  const findRoute = createRouter(surface);
  const unknownRoute: RouteInfo = { label: `${name}.unknown` };

  /**
   * Finds what the steps need: the client address, the operation, and the operator to whom the key belongs. Counts the
   * request.
   */
  function beginCall(path: string, request: Request, info: ConnectionInfo): CallContext<Failure> {
    const { method, headers, url } = request;
    const route = findRoute(path);
    const routedOperation = route?.operationsByMethod.get(method);
    const operation = routedOperation?.operation;
    const routeInfo = routedOperation?.routeInfo ?? route?.routeInfo ?? unknownRoute;
    if (routeInfo.template) observer.traceRoute?.(method, routeInfo.template);
    const operator = keyCheck?.findOperator(headers.get("authorization"));
    const isKeyAccepted = keyCheck === undefined || operator !== undefined;
    const address = operation?.passedOnAddress?.(headers) ?? addressOf(request, info);
    const operationLimit = operation?.limit ?? limit;
    const allowance = countRequest(
      isKeyAccepted ? operationLimit : keyCheck.limitWithoutKey,
      address,
    );
    const requestId = nextRequestId();
    const call: Call = {
      operationId: routedOperation?.id ?? "",
      headers,
      url,
      parameters: route?.parameters ?? {},
      requestId,
      address,
      operator,
    };
    return { routeInfo, allowance, method, requestId, call, route, operation, isKeyAccepted };
  }

  function answer(path: string, request: Request, info: ConnectionInfo): MaybePromise<Response> {
    const context = beginCall(path, request, info);
    const { allowance, isKeyAccepted, route, operation, call } = context;
    if (!allowance.allowed) {
      return respondWith({ failure: "rate_limited", retryAfter: allowance.reset }, context);
    }
    if (!isKeyAccepted) return respondWith({ failure: "unauthorized" }, context);
    if (!route) return respondWith({ failure: "not_found" }, context);
    if (!operation) {
      const origins = route.operationsByMethod.get("POST")?.operation.scriptOrigins;
      const preflight = answerPreflight(origins, request);
      return respondWith(
        preflight ?? { failure: "method_not_allowed", allow: route.allow },
        context,
      );
    }
    const refusal = call.operator && keyCheck?.checkRole(call.operator, call.operationId);
    if (refusal) return respondWith(refusal, context);
    try {
      const outcome = operation.body === "none"
        ? operation.act(call)
        : actOnBody(operation, request, call);
      return outcome instanceof Promise
        ? respondLater(outcome, context)
        : respondWith(outcome, context);
    } catch (error) {
      return respondToError(error, context);
    }
  }

  async function respondLater(
    outcome: Promise<Outcome<Failure | RequestFailure>>,
    context: CallContext<Failure>,
  ): Promise<Response> {
    const beganAt = monotonic();
    try {
      return respondWith(await outcome, context, { ms: monotonic() - beganAt });
    } catch (error) {
      return respondToError(error, context, monotonic() - beganAt);
    }
  }

  /** Makes the response to a call that failed with an error. */
  function respondToError(error: unknown, context: CallContext<Failure>, ms = 0): Response {
    return respondWith({ failure: "internal_error" }, context, { ms, cause: stackOf(error) });
  }

  /** Makes the response from the outcome of a call, and lets the observer note it. */
  function respondWith(
    outcome: Outcome<Failure | RequestFailure>,
    context: CallContext<Failure>,
    timing: Timing = NOTHING_AWAITED,
  ): Response {
    const answer = "failure" in outcome ? errorAnswerOrPage(outcome, context) : outcome;
    const response = respond(answer, context, logBrokenStream);
    if (answer.kind === "json") addCorsHeaders(response, context);
    const timingAndCause = "logCause" in answer ? { ...timing, cause: answer.logCause } : timing;
    observer.noteAnswer(context, response.status, timingAndCause);
    return response;
  }

  /** Makes the answer about a failure: a page if a browser posted a form without the help of a script, or JSON. */
  function errorAnswerOrPage(
    failure: Failure | RequestFailure,
    { call, operation }: CallContext<Failure>,
  ): JsonAnswer | PageAnswer {
    const answer = answerForFailure(failure);
    const showError = operation?.showError;
    return showError && isPostedByPage(call.headers) ? showError(answer, call) : answer;
  }

  /**
   * Logs an error in the middle of an answer in NDJSON. The status does not show the error to the client, because the
   * status of a success was already sent.
   */
  function logBrokenStream(error: unknown, { requestId, routeInfo }: ResponseContext): void {
    log.error(
      "an answer broke off after its status was sent, so the client got only a part of the answer",
      {
        requestId,
        operation: routeInfo.label,
        error: stackOf(error),
      },
    );
  }

  const rootWithSlash = `${root}/`;
  return {
    owns: (path) => path === root || path.startsWith(rootWithSlash),
    answer,
  };
}

/** Adds the CORS headers to a response. They are not in the answer, because several callers may share one answer. */
function addCorsHeaders(
  response: Response,
  { operation, call }: Pick<CallContext<AnyFailure>, "operation" | "call">,
): void {
  const origins = operation?.scriptOrigins;
  const headers = origins && corsHeaders(origins, call.headers);
  if (!headers) return;
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}

/** Whether a browser posted a form without the help of a script. The browser then shows the answer to a person. */
function isPostedByPage(headers: Headers): boolean {
  return FORM_TYPES.includes(mediaType(headers.get("content-type"))) &&
    prefersHtml(headers.get("accept"));
}

const stackOf = (error: unknown) => String((error as Error).stack ?? error);
