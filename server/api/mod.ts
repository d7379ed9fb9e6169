/**
 * The API of one environment: the pipeline that every request under its `/api` goes through, in the
 * order source address → limit → route and method → the operation. What an operation does is its own;
 * how its outcome looks on the wire is `respond.ts`.
 *
 * @module
 */
import type { Environment } from "../environment.ts";
import { clientAddress, type ConnectionInfo } from "../http/source_address.ts";
import type { Observer, Timing } from "../observe/mod.ts";
import type { MaybePromise } from "../maybe_promise.ts";
import { createAccessToken } from "./token.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation, Operation, Outcome } from "./operation.ts";
import { type Call, respond, type Route } from "./respond.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";

/** The operations by their paths below the environment's prefix, matched byte for byte. */
const OPERATIONS: Record<string, CreateOperation> = {
  "/api/v1": index,
  "/api/v1/status": getStatus,
  "/api/v1/oauth/token": createAccessToken,
  "/api/v1/waitlist": joinWaitlist,
  "/api/v1/waitlist/stats": getWaitlistStats,
  "/api/waitlist": joinWaitlistLegacy,
};

/** Answers a request; what needs no waiting is answered without a promise, which would cost time. */
export type Answer = (request: Request, info: ConnectionInfo) => MaybePromise<Response>;

/** The API of one environment. */
export interface Api {
  /** Whether a path, as it was sent, is the API's; one that nothing is at included. */
  owns: (path: string) => boolean;
  /** Answers a request to such a path. */
  answer: (path: string, ...request: Parameters<Answer>) => ReturnType<Answer>;
}

/** How an answer came about that needed no waiting. */
const AT_ONCE: Timing = { ms: 0 };

/** What the API needs besides its environment. */
export interface ApiOptions {
  trustedProxyHops: number;
  observer: Observer;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  /** Names a request, for `X-Request-Id`. */
  nextRequestId: () => string;
}

/** Makes an environment's API. */
export function createApi(environment: Environment, options: ApiOptions): Api {
  const { pathPrefix, limits, name } = environment;
  const { trustedProxyHops, observer, monotonic, nextRequestId } = options;
  const sourceOf = clientAddress(trustedProxyHops);
  const root = `${pathPrefix}/api`;
  const nowhere: Route = { label: `${name}.unknown` };
  const routes = new Map<string, Route>();
  for (const [path, create] of Object.entries(OPERATIONS)) {
    const route = { path: pathPrefix + path, operation: create(environment) };
    routes.set(route.path, { ...route, label: `${name}.${create.name}` });
  }

  function answer(
    path: string,
    request: Request,
    info: ConnectionInfo,
  ): MaybePromise<Response> {
    const { method } = request;
    const route = routes.get(path) ?? nowhere;
    const { operation } = route;
    if (route.path) observer.routed?.(method, route.path);
    const accepted = operation !== undefined && accepts(operation, method);
    const limit = accepted && operation.limit === "status" ? limits.status : limits.other;
    const allowance = environment.countRequest(limit, sourceOf(request, info));
    const call: Call = { environment, route, allowance, method, requestId: nextRequestId() };

    if (!allowance.allowed) {
      return finish({ failure: "rate_limited", retryAfter: allowance.reset }, call);
    }
    if (!operation) return finish({ failure: "not_found" }, call);
    if (!accepted) return finish({ failure: "method_not_allowed", allow: operation.allow }, call);
    try {
      const outcome = operation.answer(request);
      return outcome instanceof Promise ? finishLater(outcome, call) : finish(outcome, call);
    } catch (error) {
      return fail(error, call);
    }
  }

  async function finishLater(outcome: Promise<Outcome>, call: Call): Promise<Response> {
    const began = monotonic();
    try {
      return finish(await outcome, call, { ms: monotonic() - began });
    } catch (error) {
      return fail(error, call, monotonic() - began);
    }
  }

  function fail(error: unknown, call: Call, ms = 0): Response {
    const cause = String((error as Error).stack ?? error);
    return finish({ failure: "internal_error" }, call, { ms, cause });
  }

  /** Makes the response and tells the observer of it. */
  function finish(outcome: Outcome, call: Call, timing: Timing = AT_ONCE) {
    if ("failure" in outcome && outcome.failure === "overloaded") {
      timing = { ...timing, cause: "too many wait for KV" };
    }
    const response = respond(outcome, call);
    observer.answered(call, response.status, timing);
    return response;
  }

  const below = `${root}/`;
  return { owns: (path) => path === root || path.startsWith(below), answer };
}

function accepts(operation: Operation, method: string): boolean {
  return operation.allow === "POST" ? method === "POST" : method === "GET" || method === "HEAD";
}
