import { z } from "zod";
import type { BodyFailure, Call, Operation, Outcome } from "../http/operation.ts";
import type { RandomBytes } from "../oauth/clients.ts";
import type { OperatorStore } from "../store/operator_store.ts";
import type { OperatorFailure } from "./failure.ts";

/** What the operations work with; they never see KV. */
export interface OperatorDependencies {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  store: OperatorStore;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
}

/** Makes an operation. */
export type CreateOperatorOperation = (
  dependencies: OperatorDependencies,
) => Operation<OperatorFailure>;

/** The body of an operation that needs to be told nothing: an empty JSON object. */
export const NOTHING = z.strictObject({});

/** The members of an operation that takes a JSON body, which the schema has passed when it acts. */
export function onJson<Body>(
  schema: z.ZodType<Body>,
  act: (body: Body, call: Call) => Promise<Outcome<OperatorFailure | BodyFailure>>,
) {
  return { body: "json", schema, act } as const;
}
