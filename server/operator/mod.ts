/**
 * The operator surface: what the operator does over HTTP, off unless there is a key. Here is the
 * pipeline that every request under `/operator` goes through, in the order source address → limit → key
 * → route and method → the operation. What an operation does is a file under `operations/`.
 *
 * @module
 */
import { isPlainAuthority } from "../http/plain_authority.ts";
import { clientAddress, type ConnectionInfo } from "../http/source_address.ts";
import { type CountRequest, LIMITS } from "../limits/fixed_window.ts";
import type { Log } from "../log.ts";
import type { Observer } from "../observe/mod.ts";
import { createKeyCheck } from "./key.ts";
import type { OperatorParts, Outcome } from "./operation.ts";
import { type Call, respond } from "./respond.ts";
import { createRouter, type Route } from "./routes.ts";

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
  const { countRequest, trustedProxyHops, observer, nextRequestId, monotonic, log } = options;
  const sourceOf = clientAddress(trustedProxyHops);
  const holdsKey = createKeyCheck(options.key);
  const route = createRouter(options);

  async function act(request: Request, found: Route | undefined): Promise<Outcome> {
    const host = request.headers.get("host");
    if (host !== null && !isPlainAuthority(host)) {
      return { failure: "invalid_request", message: "The Host header is no host and port." };
    }
    if (!found) return { failure: "no_such_path" };
    const { operation, allow, parameters } = found;
    if (!operation) return { failure: "method_not_allowed", allow };
    return await operation({ request, parameters });
  }

  return {
    owns: (path) => path === "/operator" || path.startsWith("/operator/"),
    async answer(path, request, info) {
      const { headers, method } = request;
      const found = route(path, method);
      const label = `operator.${found?.name ?? "unknown"}`;
      if (found) observer.routed?.(method, found.template);
      const known = holdsKey(headers.get("authorization"));
      const limit = known ? LIMITS.operator : LIMITS.default;
      const allowance = countRequest(limit, sourceOf(request, info));
      const requestId = nextRequestId();
      const onError = (error: unknown) => {
        const text = String((error as Error).stack ?? error);
        log.error("operator answer broke off", { requestId, operation: label, error: text });
      };
      const call: Call = { allowance, requestId, head: method === "HEAD", onError };
      const began = monotonic();
      const finish = (outcome: Outcome, cause?: string) => {
        const response = respond(outcome, call);
        const timing = { ms: monotonic() - began, ...(cause !== undefined && { cause }) };
        observer.answered({ requestId, route: { label }, method }, response.status, timing);
        return response;
      };
      if (!allowance.allowed) {
        return finish({ failure: "rate_limited", retryAfter: allowance.reset });
      }
      if (!known) return finish({ failure: "unauthorized" });
      try {
        return finish(await act(request, found));
      } catch (error) {
        return finish({ failure: "internal_error" }, String((error as Error).stack ?? error));
      }
    },
  };
}
