/** What all of the operator's operations are given, and what they are made with. @module */
import { z } from "zod";
import type { Overview } from "../../shared/operator_schemas.ts";
import type { LaunchWarning } from "../content/mod.ts";
import { type Call, type KeyHolder, type Operation, type Outcome, rawQuery } from "../http/mod.ts";
import type { RequestFailure } from "../http/mod.ts";
import type { TestedLetter } from "../letters/mod.ts";
import { type MaybePromise, quote, type Runtime } from "../runtime/mod.ts";
import { createAuditStore } from "../store/audit/mod.ts";
import { type BackupStoreOptions, createBackupStore } from "../store/backup/mod.ts";
import { type ClientStoreOptions, createClientStore } from "../store/credentials/mod.ts";
import { createWaveStore, findInvitationUrl } from "../store/invitations/mod.ts";
import { type WaveStoreOptions } from "../store/invitations/mod.ts";
import { createPeopleStore, type PeopleStoreOptions } from "../store/people/mod.ts";
import type { Delivery, SelfServiceUrls } from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";

export interface OperatorStoreOptions
  extends
    BackupStoreOptions,
    ClientStoreOptions,
    WaveStoreOptions,
    Omit<PeopleStoreOptions, "findInvitationUrl"> {}

/** Makes what the operations may do to the store; they never see KV. */
export const createOperatorStore = (options: OperatorStoreOptions) => ({
  ...createAuditStore(options),
  ...createBackupStore(options),
  ...createClientStore(options),
  ...createWaveStore(options),
  ...createPeopleStore({
    ...options,
    findInvitationUrl: (record) => findInvitationUrl(options.kv, record),
  }),
});

export type OperatorStore = ReturnType<typeof createOperatorStore>;

export interface OperatorDependencies extends Pick<Runtime, "now" | "random"> {
  baseUrl: string;
  store: OperatorStore;
  selfServiceUrls: Pick<SelfServiceUrls, "placeUrl">;
  /** What is still to do before people use the service. */
  warnings: LaunchWarning[];
  /** Whom letters come from, and what sends a test letter; absent without mail. */
  sender?: Overview["sender"];
  sendTestLetter?: ((to: string, lang: string) => Promise<TestedLetter>) | undefined;
  sendTestEvent?: (() => Promise<Delivery>) | undefined;
  /** Counts a call that the role of its key does not let through, and gives the failure. */
  forbid: (holder: KeyHolder) => RequestFailure & { failure: "forbidden" };
}

export type OperatorOperation = Operation<OperatorFailure>;

export type OperatorOutcome = MaybePromise<Outcome<OperatorFailure>>;

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

/** Makes an operation with parameters in its query; `act` gets only queries that match the schema. */
export function onQuery<Query>(
  schema: z.ZodObject & z.ZodType<Query>,
  act: (query: Query, call: Call) => MaybePromise<Outcome<OperatorFailure>>,
): OperatorOperation {
  return onCall((call) => {
    const given = Object.fromEntries(new URLSearchParams(rawQuery(call.url)));
    const { data, error } = schema.safeParse(given);
    if (data) return act(data, call);
    const [issue] = error!.issues;
    const name = String(issue?.path[0]);
    const known = Object.keys(schema.shape).join(", ").replace(/, (?=\w+$)/, " or ");
    const message = issue?.code === "unrecognized_keys"
      ? `The parameter ${quote(issue.keys[0])} is not known here; give ${known}.`
      : `The parameter ${name} is ${quote(given[name])}; ${issue?.message}.`;
    return { failure: "invalid_request", message };
  });
}

/** The body of an operation without parameters: an empty JSON object. */
export const NOTHING = z.strictObject({});

/** Says that letters or events are not sent, as a variable is not set. */
export const isOff = (what: "letters" | "events", variable: string) => ({
  failure: "conflict" as const,
  message:
    `The service sends no ${what}, as ${variable} is not set; set it, and start the service again.`,
});
