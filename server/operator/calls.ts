/** Calls operations for HTTP and for the console: checks the role, validates the input by the schema, acts. @module */
import type { z } from "zod";
import type { Line } from "../../shared/lines.ts";
import { mayCall, type OperationId } from "../../shared/roles.ts";
import type { KeyHolder } from "../http/mod.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import { newAuditEntry } from "../store/audit/mod.ts";
import { type Kv, withinDeadline } from "../store/kv/mod.ts";
import { DOCUMENTED } from "./documented.ts";
import type { ForbiddenFailure, OperatorFailure } from "./failure.ts";
import type {
  Caller,
  InputOf,
  Operations,
  OperatorCall,
  OperatorOperation,
  OutcomeOf,
} from "./operation.ts";

/** The parts of a request from which an operation gets its input. */
export interface GivenInput {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body?: unknown;
  lines?: AsyncIterable<Line[]>;
}

export interface CallsOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  /** Makes the operations, which read and write the given KV. The calls of this KV may have a deadline. */
  operationsOn: (kv: Kv) => Operations;
  hashAddress: (kv: Kv, email: string) => Promise<string>;
  /** Counts a call that the role of the operator does not allow. */
  countRefusal: (operator: string) => void;
}

/** The operations as functions for one caller. */
export type CallableOperations = {
  [Id in OperationId]: (input: InputOf<Id>) => Promise<OutcomeOf<Id>>;
};

export type Calls = ReturnType<typeof createCalls>;

export function createCalls(
  { kv, operationsOn, hashAddress, countRefusal, now, random }: CallsOptions,
) {
  const operations = operationsOn(kv);

  const forbid = ({ name, role }: KeyHolder): ForbiddenFailure => {
    countRefusal(name);
    return { failure: "forbidden", role };
  };

  /** Gives a failure for an operation that the role of the operator does not allow; otherwise `undefined`. */
  function admit(operator: KeyHolder, id: OperationId): ForbiddenFailure | undefined {
    return mayCall(operator.role, id) ? undefined : forbid(operator);
  }

  function callOf(id: OperationId, { operator, requestId }: Caller, kv: Kv): OperatorCall {
    const auditEntry: OperatorCall["auditEntry"] = (details) => ({
      ...newAuditEntry(id, { now, random }),
      operator: operator.name,
      requestId,
      ...details && { details },
    });
    return {
      operator,
      requestId,
      auditEntry,
      async auditEntryOf(emails, details) {
        const entry = auditEntry(details);
        const [email, ...others] = new Set(emails);
        if (email === undefined || others.length > 0) return entry;
        return { ...entry, address: await hashAddress(kv, email) };
      },
      forbid: () => forbid(operator),
    };
  }

  /**
   * Performs an operation whose caller has been admitted: validates the given input, and acts. All calls of KV for one
   * operation share one deadline, except that an operation with a body of lines has a deadline for each call of KV.
   */
  async function perform<Id extends OperationId>(
    id: Id,
    given: GivenInput,
    caller: Caller,
  ): Promise<OutcomeOf<Id>> {
    const read = readInput(operations[id], given);
    if ("failure" in read) return read;
    const act = (kv: Kv) => {
      const operation: OperatorOperation<Id> = operationsOn(kv)[id];
      // The cast is right, because the schemas of the operation have validated the input.
      return operation.act(read.input as InputOf<Id>, callOf(id, caller, kv));
    };
    return given.lines ? await act(kv) : await withinDeadline(kv, act);
  }

  /** Gives the operations to a caller in this process, such as a page of the console. */
  function callableBy(caller: Caller): CallableOperations {
    const callables = Object.keys(operations).map((name) => {
      const id = name as OperationId;
      const call = (input: object) =>
        admit(caller.operator, id) ?? perform(id, splitInput(id, operations[id], input), caller);
      return [id, async (input: object) => await call(input)];
    });
    return Object.fromEntries(callables);
  }

  return { admit, perform, callableBy };
}

interface InputSchemas {
  query?: z.ZodObject;
  body?: z.ZodType;
}

function readInput(
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

const PATH_NAMES = new Map(DOCUMENTED.map(({ id, pathNames }) => [id, pathNames]));

/** Splits the input of a call in this process into the parts that a request would have. */
function splitInput(id: OperationId, { query }: InputSchemas, input: object): GivenInput {
  const { lines, ...members } = input as Record<string, unknown> & Pick<GivenInput, "lines">;
  const pathNames = PATH_NAMES.get(id) ?? [];
  const queryNames = Object.keys(query?.shape ?? {});
  const given = Object.entries(members);
  const pick = (fits: (name: string) => boolean) =>
    Object.fromEntries(given.filter(([name]) => fits(name)));
  return {
    path: pick((name) => pathNames.includes(name)) as Record<string, string>,
    query: pick((name) => queryNames.includes(name)),
    body: pick((name) => !pathNames.includes(name) && !queryNames.includes(name)),
    ...lines && { lines },
  };
}

const invalid = (message: string): OperatorFailure => ({ failure: "invalid_request", message });

/** Describes the first fault of a JSON body. The schema's message says what to send, as `give 1 to 100 characters`. */
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
