/**
 * The API of one environment: the pipeline that every request under its `/api` goes through, in the
 * order source address → limit → route and method → the operation. What an operation does is its own;
 * how its outcome looks on the wire is `respond.ts`.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import type { Environment } from "../environment.ts";
import { rawPath } from "../http/raw_path.ts";
import { sourceAddress } from "../http/source_address.ts";
import type { Log } from "../log.ts";
import { createAccessToken } from "./token.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { Operation, Outcome } from "./operation.ts";
import { respond } from "./respond.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";

/** The operations by their paths below the environment's prefix, matched byte for byte. */
const OPERATIONS: Record<string, Operation> = {
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

/** Makes the routes of an environment's API. */
export function createApi(environment: Environment, options: ApiOptions): Hono<ServerBindings> {
  const { pathPrefix, limits } = environment;
  const operations = new Map(
    Object.entries(OPERATIONS).map(([path, operation]) => [pathPrefix + path, operation]),
  );

  async function answer(context: Context<ServerBindings>): Promise<Response> {
    const request = context.req.raw;
    const operation = operations.get(rawPath(request));
    const accepted = operation?.allow.split(", ").includes(request.method) ?? false;
    const source = sourceAddress({
      socketAddress: () => socketAddress(context),
      forwardedFor: request.headers.get("x-forwarded-for"),
    }, options.trustedProxyHops);
    const limit = accepted && operation?.limit === "status" ? limits.status : limits.other;
    const allowance = environment.countRequest(limit, source);

    let outcome: Outcome;
    if (!allowance.allowed) {
      outcome = { failure: "rate_limited", retryAfter: allowance.reset };
    } else if (!operation) {
      outcome = { failure: "not_found" };
    } else if (!accepted) {
      outcome = { failure: "method_not_allowed", allow: operation.allow };
    } else {
      try {
        outcome = await operation.answer(request, environment);
      } catch (error) {
        options.log.error("request failed", { error: String((error as Error).stack ?? error) });
        outcome = { failure: "internal_error" };
      }
    }
    return respond(outcome, {
      environment,
      allowance,
      headers: operation?.headers?.(environment),
      head: request.method === "HEAD",
    });
  }

  // The wildcard takes `/api` itself too.
  return new Hono<ServerBindings>().all(`${pathPrefix}/api/*`, answer);
}

function socketAddress(context: Context<ServerBindings>): string {
  const address = context.env.remoteAddr;
  return "hostname" in address ? address.hostname : "";
}
