import type { Environment } from "../environment.ts";
import type { MaybePromise } from "../maybe_promise.ts";
import type { Failure } from "./failure.ts";
import type { JsonAnswer } from "./json_answer.ts";

/** What an operation answers: JSON text with 200, a redirect with 303, or a failure. */
export type Outcome =
  | JsonAnswer
  | { seeOther: string }
  | Failure;

/** One operation of the contract, in one environment. */
export interface Operation {
  /** The accepted methods, as `Allow` lists them. */
  allow: "GET, HEAD" | "POST";
  /** Which of the environment's limits counts its accepted methods. */
  limit: keyof Environment["limits"];
  /** Headers of every answer on its path. */
  headers?: Record<string, string>;
  /** Answers a request whose limit, path and method have been checked. */
  answer: (request: Request) => MaybePromise<Outcome>;
}

/** Makes an operation for an environment; what never changes there is worked out only once. */
export type CreateOperation = (environment: Environment) => Operation;
