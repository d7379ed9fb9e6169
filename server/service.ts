/**
 * Puts the parts together: from a configuration, an open KV, a clock and randomness to a service.
 *
 * @module
 */
import { base64url } from "jose";
import { createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf } from "./config.ts";
import { createProduction, createSandbox, type EnvironmentOptions } from "./environment.ts";
import { type CountRequest, LIMITS } from "./limits/fixed_window.ts";
import { BEAT_MS, Limiter } from "./limits/limiter.ts";
import { discoveryLinks } from "./http/discovery_links.ts";
import type { PipelineOptions } from "./http/pipeline.ts";
import type { Log } from "./log.ts";
import { createObserver, type Observer } from "./observe/mod.ts";
import type { RandomBytes } from "./oauth/clients.ts";
import { createOperator } from "./operator/mod.ts";
import { createRandomIds } from "./random_ids.ts";
import { CONTENT_FOLDER, createSite } from "./site/mod.ts";
import { Batcher } from "./store/batcher.ts";
import { recordClientUses } from "./store/client_uses.ts";
import { exchangeCounts, openAddressHash } from "./store/limit_counts.ts";
import { openCredentials } from "./store/credentials.ts";
import { DEADLINE_MS, withDeadline } from "./store/deadline.ts";
import type { OpenKv } from "./store/open.ts";
import { createOperatorStore } from "./store/operator_store.ts";
import { type Repeat, repeat as repeatByTimers } from "./store/repeat.ts";

/**
 * Characters of an `X-Request-Id`. It is short, as a status answer of more than 512 bytes would take two
 * system calls: its 36 random bits tell the requests of a log apart, and are no secret.
 */
const REQUEST_ID_LENGTH = 6;

/** What the service takes from its dependencies. */
export interface Dependencies extends OpenKv {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds: what waits or remembers goes by it. */
  monotonic: () => number;
  random: RandomBytes;
  log: Log;
  /** What is done again and again while the service runs; by the runtime's timers unless told otherwise. */
  repeat?: Repeat;
  /** The pages' texts; the project's own unless told otherwise. */
  contentFolder?: URL;
}

/** A service that answers requests. */
export interface Service {
  answer: HandleRequest;
  /**
   * Ends what the service does by itself, and writes down what is still only in memory: the limits'
   * counts, the clients' last uses and the log's summary. Call it after the last answer.
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
  dependencies: Dependencies,
): Promise<Service> {
  const { kv, now, monotonic, random, log } = dependencies;
  const { repeat = repeatByTimers, contentFolder = CONTENT_FOLDER } = dependencies;
  const { serviceName, siteName, sandboxClient, trustedProxyHops, operatorKey } = config;
  const contact = contactOf(config, baseUrl);
  const observer = createObserver(log);
  const limits = await createSharedLimiter(dependencies, observer);
  const credentials = await openCredentials(kv, { now, monotonic, random, repeat, log });
  const options: EnvironmentOptions = {
    baseUrl,
    serviceName,
    credentials,
    now,
    monotonic,
    random,
    onBatch: observer.onBatch,
  };
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
  const answer = createApp({
    production,
    sandbox: createSandbox(sandboxClient, options),
    operator: operatorKey === undefined ? undefined : createOperator(operatorKey, {
      baseUrl,
      store: createOperatorStore({ ...dependencies, credentialsChanged: credentials.changed }),
      now,
      random,
    }, requests),
    site: await createSite({
      siteName,
      contact,
      baseUrl,
      sandboxClient,
      homeLinks: discoveryLinks(production.urls),
      folder: contentFolder,
    }),
    ...requests,
    sandboxClient,
    contact,
    siteName,
  });
  const close = async () => {
    await credentials.close();
    await clientUses.flush();
    await limits.close();
    observer.close();
  };
  return { answer, close };
}

/** Does work on KV that the start waits for: KV that hangs ends the start, and does not hang it. */
function startingCall<T>(work: () => Promise<T>): Promise<T> {
  return withDeadline(DEADLINE_MS, work);
}

/**
 * Makes a limiter whose counts go to KV and come from there on a beat that runs only while they
 * change. KV never delays or fails a request here: without it, counting goes on in memory.
 */
async function createSharedLimiter(
  { kv, now, monotonic, random, log }: Dependencies,
  { onBatch }: Observer,
) {
  const processId = base64url.encode(random(12));
  const limiter = new Limiter({
    limits: Object.values(LIMITS),
    now,
    hash: await startingCall(() => openAddressHash(kv, random)),
    seed: new DataView(random(4).buffer).getUint32(0),
    onChange: () => exchange(),
  });
  const beat = new Batcher<void, void>({
    run: (_changes, signal) => exchangeCounts(kv, processId, limiter, signal),
    gatherMs: BEAT_MS,
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: DEADLINE_MS,
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
  // What processes before this one have counted in the current window still counts.
  const learned = exchange();
  await beat.flush();
  await learned;
  const countRequest: CountRequest = (limit, source) => limiter.count(limit, source);
  return { countRequest, close: () => beat.flush() };
}
