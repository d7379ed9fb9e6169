import { z } from "zod";
import type { LaunchWarning } from "../content/mod.ts";
import type { Call, KeyHolder, Operation, Outcome, RequestFailure } from "../http/mod.ts";
import type { MaybePromise, Runtime } from "../runtime/mod.ts";
import type { SelfServiceUrls } from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import type { OperatorStore } from "./store.ts";

/** Everything that the operations are given. */
export interface OperatorDependencies extends Pick<Runtime, "now" | "random"> {
  baseUrl: string;
  store: OperatorStore;
  selfServiceUrls: Pick<SelfServiceUrls, "placeUrl">;
  /** What is still to do before people use the service. */
  warnings: LaunchWarning[];
  /** Sends a test event, and gives why it was not taken, if it was not; absent without a webhook. */
  sendTestEvent?: (() => Promise<string | undefined>) | undefined;
  /** Counts a call that the role of its key does not let through, and gives the failure. */
  forbid: (holder: KeyHolder) => RequestFailure & { failure: "forbidden" };
}

export type OperatorOperation = Operation<OperatorFailure>;

export function onCall(
  act: (call: Call) => MaybePromise<Outcome<OperatorFailure>>,
): OperatorOperation {
  return { body: "none", act };
}

/** Makes an operation with a JSON body; `act` gets only bodies that match the schema. */
export function onJson<Body>(
  schema: z.ZodType<Body>,
  act: (body: Body, call: Call) => MaybePromise<Outcome<OperatorFailure>>,
): OperatorOperation {
  return { body: "json", schema, act };
}

/** The body of an operation without parameters: an empty JSON object. */
export const NOTHING = z.strictObject({});
