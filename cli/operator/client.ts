/**
 * How commands reach the operator surface: with the operator key, by the operations of its OpenAPI document. The
 * document gives the methods and paths. Every JSON answer is checked against the document; `checked_lines.ts` checks
 * the lines of NDJSON answers.
 *
 * @module
 */
import { statusFrom } from "../../shared/api_failure.ts";
import type { operations } from "../../shared/generated/operator.ts";
import type { OperationId } from "../../shared/roles.ts";
import { send } from "../../shared/send.ts";
import type { Access } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, toOperatorError, UsageError } from "../errors.ts";
import { chooseFetch } from "../http_log.ts";
import { readSecret } from "../secrets.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "../settings.ts";
import { loadAnswerCheck, locateOperation } from "./document.ts";
import { readNdjson } from "./ndjson.ts";

/**
 * The longest time that a call waits because of `Retry-After`, in milliseconds. It is a little longer than a window of
 * the request limit, so that the limit has started anew after the wait.
 */
const MAX_WAIT_MS = 61_000;

/** The type of an operation's parameters and body, from the generated types. */
export type CallInput<Id extends OperationId> =
  & Pick<operations[Id]["parameters"], "path" | "query">
  & BodyOf<operations[Id]>;

/** The body of an operation: `body` as a value that becomes JSON, or `lines` as a text of NDJSON. */
type BodyOf<Operation> = Operation extends
  { requestBody: { content: { "application/json": infer Body } } } ? { body: Body }
  : Operation extends { requestBody: { content: { "application/x-ndjson": unknown } } }
    ? { lines: string }
  : unknown;

/** The type of the JSON in an operation's successful answer, from the generated types. */
export type AnswerOf<Id extends OperationId> = operations[Id]["responses"] extends
  { 200: Json<infer Answer> } ? Answer
  : operations[Id]["responses"] extends { 201: Json<infer Answer> } ? Answer
  : never;

interface Json<Answer> {
  content: { "application/json": Answer };
}

/** The options of a call. */
export interface OperatorCallOptions {
  /**
   * The shortest time limit of the call, in milliseconds, for an operation that takes long. A longer `--timeout` takes
   * its place.
   */
  minTimeoutMs?: number;
}

/** The operations of the operator surface. Every failed call throws a `CliError`. */
export interface OperatorClient {
  /** Calls an operation, checks its answer against the document, and returns the data. */
  call: <Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options?: OperatorCallOptions,
  ) => Promise<AnswerOf<Id>>;
  /**
   * Calls an operation and yields the lines of its NDJSON answer as they arrive, without a check; see {@linkcode
   * readNdjson}.
   *
   * @param onTotal is called with the number of sign-ups, if the answer has the header `X-Total-Count`
   */
  lines: <Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    onTotal?: (total: number) => void,
  ) => AsyncGenerator<string[]>;
}

/** The access of the operator's commands. */
export const OPERATOR_ACCESS: Access<OperatorClient> = {
  declare(command) {
    command.option("--key-stdin", "read the operator key from standard input");
    addInsecureFlag(command);
  },
  prepare({ flags }, settings, context) {
    refuseClearText("The operator key", settings);
    return async () =>
      connectOperator(await readKey(flags.keyStdin === true, context), settings, context);
  },
};

/** Reads the operator key, and hides it in all later output. */
async function readKey(fromStdin: boolean, context: Context): Promise<string> {
  const key = await readSecret({
    name: "operator key",
    variable: "WAITLIST_OPERATOR_KEY",
    stdinFlag: "--key-stdin",
    fromStdin,
    question: "Operator key",
  }, context);
  // The service accepts only keys of these characters. The message does not quote the key, because the key is a secret.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      "The operator key is empty, or has a character that no operator key has, such as a space; " +
        "set WAITLIST_OPERATOR_KEY to the value of the service's OPERATOR_KEY, or to one of the keys in the " +
        "service's OPERATOR_KEYS",
    );
  }
  context.hide(key);
  return key;
}

function connectOperator(key: string, settings: Settings, context: Context): OperatorClient {
  const { baseUrl, timeout } = settings;
  const { clock } = context;
  const fetch = chooseFetch(settings, context);
  const headers = { Authorization: `Bearer ${key}` };

  return {
    async call(id, input, { minTimeoutMs = 0 } = {}) {
      const request = makeRequest(id, input, { baseUrl, headers });
      const [{ data, error }, check] = await Promise.all([
        send(request, {
          timeout: Math.max(timeout, minTimeoutMs),
          maxWait: MAX_WAIT_MS,
          clock,
          fetch,
        }),
        loadAnswerCheck(),
      ]);
      if (error) throw toOperatorError(error);
      const [fault] = check(id, data);
      // The cast is safe, because `check()` has compared the data with the document, and the types come from the
      // document.
      if (fault === undefined) return data as never;
      throw new CliError(
        `The answer has the fault '${fault}' ${
          statusFrom(200, baseUrl)
        }, so the answer does not fit the ` +
          "OpenAPI document of the operator surface; use the same version of the service and of this program",
        EXIT.failedCheck,
      );
    },
    lines(id, input, onTotal) {
      const request = makeRequest(id, input, { baseUrl, headers });
      return readNdjson(request, { timeout, clock, fetch, ...(onTotal && { onTotal }) });
    },
  };
}

/** The parameters and the body of any operation. */
interface AnyInput {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  lines?: string;
}

function makeRequest(
  id: OperationId,
  input: AnyInput,
  { baseUrl, headers }: { baseUrl: string; headers: Record<string, string> },
): Request {
  const { method, path } = locateOperation(id);
  const url = urlOf(baseUrl + path, input);
  const content = contentOf(input);
  if (!content) return new Request(url, { method, headers });
  const { type, body } = content;
  return new Request(url, { method, headers: { ...headers, "Content-Type": type }, body });
}

/** Puts the parameters into a URL, which has `{name}` in place of each parameter of the path. */
function urlOf(template: string, { path = {}, query = {} }: AnyInput): URL {
  let filled = template;
  for (const [name, value] of Object.entries(path)) {
    filled = filled.replace(`{${name}}`, encodeURIComponent(value));
  }
  const url = new URL(filled);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}

/** Returns the body with its media type; `undefined` for an operation without a body. */
function contentOf({ body, lines }: AnyInput): { type: string; body: string } | undefined {
  if (lines !== undefined) return { type: "application/x-ndjson", body: lines };
  if (body !== undefined) return { type: "application/json", body: JSON.stringify(body) };
  return undefined;
}
