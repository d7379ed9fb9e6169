/**
 * The one pipeline that every request to an API goes through, in the order client address → limit → key →
 * route and method → body → act → respond. Production, the sandbox and the operator's API are surfaces that
 * are given to it. An operation decides what it does; its surface decides how a failure looks on the wire.
 *
 * @module
 */
import type { CountRequest, Limit } from "../limits/mod.ts";
import type { MaybePromise, Runtime } from "../runtime/mod.ts";
import type { Observer, Timing } from "../observe/mod.ts";
import { actOnBody } from "./body.ts";
import { FORM_TYPES } from "./form.ts";
import { prefersHtml } from "./negotiate.ts";
import type { AnyFailure, Call, Operation, Outcome, RequestFailure } from "./operation.ts";
import { clientAddress, type ConnectionInfo, mediaType } from "./request.ts";
import {
  type JsonAnswer,
  type PageAnswer,
  respond,
  type ResponseContext,
  type RouteInfo,
} from "./respond.ts";
import { createRouter, type RouterOptions } from "./router.ts";

/** An API as data: its operations, its limits and its errors. */
export interface Surface<Failure extends AnyFailure> extends RouterOptions<Failure> {
  /** The beginning of all paths, without a slash at the end. */
  root: string;
  /** The limit for operations that name no other one, and for calls that reach no operation. */
  limit: Limit;
  /** The keys, one of which each call must have, if any. Calls without one count under another limit. */
  key?: {
    /** Gives the name of the operator whose key a header holds. */
    findHolder: (authorization: string | null) => string | undefined;
    limitWithout: Limit;
  };
  /** Gives the status, body and headers that the OpenAPI document has for a failure. */
  describe: (failure: Failure | RequestFailure) => JsonAnswer;
}

/** What the pipeline needs besides its surface. */
export interface PipelineOptions extends Pick<Runtime, "monotonic" | "log"> {
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Observer;
  /** Makes the value of `X-Request-Id`. */
  nextRequestId: () => string;
}

/** Answers the requests of a surface. */
export interface Pipeline {
  /** Whether a path, as it was sent, belongs to the surface, even if there is no operation at it. */
  owns: (path: string) => boolean;
  /** Answers a request to such a path. It returns no promise where no waiting is needed. */
  answer: (path: string, request: Request, info: ConnectionInfo) => MaybePromise<Response>;
}

/** What is known of a request when its answer is made. */
interface CallContext<Failure extends AnyFailure> extends ResponseContext {
  call: Call;
  /** Absent where the path or the method has none. */
  operation: Operation<Failure> | undefined;
}

/** The timing of an answer that needed no waiting. */
const AT_ONCE: Timing = { ms: 0 };

/** Makes the pipeline of a surface. */
export function createPipeline<Failure extends AnyFailure>(
  surface: Surface<Failure>,
  options: PipelineOptions,
): Pipeline {
  const { name, root, limit, key, describe } = surface;
  const { countRequest, observer, log, monotonic, nextRequestId } = options;
  const addressOf = clientAddress(options.trustedProxyHops);
  const route = createRouter(surface);
  const unknownRoute: RouteInfo = { label: `${name}.unknown` };

  function answer(path: string, request: Request, info: ConnectionInfo): MaybePromise<Response> {
    const { method, headers } = request;
    const found = route(path);
    const routed = found?.byMethod.get(method);
    const routeInfo = routed?.routeInfo ?? found?.routeInfo ?? unknownRoute;
    if (routeInfo.template) observer.routed?.(method, routeInfo.template);
    const operator = key?.findHolder(headers.get("authorization"));
    const hasKey = key === undefined || operator !== undefined;
    const counted = hasKey ? routed?.operation.limit ?? limit : key.limitWithout;
    const address = addressOf(request, info);
    const allowance = countRequest(counted, address);
    const requestId = nextRequestId();
    const call: Call = {
      operationId: routed?.id ?? "",
      headers,
      url: request.url,
      parameters: found?.parameters ?? {},
      requestId,
      address,
      operator,
    };
    const context = { routeInfo, allowance, method, requestId, call, operation: routed?.operation };

    if (!allowance.allowed) {
      return finish({ failure: "rate_limited", retryAfter: allowance.reset }, context);
    }
    if (!hasKey) return finish({ failure: "unauthorized" }, context);
    if (!found) return finish({ failure: "not_found" }, context);
    if (!routed) return finish({ failure: "method_not_allowed", allow: found.allow }, context);
    const { operation } = routed;
    try {
      const outcome = operation.body === "none"
        ? operation.act(call)
        : actOnBody(operation, request, call);
      return outcome instanceof Promise ? finishLater(outcome, context) : finish(outcome, context);
    } catch (error) {
      return fail(error, context);
    }
  }

  async function finishLater(
    outcome: Promise<Outcome<Failure | RequestFailure>>,
    context: CallContext<Failure>,
  ): Promise<Response> {
    const began = monotonic();
    try {
      return finish(await outcome, context, { ms: monotonic() - began });
    } catch (error) {
      return fail(error, context, monotonic() - began);
    }
  }

  function fail(error: unknown, context: CallContext<Failure>, ms = 0): Response {
    const cause = String((error as Error).stack ?? error);
    return finish({ failure: "internal_error" }, context, { ms, cause });
  }

  /** Makes the response and reports it to the observer. */
  function finish(
    outcome: Outcome<Failure | RequestFailure>,
    context: CallContext<Failure>,
    timing = AT_ONCE,
  ): Response {
    const answer = "failure" in outcome ? answerFailure(outcome, context) : outcome;
    const response = respond(answer, context, brokeOff);
    if ("cause" in answer) timing = { ...timing, cause: answer.cause };
    observer.answered(context, response.status, timing);
    return response;
  }

  function answerFailure(
    failure: Failure | RequestFailure,
    { call, operation }: CallContext<Failure>,
  ): JsonAnswer | PageAnswer {
    const answer = describe(failure);
    const showError = operation?.showError;
    return showError && isPostedByPage(call.headers) ? showError(answer, call) : answer;
  }

  function brokeOff(error: unknown, { requestId, routeInfo }: ResponseContext): void {
    const text = String((error as Error).stack ?? error);
    log.error("answer broke off", { requestId, operation: routeInfo.label, error: text });
  }

  const below = `${root}/`;
  return { owns: (path) => path === root || path.startsWith(below), answer };
}

/** Whether a browser posted the form of a page without scripts, so that a person reads the answer. */
function isPostedByPage(headers: Headers): boolean {
  return FORM_TYPES.includes(mediaType(headers.get("content-type"))) &&
    prefersHtml(headers.get("accept"));
}
