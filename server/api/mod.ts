/**
 * The public API of one environment, as a surface of the pipeline (`http/pipeline.ts`). Each operation has
 * a file here; `failure.ts` has the error answers.
 *
 * @module
 */
import type { Environment } from "../environment.ts";
import { createPipeline, type Pipeline, type PipelineOptions } from "../http/pipeline.ts";
import { describePublicFailure } from "./failure.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation } from "./operation.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";
import { createAccessToken } from "./token.ts";

const OPERATIONS: CreateOperation[] = [
  index,
  getStatus,
  createAccessToken,
  joinWaitlist,
  getWaitlistStats,
  joinWaitlistLegacy,
];

/** Makes the API of an environment. */
export function createApi(environment: Environment, options: PipelineOptions): Pipeline {
  const { name, pathPrefix, limits } = environment;
  const operations = OPERATIONS.map((create) => create(environment));
  return createPipeline({
    name,
    root: `${pathPrefix}/api`,
    operations: operations.map((operation) => ({
      ...operation,
      path: pathPrefix + operation.path,
    })),
    limit: limits.other,
    describe: (failure) => describePublicFailure(failure, environment),
  }, options);
}
