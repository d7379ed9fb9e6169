/**
 * The input of operations: validates it by the schemas, and describes the first fault. `calls.ts` calls the operations.
 *
 * @module
 */
import type { z } from "zod";
import type { Line } from "../../shared/lines.ts";
import type { OperationId } from "../../shared/roles.ts";
import { quote } from "../runtime/mod.ts";
import { DOCUMENTED_OPERATIONS } from "./documented.ts";
import type { OperatorFailure } from "./failure.ts";

/** The parts of a request from which an operation gets its input. */
export interface RequestParts {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body?: unknown;
  lines?: AsyncIterable<Line[]>;
}

/** The schemas of an operation's input. */
interface InputSchemas {
  query?: z.ZodObject;
  body?: z.ZodType;
}

/** Validates the parts of a request, and joins their members in one object, the input of the operation. */
export function validateInput(
  { query, body }: InputSchemas,
  parts: RequestParts,
): { input: Record<string, unknown> } | OperatorFailure {
  const parsedQuery = query?.safeParse(parts.query);
  if (parsedQuery && !parsedQuery.success) {
    return invalidInput(explainQuery(parsedQuery.error.issues, parts.query, query!));
  }
  const parsedBody = body?.safeParse(parts.body);
  if (parsedBody && !parsedBody.success) {
    return invalidInput(explainBody(parsedBody.error.issues, parts.body));
  }
  return {
    input: {
      ...parts.path,
      ...parsedQuery?.data,
      ...parsedBody?.data as object | undefined,
      ...parts.lines && { lines: parts.lines },
    },
  };
}

/** The names of the parameters in the path, by the id of the operation. */
const PATH_NAMES = new Map(DOCUMENTED_OPERATIONS.map(({ id, pathNames }) => [id, pathNames]));

/**
 * Splits the input of a call in this process into the parts that an HTTP request would have, so that it is validated
 * in the same way.
 */
export function splitInput(id: OperationId, { query }: InputSchemas, input: object): RequestParts {
  const { lines, ...members } = input as Record<string, unknown> & Pick<RequestParts, "lines">;
  const pathNames = PATH_NAMES.get(id) ?? [];
  const queryNames = Object.keys(query?.shape ?? {});
  const path: Record<string, string> = {};
  const queryMembers: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (pathNames.includes(name)) path[name] = value as string;
    else if (queryNames.includes(name)) queryMembers[name] = value;
    else body[name] = value;
  }
  return { path, query: queryMembers, body, ...lines && { lines } };
}

const invalidInput = (message: string): OperatorFailure => ({
  failure: "invalid_request",
  message,
});

/**
 * Describes the first fault of a JSON body. The schema's message says what to send, such as `give 1 to 100 characters`.
 */
function explainBody(issues: z.core.$ZodIssue[], body: unknown): string {
  const [issue] = issues;
  if (!issue || (issue.path.length === 0 && issue.code === "invalid_type")) {
    return "The body must be a JSON object.";
  }
  if (issue.code === "unrecognized_keys") {
    return `Field ${quote(issue.keys[0])} is not known here; leave it out.`;
  }
  const field = issue.path.join(".");
  return `Field ${quote(field)} is ${quote(valueAt(body, issue.path))}; ${issue.message}.`;
}

/** Gives the value at a path of member names in a body; `undefined` if the path leads to no value. */
const valueAt = (body: unknown, path: PropertyKey[]): unknown =>
  path.reduce(
    (value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name],
    body,
  );

/** Describes the first fault of a query. */
function explainQuery(
  issues: z.core.$ZodIssue[],
  query: RequestParts["query"],
  schema: z.ZodObject,
): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") {
    const knownNames = Object.keys(schema.shape).join(", ").replace(/, (?=\w+$)/, " or ");
    return `The parameter ${quote(issue.keys[0])} is not known here; give ${knownNames}.`;
  }
  const name = String(issue?.path[0]);
  return `The parameter ${name} is ${quote(query[name])}; ${issue?.message}.`;
}
