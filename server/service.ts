/**
 * Makes the service from a configuration, an open KV, clocks and a source of randomness.
 *
 * @module
 */
import { base64url } from "jose";
import { createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf } from "./config.ts";
import { createProduction, createSandbox, type EnvironmentOptions } from "./environment.ts";
import { BEAT_MS, type CountRequest, Limiter, LIMITS } from "./limits/limiter.ts";
import { discoveryLinks } from "./api/service_index.ts";
import type { PipelineOptions } from "./http/pipeline.ts";
import type { Log } from "./log.ts";
import { createObserver, type Observer } from "./observe/mod.ts";
import type { RandomBytes } from "./oauth/clients.ts";
import { createOperator } from "./operator/mod.ts";
import { createRandomIds } from "./random_ids.ts";
import { createSite } from "./site/mod.ts";
import { Batcher } from "./store/batcher.ts";
import { recordClientUses } from "./store/clients.ts";
import { createCountsExchange, openAddressHash } from "./store/limit_counts.ts";
import { openCredentials, type Repeat, repeat as repeatByTimers } from "./store/credentials.ts";
import { deadlineOf, withKvDeadline } from "./store/deadline.ts";
import { startHeartbeat } from "./store/heartbeat.ts";
import { viewLastDone } from "./store/last_done.ts";
import type { OpenKv } from "./store/open.ts";
import { createOperatorStore } from "./store/operator_store.ts";
import { timeKvCalls } from "./store/timed_kv.ts";

/**
 * The number of characters of an `X-Request-Id`. It is short, as Deno sends an answer of more than 512 bytes
 * with two system calls. Its 36 random bits distinguish the requests in a log; they are no secret.
 */
const REQUEST_ID_LENGTH = 6;

/** Everything that the service is given besides its configuration. */
export interface Dependencies extends OpenKv {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A monotonic clock, in milliseconds, for deadlines and for what is remembered. */
  monotonic: () => number;
  random: RandomBytes;
  log: Log;
  /** Is called with a sentence once another program has upgraded the store, so that this one has to stop. */
  onSchemaFault: (fault: string) => void;
  /** Repeats work while the service runs; uses the timers of the runtime unless told otherwise. */
  repeat?: Repeat;
  /** Makes the pages. Tests pass a function that makes them once for many services. */
  createSite?: typeof createSite;
}

/** A service that answers requests. */
export interface Service {
  answer: HandleRequest;
  /**
   * Ends the background work, and writes what only memory has: the counts of the limits, the last uses of
   * clients, the failed sign-ins and the last summary of the log. Call it after the last answer.
   */
  close: () => Promise<void>;
}

/**
 * Makes the service.
 *
 * @param baseUrl the public origin, without a trailing slash
 */
export async function createService(
  config: Config,
  baseUrl: string,
  given: Dependencies,
): Promise<Service> {
  const observer = createObserver(given.log);
  const { metrics } = observer;
  const dependencies = metrics
    ? { ...given, kv: timeKvCalls(given.kv, metrics.measureKvCall, given.monotonic) }
    : given;
  const { kv, now, monotonic, random, log, onSchemaFault } = dependencies;
  const { repeat = repeatByTimers, createSite: makeSite = createSite } = dependencies;
  const { serviceName, siteName, sandboxClient, trustedProxyHops, operators } = config;
  const contact = contactOf(config, baseUrl);
  const limits = await createSharedLimiter(dependencies, observer);
  const credentials = await openCredentials(kv, { now, monotonic, random, repeat, log });
  const heartbeat = await startHeartbeat(kv, { monotonic, repeat, onSchemaFault });
  const options: EnvironmentOptions = {
    baseUrl,
    serviceName,
    credentials,
    now,
    monotonic,
    random,
    onBatch: observer.onBatch,
    metrics,
  };
  const lastDone = metrics && await viewLastDone(kv, repeat);
  metrics?.reportAges((thing) => {
    const since = thing === "signing_key"
      ? credentials.keyRing.signsSince
      : Date.parse(lastDone?.get()[thing] ?? "");
    // The first key of an earlier version signs since 0; its age is not known.
    return since > 0 ? (now() - since) / 1000 : undefined;
  });
  const clientUses = recordClientUses(dependencies);
  const production = createProduction({ ...dependencies, clientUses }, options);
  const requests: PipelineOptions = {
    countRequest: limits.countRequest,
    trustedProxyHops,
    observer,
    log,
    monotonic,
    nextRequestId: createRandomIds({ length: REQUEST_ID_LENGTH, random }),
  };
  const operator = operators.length === 0 ? undefined : createOperator(operators, {
    baseUrl,
    store: createOperatorStore({ ...dependencies, credentialsChanged: credentials.changed }),
    now,
    random,
    repeat,
  }, requests);
  const answer = createApp({
    production,
    sandbox: createSandbox(sandboxClient, options),
    operator,
    site: await makeSite({
      siteName,
      contact,
      baseUrl,
      sandboxClient,
      homeLinks: discoveryLinks(production.urls),
    }),
    ...requests,
    sandboxClient,
    contact,
    siteName,
    missing() {
      const fault = heartbeat.fault();
      return [...fault ? [fault] : [], ...credentials.isCurrent() ? [] : ["keys"]];
    },
  });
  const close = async () => {
    await lastDone?.stop();
    await heartbeat.close();
    await credentials.close();
    await clientUses.flush();
    await limits.close();
    await operator?.close();
    observer.close();
  };
  return { answer, close };
}

/**
 * Makes a limiter that exchanges its counts with other processes through KV, on a beat that runs only while
 * counts change. A slow or failing KV never delays or fails a request: the limiter then counts in memory.
 */
async function createSharedLimiter(
  { kv, now, monotonic, random, log }: Dependencies,
  { onBatch, metrics }: Observer,
) {
  const processId = base64url.encode(random(12));
  const limiter = new Limiter({
    limits: Object.values(LIMITS),
    now,
    // A KV that does not answer ends the start with an error.
    hash: await withKvDeadline(kv, () => openAddressHash(kv, random)),
    seed: new DataView(random(4).buffer).getUint32(0),
    onChange: () => exchange(),
  });
  const exchangeCounts = createCountsExchange(kv, processId, limiter);
  const beat = new Batcher<void, void>({
    run: (_changes, signal) => exchangeCounts(signal),
    gatherMs: BEAT_MS,
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: deadlineOf(kv),
    monotonic,
    onRun: onBatch("limits"),
  });
  const exchange = async () => {
    try {
      await beat.add();
    } catch (error) {
      const { message } = error as Error;
      log.warn("limits are counted in memory only, as KV did not answer", { error: message });
    }
  };
  // Counts of earlier processes in the current window still hold.
  const learned = exchange();
  await beat.flush();
  await learned;
  const count: CountRequest = (limit, source) => limiter.count(limit, source);
  const countRequest: CountRequest = !metrics ? count : (limit, source) => {
    const allowance = count(limit, source);
    if (!allowance.allowed) metrics.countRefused(limit.name);
    return allowance;
  };
  return { countRequest, close: () => beat.flush() };
}
