/**
 * The type of the functions that make the operations of the public API. Each operation has a file with such a function.
 * @module
 */
import type { Operation, ShowError } from "../http/mod.ts";
import type { Environment } from "./environment.ts";
import type { PublicFailure } from "./failure.ts";

/** The options that operations have in both environments. */
export interface OperationOptions {
  /** Makes the function that shows a refused sign-up form. @param action the path to which the form is posted again */
  showRefusedForm: (action: string) => ShowError;
  /** The origins of the company's own pages, whose scripts may sign people up. */
  embedOrigins: string[];
}

/**
 * Makes an operation for production or for the sandbox. The function is called once for each of them, so it computes
 * values that are the same for all requests only once.
 */
export type CreateOperation = (
  environment: Environment,
  options: OperationOptions,
) => Operation<PublicFailure>;
