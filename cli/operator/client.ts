/**
 * The operator surface, as commands use it: calls by the operations of its OpenAPI document, which says
 * their methods and paths and what their answers must look like.
 *
 * @module
 */
import { statusFrom } from "../../shared/api_failure.ts";
import type { operations } from "../../shared/generated/operator.ts";
import { send } from "../../shared/send.ts";
import type { Access } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, toOperatorError, UsageError } from "../errors.ts";
import { fetchOf } from "../http_log.ts";
import { readSecret } from "../secrets.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "../settings.ts";
import type { OperationId } from "../../shared/roles.ts";
import { locateOperation, openAnswerCheck } from "./document.ts";
import { openLines } from "./lines.ts";

/** The longest sum of `Retry-After` that a call waits out, in milliseconds: a whole window. */
const MAX_WAIT = 61_000;

/** What a call of an operation sends: parameters and body, by the generated types. */
export type CallInput<Id extends OperationId> =
  & Pick<operations[Id]["parameters"], "path" | "query">
  & BodyOf<operations[Id]>;

type BodyOf<Operation> = Operation extends
  { requestBody: { content: { "application/json": infer Body } } } ? { body: Body }
  : Operation extends { requestBody: { content: { "application/x-ndjson": unknown } } }
  /** The body as it is, one JSON value a line. */
    ? { lines: string }
  : unknown;

/** The data of an operation's success, by the generated types. */
export type AnswerOf<Id extends OperationId> = operations[Id]["responses"] extends
  { 200: Json<infer Answer> } ? Answer
  : operations[Id]["responses"] extends { 201: Json<infer Answer> } ? Answer
  : never;

interface Json<Answer> {
  content: { "application/json": Answer };
}

/** How a call of an operation is made. */
export interface OperationTiming {
  /** How long the service may take for the operation, in milliseconds; `--timeout` counts if it is longer. */
  takes?: number;
}

/** The operator surface; every failure of a call is thrown as a `CliError`. */
export interface OperatorClient {
  /** Calls an operation; gives its data once they fit the document. */
  call: <Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    timing?: OperationTiming,
  ) => Promise<AnswerOf<Id>>;
  /**
   * Calls an operation and yields the lines of its NDJSON answer as they arrive, unchecked; see
   * {@linkcode openLines}.
   *
   * @param onTotal is told how many sign-ups there are, where the service says it
   */
  lines: <Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    onTotal?: (total: number) => void,
  ) => AsyncGenerator<string[]>;
}

/** The access of the operator's commands. */
export const OPERATOR: Access<OperatorClient> = {
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

/** Reads the operator key; from here on it is hidden in all output. */
async function readKey(fromStdin: boolean, context: Context): Promise<string> {
  const key = await readSecret({
    name: "operator key",
    variable: "WAITLIST_OPERATOR_KEY",
    stdinFlag: "--key-stdin",
    fromStdin,
    question: "Operator key",
  }, context);
  // A header can carry these characters only. The message does not quote the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      "The operator key is empty or has a character that no key can have; " +
        "set WAITLIST_OPERATOR_KEY to the service's OPERATOR_KEY or one of its OPERATOR_KEYS",
    );
  }
  context.hide(key);
  return key;
}

function connectOperator(key: string, settings: Settings, context: Context): OperatorClient {
  const { baseUrl, timeout } = settings;
  const { clock } = context;
  const fetch = fetchOf(settings, context);
  const headers = { Authorization: `Bearer ${key}` };

  return {
    async call(id, input, { takes = 0 } = {}) {
      const request = makeRequest(id, input, { baseUrl, headers });
      const [{ data, error }, check] = await Promise.all([
        send(request, { timeout: Math.max(timeout, takes), maxWait: MAX_WAIT, clock, fetch }),
        openAnswerCheck(),
      ]);
      if (error) throw toOperatorError(error);
      const [fault] = check(id, data);
      if (fault === undefined) return data as never;
      throw new CliError(
        `The answer does not fit the operator surface's document: ${fault} ${
          statusFrom(200, baseUrl)
        }; use the service and this program in the same version`,
        EXIT.failedCheck,
      );
    },
    lines(id, input, onTotal) {
      const request = makeRequest(id, input, { baseUrl, headers });
      return openLines(request, { timeout, clock, fetch, ...(onTotal && { onTotal }) });
    },
  };
}

function makeRequest(
  id: OperationId,
  input: {
    path?: object | undefined;
    query?: object | undefined;
    body?: unknown;
    lines?: string;
  },
  { baseUrl, headers }: { baseUrl: string; headers: Record<string, string> },
): Request {
  const { method, path } = locateOperation(id);
  const filled = Object.entries(input.path ?? {}).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const url = new URL(baseUrl + filled);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const content: [type: string, text: string] | undefined = input.lines !== undefined
    ? ["application/x-ndjson", input.lines]
    : input.body !== undefined
    ? ["application/json", JSON.stringify(input.body)]
    : undefined;
  if (!content) return new Request(url, { method, headers });
  const [type, body] = content;
  return new Request(url, { method, headers: { ...headers, "Content-Type": type }, body });
}
