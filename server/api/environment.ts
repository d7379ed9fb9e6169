/** Production and the sandbox, as two values of one type. No other code asks which environment it serves. @module */
import document from "../../shared/generated/public.json" with { type: "json" };
import { type DescribedEnvironment, environmentUrls } from "../config/mod.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { type ClientAddress, type Limit, LIMITS } from "../limits/mod.ts";
import { type AccessTokens, type Client, createAccessTokens, publicClient } from "../oauth/mod.ts";
import { rememberTokens } from "../oauth/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Metrics } from "../observe/mod.ts";
import type { ServiceCredentials } from "../store/credentials/mod.ts";
import type { Kv, OnRun } from "../store/kv/mod.ts";
import type { OutboxOptions } from "../store/outbox/mod.ts";
import { createCountsReader, createSignUpQueue } from "../store/people/mod.ts";
import { type Counts, createRecordIds, type SignUp } from "../waitlist/mod.ts";

export interface Environment extends DescribedEnvironment {
  pathPrefix: "" | "/sandbox";
  limits: { status: Limit; other: Limit };
  /** Stores a sign-up of a client; resolves when it is durable. `"overloaded"` where too many wait. */
  join: (signUp: SignUp, address: ClientAddress) => Promise<void> | "overloaded";
  /** Finds the visitor's address in the headers of a company's own server; absent where no key may pass one on. */
  passedOnAddress?: ((headers: Headers) => ClientAddress | undefined) | undefined;
  statistics: () => Promise<WaitlistStats>;
  findClient: (clientId: string) => Client | undefined;
  /** Reads changed clients; absent where clients never change. See `startCredentials()`. */
  reload?: () => Promise<void>;
  /** Counts a sign-up by what became of it; absent where nothing is measured. */
  noteSignUp?: Metrics["countSignUp"] | undefined;
  /** Notes that a client has received a token. It returns at once. */
  noteClientUse: (clientId: string) => void;
  tokens: AccessTokens;
}

/** What both environments are made from. */
interface EnvironmentOptions {
  runtime: Pick<Runtime, "now" | "monotonic" | "random">;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  serviceName: string;
  credentials: Pick<ServiceCredentials, "keyRing" | "reload">;
}

interface ProductionOptions extends EnvironmentOptions {
  kv: Kv;
  credentials: Pick<ServiceCredentials, "keyRing" | "findClient" | "reload" | "noteUse">;
  outbox: OutboxOptions;
  onBatch: (name: string) => OnRun;
  metrics?: Pick<Metrics, "countSignUp" | "countToken"> | undefined;
  passedOnAddress: Environment["passedOnAddress"];
}

export function createProduction(options: ProductionOptions): Environment {
  const { kv, runtime, credentials, outbox, onBatch, metrics, passedOnAddress } = options;
  const { now, monotonic, random } = runtime;
  const { findClient, reload, noteUse } = credentials;
  const describe = (counts: Counts, moment: number): WaitlistStats => ({
    ...counts,
    generatedAt: new Date(moment).toISOString(),
    environment: "production",
  });
  return {
    ...common({ name: "production", pathPrefix: "" }, options),
    limits: { status: LIMITS.status, other: LIMITS.default },
    join: createSignUpQueue(kv, {
      now,
      monotonic,
      outbox,
      nextId: createRecordIds(random),
      onRun: onBatch("sign_ups"),
    }),
    statistics: createCountsReader(kv, describe, { now, monotonic, onRun: onBatch("statistics") }),
    noteSignUp: metrics?.countSignUp,
    passedOnAddress,
    findClient,
    reload,
    noteClientUse(clientId) {
      metrics?.countToken();
      noteUse(clientId);
    },
  };
}

/** Makes the sandbox, which stores nothing, has fixed statistics and one client, which is published. */
export function createSandbox(
  { sandboxClient, ...options }: EnvironmentOptions & { sandboxClient: string },
): Environment {
  const client = publicClient(sandboxClient, 0);
  return {
    ...common({ name: "sandbox", pathPrefix: "/sandbox" }, options),
    limits: { status: LIMITS.sandbox, other: LIMITS.sandbox },
    join: () => Promise.resolve(),
    statistics: () => Promise.resolve(EXAMPLE_STATISTICS),
    findClient: (clientId) => clientId === sandboxClient ? client : undefined,
    noteClientUse: () => {},
  };
}

const { examples } = document.components.responses.WaitlistStats.content["application/json"];

const EXAMPLE_STATISTICS = examples.sandbox.value as WaitlistStats;

function common(
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
