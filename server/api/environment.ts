/**
 * Makes the two environments, production and the sandbox, as two values of the type `Environment`. All other code works
 * with an `Environment` and does not ask which of the two it is. @module
 */
import document from "../../shared/generated/public.json" with { type: "json" };
import type { WaitlistStats } from "../../shared/schemas.ts";
import { type DescribedEnvironment, environmentUrls } from "../config/mod.ts";
import { type ClientAddress, type Limit, LIMITS } from "../limits/mod.ts";
import {
  type AccessTokens,
  type Client,
  createAccessTokens,
  newSandboxClient,
  rememberTokens,
} from "../oauth/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { ServiceCredentials } from "../store/credentials/mod.ts";
import type { Kv, OnRun } from "../store/kv/mod.ts";
import type { OutboxOptions } from "../store/outbox/mod.ts";
import { createCountsReader, createSignUpQueue, type SignUpQueue } from "../store/people/mod.ts";
import { type Counts, createRecordIds } from "../waitlist/mod.ts";

/** An environment (contract, "Environments"). */
export interface Environment extends DescribedEnvironment {
  pathPrefix: "" | "/sandbox";
  /** The request limits: one for GET and HEAD of the status, and one for all other calls. */
  limits: { status: Limit; otherCalls: Limit };
  /**
   * Stores a sign-up; the sandbox stores nothing. The promise resolves when KV has stored the sign-up. Returns
   * `"overloaded"` if too many sign-ups wait for KV.
   */
  join: SignUpQueue;
  /**
   * Finds the visitor's IP address in the headers of a sign-up that a company's server sends with a key of the role
   * `product`. Absent in the sandbox, and if there is no operator key.
   */
  passedOnAddress?: ((headers: Headers) => ClientAddress | undefined) | undefined;
  /** Reads the statistics. */
  statistics: () => Promise<WaitlistStats>;
  findClient: (clientId: string) => Client | undefined;
  /** Reads the clients from KV again. Absent in the sandbox, whose client never changes. */
  reload?: () => Promise<void>;
  /** Counts the outcome of a sign-up. Absent in the sandbox, and if metrics are not exported. */
  countSignUp?: Metrics["countSignUp"] | undefined;
  /**
   * Notes that a client has received a token; the sandbox notes nothing. The note is stored later, so that the answer
   * does not wait for KV.
   */
  noteClientUse: (clientId: string) => void;
  tokens: AccessTokens;
}

/** The options of both environments. */
export interface EnvironmentOptions {
  runtime: Pick<Runtime, "now" | "monotonic" | "random">;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  serviceName: string;
  credentials: Pick<ServiceCredentials, "keyRing" | "reload">;
}

/** The options of production. */
export interface ProductionOptions extends EnvironmentOptions {
  kv: Kv;
  credentials: Pick<ServiceCredentials, "keyRing" | "findClient" | "reload" | "noteUse">;
  outbox: OutboxOptions;
  /** Whether a sign-up stores the code of the referral link by which the person came (`REFERRALS`). */
  referrals: boolean;
  /**
   * Makes the function that measures the batches of one kind of work on KV.
   * @param name the name of this kind of work in the metrics
   */
  onBatch: (name: string) => OnRun;
  metrics?: Pick<Metrics, "countSignUp" | "countToken"> | undefined;
  passedOnAddress: Environment["passedOnAddress"];
}

/** Makes production, which stores sign-ups and reads real statistics. */
export function createProduction(options: ProductionOptions): Environment {
  const { kv, runtime, credentials, outbox, referrals, onBatch, metrics, passedOnAddress } =
    options;
  const { now, monotonic, random } = runtime;
  const { findClient, reload, noteUse } = credentials;
  const toStatistics = (counts: Counts, moment: number): WaitlistStats => ({
    ...counts,
    generatedAt: new Date(moment).toISOString(),
    environment: "production",
  });
  return {
    ...commonMembers({ name: "production", pathPrefix: "" }, options),
    limits: { status: LIMITS.status, otherCalls: LIMITS.default },
    join: createSignUpQueue(kv, {
      takesReferrals: referrals,
      now,
      monotonic,
      outbox,
      nextId: createRecordIds(random),
      onRun: onBatch("sign_ups"),
    }),
    statistics: createCountsReader(kv, toStatistics, {
      now,
      monotonic,
      onRun: onBatch("statistics"),
    }),
    countSignUp: metrics?.countSignUp,
    passedOnAddress,
    findClient,
    reload,
    noteClientUse(clientId) {
      metrics?.countToken();
      noteUse(clientId);
    },
  };
}

/** The options of the sandbox. */
export interface SandboxOptions extends EnvironmentOptions {
  /** The published id of the sandbox's client, which is also its secret. */
  sandboxClient: string;
}

/** Makes the sandbox, which stores nothing. It has fixed statistics and one published client. */
export function createSandbox(options: SandboxOptions): Environment {
  const { sandboxClient } = options;
  const client = newSandboxClient(sandboxClient, 0);
  return {
    ...commonMembers({ name: "sandbox", pathPrefix: "/sandbox" }, options),
    limits: { status: LIMITS.sandbox, otherCalls: LIMITS.sandbox },
    join: () => Promise.resolve(),
    statistics: () => Promise.resolve(EXAMPLE_STATISTICS),
    findClient: (clientId) => clientId === sandboxClient ? client : undefined,
    noteClientUse: () => {},
  };
}

const { examples } = document.components.responses.WaitlistStats.content["application/json"];

/** The fixed statistics. The cast is needed because a JSON import has no literal types. */
const EXAMPLE_STATISTICS = examples.sandbox.value as WaitlistStats;

/** Makes the members that both environments have in common. */
function commonMembers(
  environment: Pick<Environment, "name" | "pathPrefix">,
  { baseUrl, serviceName, credentials: { keyRing, reload }, runtime }: EnvironmentOptions,
) {
  const { now, random } = runtime;
  const urls = environmentUrls(baseUrl, environment.pathPrefix);
  const keys = { ...keyRing.keysOf(environment.name), reload };
  const tokens = createAccessTokens({ issuer: urls.base, audience: urls.index, keys, now, random });
  const verify = rememberTokens(tokens.verify, { keys, now });
  const service = `${serviceName}-web`;
  return { ...environment, service, urls, tokens: { ...tokens, verify }, now };
}
