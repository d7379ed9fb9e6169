/**
 * The operator surface, as commands use it: calls by the generated types, and streams of lines.
 *
 * @module
 */
import createHttpClient, { type Client } from "openapi-fetch";
import type { paths } from "../../shared/generated/operator.ts";
import { send } from "../../shared/send.ts";
import { firstInvalidField, type Shape } from "../../shared/shapes.ts";
import { fetchOf } from "../connect.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../settings.ts";
import { toOperatorError } from "./failures.ts";
import { openLines } from "./lines.ts";

/** The longest sum of `Retry-After` that a call waits out, in milliseconds: a whole window. */
const MAX_WAIT = 61_000;

/** The operator surface; every failure of a call is thrown as a `CliError`. */
export interface OperatorClient {
  /** The operations of `openapi/operator.yaml`; give their outcome to {@linkcode OperatorClient.read}. */
  http: Client<paths>;
  /** The data of a call whose answer has the given shape. */
  read: <T>(shape: Shape<T>, pending: Promise<{ data?: T; response: Response }>) => Promise<T>;
  /**
   * Posts JSON and yields the lines of an NDJSON answer as they arrive; see {@linkcode openLines}.
   *
   * @param onTotal is told how many sign-ups there are, where the service says it
   */
  lines: (
    path: keyof paths,
    body: unknown,
    onTotal?: (total: number) => void,
  ) => AsyncGenerator<string[]>;
}

/** Makes the client of a command. */
export function connectOperator(
  key: string,
  settings: Settings,
  context: Context,
): OperatorClient {
  const { baseUrl, timeout } = settings;
  const { clock } = context;
  const fetch = fetchOf(settings, context);
  const headers = { Authorization: `Bearer ${key}` };

  async function sendOrThrow(request: Request): Promise<Response> {
    const { data, error, headers } = await send(request, {
      timeout,
      maxWait: MAX_WAIT,
      clock,
      fetch,
    });
    if (error) throw toOperatorError(error);
    return Response.json(data, { headers });
  }

  return {
    http: createHttpClient<paths>({ baseUrl, headers, fetch: sendOrThrow }),
    async read(shape, pending) {
      const { data, response } = await pending;
      const field = firstInvalidField(shape, data);
      if (data !== undefined && field === undefined) return data;
      const message =
        `${baseUrl} answered JSON whose '${field}' is not as the operator surface has it`;
      throw toOperatorError({ kind: "unexpected", message, status: response.status });
    },
    lines(path, body, onTotal) {
      const request = new Request(`${baseUrl}${path}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return openLines(request, { timeout, clock, fetch, ...(onTotal && { onTotal }) });
    },
  };
}
