/**
 * The public API of one environment. Each operation has a file, and `http/pipeline.ts` answers the requests. @module
 */
import document from "../../shared/generated/public.json" with { type: "json" };
import type { operations } from "../../shared/generated/public.ts";
import { createPipeline, type Pipeline, type PipelineOptions } from "../http/mod.ts";
import type { Environment } from "./environment.ts";
import { answerForPublicFailure } from "./failure.ts";
import { joinWaitlist, joinWaitlistLegacy } from "./join_waitlist.ts";
import type { CreateOperation, OperationOptions } from "./operation.ts";
import { index } from "./service_index.ts";
import { getWaitlistStats } from "./stats.ts";
import { getStatus } from "./status.ts";
import { createAccessToken } from "./token.ts";
export { createProduction, createSandbox, type Environment } from "./environment.ts";
export { discoveryLinks } from "./service_index.ts";

/**
 * The operations by `operationId`. The ids that begin with `head` are left out, because the operation of GET answers
 * HEAD.
 */
const OPERATIONS: Record<Exclude<keyof operations, `head${string}`>, CreateOperation> = {
  index,
  getStatus,
  createAccessToken,
  joinWaitlist,
  getWaitlistStats,
  joinWaitlistLegacy,
};

/** What {@linkcode createApi} needs. */
export interface ApiOptions extends PipelineOptions, OperationOptions {
  environment: Environment;
}

/** Makes the API of an environment. */
export function createApi(options: ApiOptions): Pipeline {
  const { environment, showRefusedForm, embedOrigins } = options;
  const { runtime, countRequest, trustedProxyHops, observer } = options;
  const { name, pathPrefix, limits } = environment;
  const operations = Object.entries(OPERATIONS).map(([id, createOperation]) => {
    return [id, createOperation(environment, { showRefusedForm, embedOrigins })] as const;
  });
  return createPipeline({
    name,
    root: `${pathPrefix}/api`,
    paths: document.paths,
    pathPrefix,
    operations: Object.fromEntries(operations),
    limit: limits.otherCalls,
    answerForFailure: (failure) => answerForPublicFailure(failure, environment),
  }, { runtime, countRequest, trustedProxyHops, observer });
}
