/**
 * The API of one environment: the pipeline that every request under its `/api` goes through, in the
 * order source address → limit → route and method → the operation. What an operation does is its own;
 * how its outcome looks on the wire is `respond.ts`.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
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

/** What Hono passes along with a request. */
export interface ServerBindings {
  Bindings: Pick<Deno.ServeHandlerInfo, "remoteAddr">;
}

/** What the API needs besides its environment. */
export interface ApiOptions {
  trustedProxyHops: number;
  log: Log;
}

/** Makes the routes of an environment's API. Its paths must reach Hono as they were sent. */
export function createApi(environment: Environment, options: ApiOptions): Hono<ServerBindings> {
  const { pathPrefix, limits } = environment;
  const { trustedProxyHops, log } = options;
  const operations = new Map<string, Operation>();
  for (const [path, create] of Object.entries(OPERATIONS)) {
    operations.set(pathPrefix + path, create(environment));
  }

  // What needs no waiting is answered without a promise, which would cost a tenth more.
  function answer(context: Context<ServerBindings>): Response | Promise<Response> {
    const request = context.req.raw;
    const { method } = request;
    const operation = operations.get(context.req.path);
    const accepted = operation !== undefined && accepts(operation, method);
    const limit = accepted && operation.limit === "status" ? limits.status : limits.other;
    const source = sourceAddress({
      socketAddress: () => socketAddress(context),
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
      return outcome.then((outcome) => respond(outcome, call)).catch((error) => fail(error, call));
    } catch (error) {
      return fail(error, call);
    }
  }

  function fail(error: unknown, call: Call): Response {
    log.error("request failed", { error: String((error as Error).stack ?? error) });
    return respond({ failure: "internal_error" }, call);
  }

  // The wildcard takes `/api` itself too.
  return new Hono<ServerBindings>().all(`${pathPrefix}/api/*`, answer);
}

function accepts(operation: Operation, method: string): boolean {
  return operation.allow === "POST" ? method === "POST" : method === "GET" || method === "HEAD";
}

function socketAddress(context: Context<ServerBindings>): string {
  const address = context.env.remoteAddr;
  return "hostname" in address ? address.hostname : "";
}
