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
export interface GivenInput {
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
  given: GivenInput,
): { input: Record<string, unknown> } | OperatorFailure {
  const parameters = query?.safeParse(given.query);
  if (parameters && !parameters.success) {
    return invalid(explainQuery(parameters.error.issues, given.query, query!));
  }
  const members = body?.safeParse(given.body);
  if (members && !members.success) return invalid(explainBody(members.error.issues, given.body));
  return {
    input: {
      ...given.path,
      ...parameters?.data,
      ...members?.data as object | undefined,
      ...given.lines && { lines: given.lines },
    },
  };
}

const PATH_NAMES = new Map(DOCUMENTED_OPERATIONS.map(({ id, pathNames }) => [id, pathNames]));

/**
 * Splits the input of a call in this process into the parts that an HTTP request would have, so that it is validated
 * in the same way.
 */
export function splitInput(id: OperationId, { query }: InputSchemas, input: object): GivenInput {
  const { lines, ...members } = input as Record<string, unknown> & Pick<GivenInput, "lines">;
  const pathNames = PATH_NAMES.get(id) ?? [];
  const queryNames = Object.keys(query?.shape ?? {});
  const entries = Object.entries(members);
  const pick = (fits: (name: string) => boolean) =>
    Object.fromEntries(entries.filter(([name]) => fits(name)));
  return {
    path: pick((name) => pathNames.includes(name)) as Record<string, string>,
    query: pick((name) => queryNames.includes(name)),
    body: pick((name) => !pathNames.includes(name) && !queryNames.includes(name)),
    ...lines && { lines },
  };
}

const invalid = (message: string): OperatorFailure => ({ failure: "invalid_request", message });

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
  const value = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown>)?.[key],
    body,
  );
  return `Field ${quote(field)} is ${quote(value)}; ${issue.message}.`;
}

/** Describes the first fault of a query. */
function explainQuery(
  issues: z.core.$ZodIssue[],
  given: GivenInput["query"],
  schema: z.ZodObject,
): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") {
    const known = Object.keys(schema.shape).join(", ").replace(/, (?=\w+$)/, " or ");
    return `The parameter ${quote(issue.keys[0])} is not known here; give ${known}.`;
  }
  const name = String(issue?.path[0]);
  return `The parameter ${name} is ${quote(given[name])}; ${issue?.message}.`;
}
