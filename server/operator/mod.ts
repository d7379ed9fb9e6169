/** The operations of operators, and their HTTP surface. Both are off if no operator has a key. @module */
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { OperationId } from "../../shared/roles.ts";
import type { Operator } from "../config/mod.ts";
import {
  type AuthenticatedOperator,
  type ConnectionInfo,
  createClientAddressFinder,
  createPipeline,
  isAmbiguousPath,
  parseAddress,
  type Pipeline,
  type PipelineOptions,
  type RequestFailure,
} from "../http/mod.ts";
import { type ClientAddress, LIMITS } from "../limits/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Kv } from "../store/kv/mod.ts";
import { type CallableOperations, createCalls } from "./calls.ts";
import { answerForOperatorFailure, type OperatorFailure } from "./failure.ts";
import { createHttpOperations } from "./http_surface.ts";
import { createKeyCheck } from "./key_check.ts";
import type { Caller } from "./operation.ts";
import { createOperations, type OperationsOptions, type OperatorStores } from "./operations.ts";
import { startRefusalCounter } from "./refusals.ts";
export type { CallableOperations } from "./calls.ts";
export { describeOperatorFailure, type OperatorFailure } from "./failure.ts";
export type { Caller, InputOf, LongWork, ResultOf } from "./operation.ts";
export type { OperatorStores } from "./operations.ts";

/** The header in which a company's own server passes on the IP address of a visitor. */
const CLIENT_ADDRESS_HEADER = "waitlist-client-address";

/** The result of a test of a key: the operator to whom the key belongs, or the failure. */
export type KeyTest =
  | { operator: AuthenticatedOperator }
  | Extract<RequestFailure, { failure: "forbidden" | "unauthorized" | "rate_limited" }>;

/** What {@linkcode createOperatorSurface} needs. */
export interface OperatorOptions
  extends PipelineOptions, Omit<OperationsOptions, "now" | "random" | "repeat"> {
  runtime: Runtime;
  operators: Operator[];
  kv: Kv;
  /** Makes the parts of the store that operations use. They read and write through the given KV. */
  storesOn: (kv: Kv) => OperatorStores;
}

/** The operations of operators, over HTTP and for callers in this process. */
export interface OperatorSurface extends Pipeline {
  /** Gives the operations as functions to a caller in this process. */
  callableBy: (caller: Caller) => CallableOperations;
  /**
   * Tests a key as if a request called the operation `id` with this key. The test counts as a request for the limit of
   * the client's address. A test with a wrong key counts as a refused call in the audit log.
   */
  testKey: (key: string, request: Request, info: ConnectionInfo, id: OperationId) => KeyTest;
  /**
   * Finds the visitor's IP address that a company's server passes on with its call; `undefined` if the call passes on
   * no IP address, or does not have the key of an operator with the role `product`.
   */
  passedOnAddress: (headers: Headers) => ClientAddress | undefined;
  /** Writes the counts of refused calls to the audit log. To be called after the last answer. */
  close: () => Promise<void>;
}

/** Makes the operations and their HTTP surface; `undefined` if no operator has a key. */
export function createOperatorSurface(options: OperatorOptions): OperatorSurface | undefined {
  const { runtime, operators, kv, storesOn, countRequest, trustedProxyHops, observer } = options;
  const { log, now, random, repeat } = runtime;
  if (operators.length === 0) return undefined;
  const { writeAuditEntry } = storesOn(kv).audit;
  const refusalCounter = startRefusalCounter({ writeAuditEntry, log, now, random, repeat });
  const calls = createCalls({
    kv,
    operationsOn: (callKv) =>
      createOperations(storesOn(callKv), {
        baseUrl: options.baseUrl,
        contact: options.contact,
        selfServiceUrls: options.selfServiceUrls,
        answers: options.answers,
        unconfirmedDays: options.unconfirmedDays,
        makeOverviewWarnings: options.makeOverviewWarnings,
        sender: options.sender,
        sendTestLetter: options.sendTestLetter,
        sendTestEvent: options.sendTestEvent,
        yieldToCalls: options.yieldToCalls,
        now,
        random,
        repeat,
      }),
    hashAddress: (callKv, email) => storesOn(callKv).people.hashAddress(email),
    countRefusal: refusalCounter.count,
    now,
    random,
  });
  const findOperatorByKey = createKeyCheck(operators);
  const addressOf = createClientAddressFinder(trustedProxyHops);
  const hasProductKey = operators.some(({ role }) => role === "product");

  /** Finds the operator to whom a key belongs, and counts a missing or wrong key as a refused call. */
  function findOperator(authorization: string | null): AuthenticatedOperator | undefined {
    const operator = findOperatorByKey(authorization);
    if (operator === undefined) refusalCounter.count();
    return operator;
  }
  const pipeline = createPipeline<OperatorFailure>({
    name: "operator",
    root: "/operator/v1",
    paths: document.paths,
    operations: createHttpOperations(calls),
    limit: LIMITS.operator,
    keyCheck: {
      findOperator,
      checkRole: (operator, id) => calls.checkRole(operator, id as OperationId),
      limitWithoutKey: LIMITS.default,
    },
    answerForFailure: answerForOperatorFailure,
  }, { runtime, countRequest, trustedProxyHops, observer });
  return {
    ...pipeline,
    // This surface does not answer ambiguous paths, because a proxy that blocks the surface may read such a path as
    // another path.
    owns: (path: string) => pipeline.owns(path) && !isAmbiguousPath(path),
    callableBy: calls.callableBy,
    testKey(key, request, info, id) {
      const operator = findOperator(`Bearer ${key}`);
      const limit = operator === undefined ? LIMITS.default : LIMITS.operator;
      const { allowed, reset } = countRequest(limit, addressOf(request, info));
      if (!allowed) return { failure: "rate_limited", retryAfter: reset };
      if (operator === undefined) return { failure: "unauthorized" };
      return calls.checkRole(operator, id) ?? { operator };
    },
    passedOnAddress(headers) {
      const visitorAddress = hasProductKey && headers.get(CLIENT_ADDRESS_HEADER);
      if (!visitorAddress) return undefined;
      const operator = findOperatorByKey(headers.get("authorization"));
      return operator?.role === "product" ? parseAddress(visitorAddress) : undefined;
    },
    close: refusalCounter.close,
  };
}
