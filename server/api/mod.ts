/** The public API of one environment, as a surface of the pipeline (`http/pipeline.ts`), a file an operation. @module */
import document from "../../shared/generated/public.json" with { type: "json" };
import type { operations } from "../../shared/generated/public.ts";
import { createPipeline, type PipelineOptions } from "../http/mod.ts";
import type { Environment } from "./environment.ts";
import { describePublicFailure } from "./failure.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation, OperationOptions } from "./operation.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";
import { createAccessToken } from "./token.ts";
export * from "./environment.ts";
export { discoveryLinks } from "./service_index.ts";

/** The operations by their ids; those for HEAD are the same as for GET. */
const OPERATIONS: Record<Exclude<keyof operations, `head${string}`>, CreateOperation> = {
  index,
  getStatus,
  createAccessToken,
  joinWaitlist,
  getWaitlistStats,
  joinWaitlistLegacy,
};

export interface ApiOptions extends PipelineOptions, OperationOptions {
  environment: Environment;
}

export function createApi(options: ApiOptions) {
  const { environment, showRefusedForm, embedOrigins } = options;
  const { runtime, countRequest, trustedProxyHops, observer } = options;
  const { name, pathPrefix, limits } = environment;
  const operations = Object.entries(OPERATIONS)
    .map(([id, create]) => [id, create(environment, { showRefusedForm, embedOrigins })] as const);
  return createPipeline({
    name,
    root: `${pathPrefix}/api`,
    paths: document.paths,
    pathPrefix,
    operations: Object.fromEntries(operations),
    limit: limits.other,
    describe: (failure) => describePublicFailure(failure, environment),
  }, { runtime, countRequest, trustedProxyHops, observer });
}
