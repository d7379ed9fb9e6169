import type { Environment } from "../environment.ts";
import type { Failure } from "./failure.ts";

/** What an operation answers: JSON with 200, a redirect with 303, or a failure. */
export type Outcome =
  | { body: unknown; headers?: Record<string, string> }
  | { seeOther: string }
  | Failure;

/** One operation of the contract. */
export interface Operation {
  /** The accepted methods, as `Allow` lists them. */
  allow: "GET, HEAD" | "POST";
  /** Which of the environment's limits counts its accepted methods. */
  limit: keyof Environment["limits"];
  /** Headers of every answer on its path. */
  headers?: (environment: Environment) => Record<string, string>;
  /** Answers a request whose path, method and limit have been checked. */
  answer: (request: Request, environment: Environment) => Outcome | Promise<Outcome>;
}
