/**
 * The operator surface: the operators' work over HTTP. It is off unless there is an operator's key. It is a
 * surface of the pipeline (`http/pipeline.ts`): operations have files here, and `failure.ts` has the error
 * answers.
 *
 * @module
 */
import { timingSafeEqual } from "node:crypto";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { Operator } from "../config/mod.ts";
import { digestSha256, type Repeat } from "../runtime/mod.ts";
import {
  createPipeline,
  isAmbiguousPath,
  type Operation,
  type Pipeline,
  type PipelineOptions,
} from "../http/mod.ts";
import { LIMITS } from "../limits/mod.ts";
import {
  backUpOperation,
  beginRestoreOperation,
  finishRestoreOperation,
  repairCountersOperation,
  restoreLinesOperation,
  verifyCountersOperation,
} from "./backup/mod.ts";
import {
  createClientOperation,
  disableClientOperation,
  enableClientOperation,
  listClientsOperation,
  rotateClientOperation,
  rotateKeysOperation,
} from "./clients/mod.ts";
import {
  eraseSignupOperation,
  eraseSignupsOperation,
  exportSignupsOperation,
  importSignupsOperation,
  inviteSignupsOperation,
  listSignupsOperation,
  markUndeliverableOperation,
  remindSignupsOperation,
  showSignupOperation,
} from "./signups/mod.ts";
import { countFailedSignIns, readAuditLogOperation } from "./audit/mod.ts";
import { describeOperatorFailure, type OperatorFailure } from "./failure.ts";
import { listOutboxOperation, retryOutboxOperation, testWebhookOperation } from "./outbox/mod.ts";
import { getOverviewOperation } from "./overview.ts";
import type { CreateOperatorOperation, OperatorDependencies } from "./operation.ts";
export { createOperatorStore } from "./operation.ts";

const OPERATIONS: CreateOperatorOperation[] = [
  getOperatorDocument,
  listClientsOperation,
  createClientOperation,
  rotateClientOperation,
  disableClientOperation,
  enableClientOperation,
  rotateKeysOperation,
  exportSignupsOperation,
  showSignupOperation,
  eraseSignupOperation,
  importSignupsOperation,
  listSignupsOperation,
  remindSignupsOperation,
  markUndeliverableOperation,
  eraseSignupsOperation,
  inviteSignupsOperation,
  getOverviewOperation,
  listOutboxOperation,
  retryOutboxOperation,
  testWebhookOperation,
  verifyCountersOperation,
  repairCountersOperation,
  backUpOperation,
  beginRestoreOperation,
  restoreLinesOperation,
  finishRestoreOperation,
  readAuditLogOperation,
];

/** `getOperatorDocument`: the OpenAPI document of this surface. */
function getOperatorDocument({ baseUrl }: OperatorDependencies): Operation<OperatorFailure> {
  const json = JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
  const path = "/operator/v1/openapi.json";
  return { id: "getOperatorDocument", method: "GET", path, body: "none", act: () => ({ json }) };
}

/** Makes the operations of the operator surface. */
export function createOperatorOperations(
  dependencies: OperatorDependencies,
): Operation<OperatorFailure>[] {
  return OPERATIONS.map((create) => create(dependencies));
}

/** The operator surface. */
export interface OperatorSurface extends Pipeline {
  /** Writes to the audit log what only memory has. Call it after the last answer. */
  close: () => Promise<void>;
}

/** Makes the operator surface for some operators. */
export function createOperator(
  operators: Operator[],
  dependencies: OperatorDependencies & { repeat: Repeat },
  options: PipelineOptions,
): OperatorSurface {
  const failedSignIns = countFailedSignIns({ ...dependencies, log: options.log });
  const findOperator = createKeyCheck(operators);
  const pipeline = createPipeline({
    name: "operator",
    root: "/operator/v1",
    operations: createOperatorOperations(dependencies),
    limit: LIMITS.operator,
    key: {
      findHolder(authorization) {
        const operator = findOperator(authorization);
        if (operator === undefined) failedSignIns.count();
        return operator;
      },
      limitWithout: LIMITS.default,
    },
    describe: describeOperatorFailure,
  }, options);
  return {
    ...pipeline,
    // A path that a proxy may have read as another one does not belong to the surface (decisions).
    owns: (path) => pipeline.owns(path) && !isAmbiguousPath(path),
    close: failedSignIns.close,
  };
}

/**
 * Makes the function that finds the operator whose key an `Authorization: Bearer` header holds. It compares
 * digests in constant time, and always with every key, so that the time shows neither how much of a key is
 * right, nor its length, nor whose it is.
 */
function createKeyCheck(
  operators: Operator[],
): (authorization: string | null) => string | undefined {
  const known = operators.map(({ name, key }) => ({ name, digest: digestSha256(key) }));
  return (authorization) => {
    const given = digestSha256(/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
    return known.filter(({ digest }) => timingSafeEqual(given, digest))[0]?.name;
  };
}
