/**
 * The public API of one environment, as a surface of the pipeline (`http/pipeline.ts`). Each operation has
 * a file here; `failure.ts` has the error answers.
 *
 * @module
 */
import type { Environment } from "./environment.ts";
import {
  createPipeline,
  type Operation,
  type Pipeline,
  type PipelineOptions,
} from "../http/mod.ts";
import { describePublicFailure, type PublicFailure } from "./failure.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation, OperationOptions } from "./operation.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";
import { createAccessToken } from "./token.ts";
export * from "./environment.ts";
export { discoveryLinks } from "./service_index.ts";

const OPERATIONS: CreateOperation[] = [
  index,
  getStatus,
  createAccessToken,
  joinWaitlist,
  getWaitlistStats,
  joinWaitlistLegacy,
];

/** Makes the operations of an environment. */
export function createPublicOperations(
  environment: Environment,
  options: OperationOptions,
): Operation<PublicFailure>[] {
  return OPERATIONS.map((create) => {
    const operation = create(environment, options);
    return { ...operation, path: environment.pathPrefix + operation.path };
  });
}

/** Makes the API of an environment. */
export function createApi(
  environment: Environment,
  options: PipelineOptions & OperationOptions,
): Pipeline {
  const { name, pathPrefix, limits } = environment;
  return createPipeline({
    name,
    root: `${pathPrefix}/api`,
    operations: createPublicOperations(environment, options),
    limit: limits.other,
    describe: (failure) => describePublicFailure(failure, environment),
  }, options);
}
