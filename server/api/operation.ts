import type { Environment } from "./environment.ts";
import type { Operation, ShowError } from "../http/mod.ts";
import type { PublicFailure } from "./failure.ts";

/** What operations are given besides their environment. */
export interface OperationOptions {
  /** Makes what shows a refused sign-up form, which is posted to this path again. */
  showRefusedForm: (action: string) => ShowError;
  /** The origins of a company's own pages, whose scripts may sign people up. */
  embedOrigins: string[];
}

/** Makes an operation for an environment. It computes once what never changes in the environment. */
export type CreateOperation = (
  environment: Environment,
  options: OperationOptions,
) => Operation<PublicFailure>;
