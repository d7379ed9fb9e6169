/**
 * The steps of every API request: client address, limit, key, route and method, role, body, act, respond. After a
 * failure at one step, only the last step follows. @module
 */
import type { CountRequest, Limit } from "../limits/mod.ts";
import type { Observer, Timing } from "../observe/mod.ts";
import { createRandomIds, type MaybePromise, type Runtime } from "../runtime/mod.ts";
import { actOnBody } from "./body.ts";
import { answerPreflight, corsHeaders } from "./cross_origin.ts";
import { FORM_TYPES } from "./form.ts";
import { prefersHtml } from "./negotiate.ts";
import type {
  AnyFailure,
  Call,
  KeyHolder,
  Operation,
  Outcome,
  RequestFailure,
} from "./operation.ts";
import { clientAddress, type ConnectionInfo, mediaType } from "./request.ts";
import {
  type JsonAnswer,
  type PageAnswer,
  respond,
  type ResponseContext,
  type RouteInfo,
} from "./respond.ts";
import { createRouter, type RouterOptions } from "./router.ts";

/** A set of operations under one path, with a limit, a check of keys and its own errors. */
export interface Surface<Failure extends AnyFailure> extends RouterOptions<Failure> {
  /** The path with which all paths of the surface begin, without a slash at the end. */
  root: string;
  /** The limit for operations that name no limit, and for calls that reach no operation. */
  limit: Limit;
  /** The check of keys. Absent on a surface without keys. */
  key?: {
    /** Finds the holder of the key in the header `Authorization`. */
    findHolder: (authorization: string | null) => KeyHolder | undefined;
    /** Gives the failure if the holder of a key may not call an operation; `undefined` if the holder may. */
    admit: (holder: KeyHolder, operationId: string) => Failure | RequestFailure | undefined;
    /** The limit for calls without a right key. */
    limitWithout: Limit;
  };
  /** Makes the answer about a failure, with its status, code and message. */
  describe: (failure: Failure | RequestFailure) => JsonAnswer;
}

export interface PipelineOptions {
  runtime: Pick<Runtime, "monotonic" | "log" | "random">;
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Observer;
}

export interface Pipeline {
  /** Whether an undecoded path belongs to the surface, even if the path has no operation. */
  owns: (path: string) => boolean;
  /** Answers a request. It returns the response itself if nothing has to be awaited, because a promise costs time. */
  answer: (path: string, request: Request, info: ConnectionInfo) => MaybePromise<Response>;
}

interface CallContext<Failure extends AnyFailure> extends ResponseContext {
  call: Call;
  /** The operation that is called. Absent if there is none for the path and the method. */
  operation: Operation<Failure> | undefined;
}

/**
 * The number of characters of an `X-Request-Id`. Its 36 random bits distinguish the requests in a log. It is short,
 * because Deno sends an answer of more than 512 bytes with two system calls.
 */
const REQUEST_ID_LENGTH = 6;

/** The timing of an answer that needs no waiting. */
const AT_ONCE: Timing = { ms: 0 };

/** Makes the pipeline of a surface. */
export function createPipeline<Failure extends AnyFailure>(
  surface: Surface<Failure>,
  { runtime, countRequest, trustedProxyHops, observer }: PipelineOptions,
): Pipeline {
  const { name, root, limit, key, describe } = surface;
  const { log, monotonic, random } = runtime;
  const addressOf = clientAddress(trustedProxyHops);
  const nextRequestId = createRandomIds({ length: REQUEST_ID_LENGTH, random });
  const route = createRouter(surface);
  const unknownRoute: RouteInfo = { label: `${name}.unknown` };

  function answer(path: string, request: Request, info: ConnectionInfo): MaybePromise<Response> {
    const { method, headers } = request;
    const found = route(path);
    const routed = found?.byMethod.get(method);
    const routeInfo = routed?.routeInfo ?? found?.routeInfo ?? unknownRoute;
    if (routeInfo.template) observer.traceRoute?.(method, routeInfo.template);
    const operator = key?.findHolder(headers.get("authorization"));
    const hasKey = key === undefined || operator !== undefined;
    const counted = hasKey ? routed?.operation.limit ?? limit : key.limitWithout;
    const address = routed?.operation.passedOnAddress?.(headers) ?? addressOf(request, info);
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
    if (!routed) {
      const origins = found.byMethod.get("POST")?.operation.scriptOrigins;
      const preflight = answerPreflight(origins, request);
      return finish(preflight ?? { failure: "method_not_allowed", allow: found.allow }, context);
    }
    const { operation } = routed;
    const refusal = operator && key?.admit(operator, routed.id);
    if (refusal) return finish(refusal, context);
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
    return finish({ failure: "internal_error" }, context, { ms, cause: traceOf(error) });
  }

  function finish(
    outcome: Outcome<Failure | RequestFailure>,
    context: CallContext<Failure>,
    timing = AT_ONCE,
  ): Response {
    const answer = "failure" in outcome ? answerFailure(outcome, context) : outcome;
    const response = respond(answer, context, brokeOff);
    // The CORS headers are set on the response and not on the answer, because other callers may share the answer.
    const { operation, call: { headers } } = context;
    const origins = answer.kind === "json" && operation?.scriptOrigins;
    const cors = origins && corsHeaders(origins, headers) || {};
    for (const header of Object.entries(cors)) response.headers.set(...header);
    if ("logCause" in answer) timing = { ...timing, cause: answer.logCause };
    observer.noteAnswer(context, response.status, timing);
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

  /** Logs an error that ended NDJSON early, because the client already has the status of a success. */
  function brokeOff(error: unknown, { requestId, routeInfo }: ResponseContext): void {
    log.error("an answer ended early", {
      requestId,
      operation: routeInfo.label,
      error: traceOf(error),
    });
  }

  const below = `${root}/`;
  return {
    owns: (path) => path === root || path.startsWith(below),
    answer,
  };
}

/** Whether a browser posted a form without scripts. The browser then shows the answer to a person. */
function isPostedByPage(headers: Headers): boolean {
  return FORM_TYPES.includes(mediaType(headers.get("content-type"))) &&
    prefersHtml(headers.get("accept"));
}

const traceOf = (error: unknown) => String((error as Error).stack ?? error);
