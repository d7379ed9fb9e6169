import type { Environment } from "../environment.ts";
import type { Operation } from "../http/operation.ts";
import type { PublicFailure } from "./failure.ts";

/** Makes an operation for an environment. It computes once what never changes in the environment. */
export type CreateOperation = (environment: Environment) => Operation<PublicFailure>;
