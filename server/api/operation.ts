import type { Environment } from "../environment.ts";
import type { Operation } from "../http/operation.ts";
import type { ApiFailure } from "./failure.ts";

/** Makes an operation for an environment; what never changes there is worked out only once. */
export type CreateOperation = (environment: Environment) => Operation<ApiFailure>;
