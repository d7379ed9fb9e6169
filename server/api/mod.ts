/**
 * The API of one environment: the pipeline that every request under its `/api` goes through, in the
 * order source address → limit → route and method → the operation. What an operation does is its own;
 * how its outcome looks on the wire is `respond.ts`.
 *
 * @module
 */
import type { Environment } from "../environment.ts";
import { sourceAddress } from "../http/source_address.ts";
import type { Log } from "../log.ts";
import { createAccessToken } from "./token.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation, Operation } from "./operation.ts";
import { type Call, respond } from "./respond.ts";
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

/** What is known of the connection that a request came by. */
export type ConnectionInfo = Pick<Deno.ServeHandlerInfo, "remoteAddr">;

/** Answers a request; what needs no waiting is answered without a promise, which would cost time. */
export type Answer = (request: Request, info: ConnectionInfo) => Response | Promise<Response>;

/** The API of one environment. */
export interface Api {
  /** Whether a path, as it was sent, is the API's; one that nothing is at included. */
  owns: (path: string) => boolean;
  /** Answers a request to such a path. */
  answer: (path: string, ...request: Parameters<Answer>) => ReturnType<Answer>;
}

/** What the API needs besides its environment. */
export interface ApiOptions {
  trustedProxyHops: number;
  log: Log;
}

/** Makes an environment's API. */
export function createApi(environment: Environment, options: ApiOptions): Api {
  const { pathPrefix, limits } = environment;
  const { trustedProxyHops, log } = options;
  const root = `${pathPrefix}/api`;
  const operations = new Map<string, Operation>();
  for (const [path, create] of Object.entries(OPERATIONS)) {
    operations.set(pathPrefix + path, create(environment));
  }

  function answer(
    path: string,
    request: Request,
    info: ConnectionInfo,
  ): Response | Promise<Response> {
    const { method } = request;
    const operation = operations.get(path);
    const accepted = operation !== undefined && accepts(operation, method);
    const limit = accepted && operation.limit === "status" ? limits.status : limits.other;
    const source = sourceAddress({
      socketAddress: () => socketAddress(info),
      forwardedFor: () => request.headers.get("x-forwarded-for"),
    }, trustedProxyHops);
    const allowance = environment.countRequest(limit, source);
    const call: Call = { environment, operation, allowance, head: method === "HEAD" };

    if (!allowance.allowed) {
      return respond({ failure: "rate_limited", retryAfter: allowance.reset }, call);
    }
    if (!operation) return respond({ failure: "not_found" }, call);
    if (!accepted) return respond({ failure: "method_not_allowed", allow: operation.allow }, call);
    try {
      const outcome = operation.answer(request);
      if (!(outcome instanceof Promise)) return respond(outcome, call);
      return outcome.then((outcome) => {
        if ("failure" in outcome && outcome.failure === "overloaded") {
          log.error("sign-up turned away, as too many wait for KV");
        }
        return respond(outcome, call);
      }).catch((error) => fail(error, call));
    } catch (error) {
      return fail(error, call);
    }
  }

  function fail(error: unknown, call: Call): Response {
    log.error("request failed", { error: String((error as Error).stack ?? error) });
    return respond({ failure: "internal_error" }, call);
  }

  const below = `${root}/`;
  return { owns: (path) => path === root || path.startsWith(below), answer };
}

function accepts(operation: Operation, method: string): boolean {
  return operation.allow === "POST" ? method === "POST" : method === "GET" || method === "HEAD";
}

function socketAddress({ remoteAddr }: ConnectionInfo): string {
  return "hostname" in remoteAddr ? remoteAddr.hostname : "";
}
