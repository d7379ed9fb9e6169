import type { Environment } from "./environment.ts";
import type { Operation } from "../http/mod.ts";
import type { ShowRefusedForm } from "../waitlist/mod.ts";
import type { PublicFailure } from "./failure.ts";

/** What operations are given besides their environment. */
export interface OperationOptions {
  showRefusedForm: ShowRefusedForm;
}

/** Makes an operation for an environment. It computes once what never changes in the environment. */
export type CreateOperation = (
  environment: Environment,
  options: OperationOptions,
) => Operation<PublicFailure>;
