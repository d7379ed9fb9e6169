/**
 * The operator surface: what the operator does over HTTP, off unless there is a key. Here is the
 * pipeline that every request under `/operator` goes through, in the order source address → limit → key
 * → route and method → the operation. What an operation does is a file under `operations/`.
 *
 * @module
 */
import { isPlainAuthority } from "../http/plain_authority.ts";
import { type ConnectionInfo, sourceAddress } from "../http/source_address.ts";
import { type CountRequest, LIMITS } from "../limits/fixed_window.ts";
import type { Log } from "../log.ts";
import type { Observer } from "../observe/mod.ts";
import { createKeyCheck } from "./key.ts";
import type { OperatorParts, Outcome } from "./operation.ts";
import { type Call, respond } from "./respond.ts";
import { createRouter } from "./routes.ts";

/** What the operator surface is made with. */
export interface OperatorOptions extends OperatorParts {
  /** The operator key. */
  key: string;
  countRequest: CountRequest;
  trustedProxyHops: number;
  log: Log;
  observer: Observer;
  nextRequestId: () => string;
}

/** The operator surface. */
export interface Operator {
  /** Whether a path, as it was sent, is under `/operator`. */
  owns: (path: string) => boolean;
  /** Answers a request to such a path. */
  answer: (
    path: string,
    request: Request,
    info: ConnectionInfo,
  ) => Promise<Response>;
}

/** Makes the operator surface. */
export function createOperator(options: OperatorOptions): Operator {
  const { countRequest, trustedProxyHops, observer, nextRequestId, now, log } = options;
  const sourceOf = sourceAddress(trustedProxyHops);
  const holdsKey = createKeyCheck(options.key);
  const route = createRouter(options);

  async function act(path: string, request: Request): Promise<Outcome> {
    const host = request.headers.get("host");
    if (host !== null && !isPlainAuthority(host)) {
      return { failure: "invalid_request", message: "The Host header is no host and port." };
    }
    const found = route(path);
    if (!found) return { failure: "no_such_path" };
    const { operations, allow, parameters } = found;
    const operation = operations.get(request.method === "HEAD" ? "GET" : request.method);
    if (!operation) return { failure: "method_not_allowed", allow };
    return await operation({ request, parameters });
  }

  function logFailure(error: unknown): void {
    log.error("operator answer broke off", { error: String((error as Error).stack ?? error) });
  }

  return {
    owns: (path) => path === "/operator" || path.startsWith("/operator/"),
    async answer(path, request, info) {
      const { headers, method } = request;
      const known = holdsKey(headers.get("authorization"));
      const limit = known ? LIMITS.operator : LIMITS.default;
      const allowance = countRequest(limit, sourceOf(request, info));
      const requestId = nextRequestId();
      const call: Call = { allowance, requestId, head: method === "HEAD", onError: logFailure };
      const began = now();
      const finish = (outcome: Outcome, cause?: string) => {
        const response = respond(outcome, call);
        const effort = { ms: now() - began, ...(cause !== undefined && { cause }) };
        const route = { label: "operator" };
        observer.answered({ requestId, route, method }, response.status, effort);
        return response;
      };
      if (!allowance.allowed) {
        return finish({ failure: "rate_limited", retryAfter: allowance.reset });
      }
      if (!known) return finish({ failure: "unauthorized" });
      try {
        return finish(await act(path, request));
      } catch (error) {
        return finish({ failure: "internal_error" }, String((error as Error).stack ?? error));
      }
    },
  };
}
