/**
 * The operator surface: what the operator does over HTTP, off unless there is a key. Here is the
 * pipeline that every request under `/operator` goes through, in the order source address → limit → key
 * → route and method → the operation. What an operation does is a file under `operations/`.
 *
 * @module
 */
import { isPlainAuthority } from "../http/plain_authority.ts";
import { sourceAddress } from "../http/source_address.ts";
import { type CountRequest, LIMITS } from "../limits/fixed_window.ts";
import type { Log } from "../log.ts";
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
}

/** The operator surface. */
export interface Operator {
  /** Whether a path, as it was sent, is under `/operator`. */
  owns: (path: string) => boolean;
  /** Answers a request to such a path. */
  answer: (
    path: string,
    request: Request,
    info: Pick<Deno.ServeHandlerInfo, "remoteAddr">,
  ) => Promise<Response>;
}

/** Makes the operator surface. */
export function createOperator(options: OperatorOptions): Operator {
  const { countRequest, trustedProxyHops, log } = options;
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
    try {
      return await operation({ request, parameters });
    } catch (error) {
      logFailure(error);
      return { failure: "internal_error" };
    }
  }

  function logFailure(error: unknown): void {
    log.error("operator request failed", { error: String((error as Error).stack ?? error) });
  }

  return {
    owns: (path) => path === "/operator" || path.startsWith("/operator/"),
    async answer(path, request, { remoteAddr }) {
      const { headers, method } = request;
      const source = sourceAddress({
        socketAddress: () => "hostname" in remoteAddr ? remoteAddr.hostname : "",
        forwardedFor: () => headers.get("x-forwarded-for"),
      }, trustedProxyHops);
      const known = holdsKey(headers.get("authorization"));
      const allowance = countRequest(known ? LIMITS.operator : LIMITS.default, source);
      const call: Call = { allowance, head: method === "HEAD", onError: logFailure };
      if (!allowance.allowed) {
        return respond({ failure: "rate_limited", retryAfter: allowance.reset }, call);
      }
      if (!known) return respond({ failure: "unauthorized" }, call);
      return respond(await act(path, request), call);
    },
  };
}
