/**
 * Calls operations for HTTP and for the console: checks the role of the operator, lets `input.ts` validate the input,
 * and runs the operation.
 *
 * @module
 */
import { mayCall, type OperationId } from "../../shared/roles.ts";
import type { AuthenticatedOperator } from "../http/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { newAuditEntry } from "../store/audit/mod.ts";
import { type Kv, withinDeadline } from "../store/kv/mod.ts";
import type { ForbiddenFailure } from "./failure.ts";
import { type RequestParts, splitInput, validateInput } from "./input.ts";
import type {
  Caller,
  InputOf,
  Operations,
  OperatorCall,
  OperatorOperation,
  OutcomeOf,
} from "./operation.ts";

/** What {@linkcode createCalls} needs. */
export interface CallsOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  /** Makes the operations, which read and write through the given KV. The KV may limit the time of its calls. */
  operationsOn: (kv: Kv) => Operations;
  hashAddress: (kv: Kv, email: string) => Promise<string>;
  /** Counts a call that the role of the operator does not allow. @param operator the name of the operator */
  countRefusal: (operator: string) => void;
}

/** All operations by their ids, as functions that one caller may call. */
export type CallableOperations = {
  [Id in OperationId]: (input: InputOf<Id>) => Promise<OutcomeOf<Id>>;
};

/** The functions through which HTTP and the console call operations. */
export interface Calls {
  /** Returns the failure of an operation that the role of the operator does not allow; otherwise `undefined`. */
  checkRole: (operator: AuthenticatedOperator, id: OperationId) => ForbiddenFailure | undefined;
  /**
   * Validates the input, and runs the operation. `checkRole` must have allowed the call before. All calls of KV
   * until the operation gives its result share one deadline. In three cases each call of KV has a deadline of its own:
   * in an operation with a body of lines, in long work (`longKv`), and while the lines of an answer are made.
   */
  perform: <Id extends OperationId>(
    id: Id,
    parts: RequestParts,
    caller: Caller,
  ) => Promise<OutcomeOf<Id>>;
  /** Gives the operations as functions to a caller in this process, such as a page of the console. */
  callableBy: (caller: Caller) => CallableOperations;
}

/** Makes the functions through which HTTP and the console call operations. */
export function createCalls(
  { kv, operationsOn, hashAddress, countRefusal, now, random }: CallsOptions,
): Calls {
  // Only the ids and the schemas of these operations are used. Each call makes its operations again, with its own KV.
  const operations = operationsOn(kv);

  const forbid = ({ name, role }: AuthenticatedOperator): ForbiddenFailure => {
    countRefusal(name);
    return { failure: "forbidden", role };
  };

  function checkRole(
    operator: AuthenticatedOperator,
    id: OperationId,
  ): ForbiddenFailure | undefined {
    return mayCall(operator.role, id) ? undefined : forbid(operator);
  }

  /** Makes the values that an operation gets in addition to its input. */
  function createCall(id: OperationId, { operator, requestId }: Caller, kv: Kv): OperatorCall {
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
      async auditEntryAbout(emails, details) {
        const entry = auditEntry(details);
        const [email, ...otherEmails] = new Set(emails);
        if (email === undefined || otherEmails.length > 0) return entry;
        return { ...entry, address: await hashAddress(kv, email) };
      },
      forbid: () => forbid(operator),
    };
  }

  async function perform<Id extends OperationId>(
    id: Id,
    parts: RequestParts,
    caller: Caller,
  ): Promise<OutcomeOf<Id>> {
    const validated = validateInput(operations[id], parts);
    if ("failure" in validated) return validated;
    const run = (kv: Kv) => {
      const operation: OperatorOperation<Id> = operationsOn(kv)[id];
      // The cast is right, because the schemas of the operation have validated the input.
      return operation.act(validated.input as InputOf<Id>, createCall(id, caller, kv));
    };
    return parts.lines ? await run(kv) : await withinDeadline(kv, run);
  }

  function callableBy(caller: Caller): CallableOperations {
    // The cast is needed because the type of `Object.keys()` is a list of plain strings.
    const ids = Object.keys(operations) as OperationId[];
    const callables = ids.map((id) => {
      const call = async (input: object) =>
        checkRole(caller.operator, id) ??
          await perform(id, splitInput(id, operations[id], input), caller);
      return [id, call];
    });
    return Object.fromEntries(callables);
  }

  return { checkRole, perform, callableBy };
}
