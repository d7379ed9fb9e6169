/**
 * Makes the service from a configuration, an open KV, clocks and a source of randomness.
 *
 * @module
 */
import { createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf } from "./config/mod.ts";
import { type LaunchWarning, launchWarnings } from "./content/mod.ts";
import {
  createProduction,
  createSandbox,
  discoveryLinks,
  type EnvironmentOptions,
} from "./api/mod.ts";
import { clientAddress, type PipelineOptions } from "./http/mod.ts";
import {
  createPriority,
  createRandomIds,
  type Log,
  type Repeat,
  repeat as repeatByTimers,
} from "./runtime/mod.ts";
import { createNetworkBrake } from "./limits/mod.ts";
import { createObserver } from "./observe/mod.ts";
import type { RandomBytes } from "./oauth/mod.ts";
import { createOperator, createOperatorStore } from "./operator/mod.ts";
import { startMailing } from "./letters/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import { createPlaceRoutes, createSite, securityHeaders } from "./site/mod.ts";
import { createConsole } from "./console/mod.ts";
import {
  openCredentials,
  openPlaceKeys,
  readPlaceKeys,
  recordClientUses,
} from "./store/credentials/mod.ts";
import { type OpenKv, startHeartbeat, timeKvCalls } from "./store/kv/mod.ts";
import { viewLastDone } from "./store/audit/mod.ts";
import type { OutboxOptions } from "./store/outbox/mod.ts";
import { startSweep } from "./store/expiry/mod.ts";
import { findInvitationUrl } from "./store/invitations/mod.ts";
import { createPlace } from "./store/people/mod.ts";
import { createPlaceUrls } from "./waitlist/mod.ts";

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
  /** What is still to do before people use the service. */
  warnings: LaunchWarning[];
  /**
   * Does once what the service also does by timers: sends the letters of this second, and erases people whose time
   * to confirm is over. Gives whether more is due.
   */
  workOutbox: () => Promise<boolean>;
  /**
   * Ends the background work, and writes what only memory has: the counts of the limits, the last uses of
   * clients, the failed sign-ins and the last summary of the log. Call it after the last answer.
   */
  close: () => Promise<void>;
}

/** Makes the service. @param baseUrl the public origin, without a trailing slash */
export async function createService(
  config: Config,
  baseUrl: string,
  given: Dependencies,
): Promise<Service> {
  const observer = createObserver(given.log);
  const { metrics } = observer;
  const { prioritize, yieldToCalls } = createPriority();
  const { now, monotonic, random, log, repeat = repeatByTimers } = given;
  const timed = metrics ? timeKvCalls(given.kv, metrics.measureKvCall, monotonic) : given.kv;
  const heartbeat = await startHeartbeat(timed, { ...given, repeat });
  const { kv } = heartbeat;
  const dependencies = { ...given, kv };
  const { serviceName, contentPath, sandboxClient, trustedProxyHops, operators } = config;
  const contact = contactOf(config, baseUrl);
  const limits = await createSharedLimiter(dependencies, observer);
  const credentials = await openCredentials(kv, { now, monotonic, random, repeat, log });
  const outbox: OutboxOptions = {
    letters: config.mail !== undefined,
    events: config.webhook !== undefined,
    random,
    onPut: () => mailing?.wake(),
    holdBack: createNetworkBrake(monotonic),
  };
  const options: EnvironmentOptions = {
    baseUrl,
    serviceName,
    credentials,
    now,
    monotonic,
    random,
    outbox,
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
  const sweeping = startSweep({ kv, now, repeat, log });
  const clientUses = recordClientUses(dependencies);
  const placeUrls = createPlaceUrls({ baseUrl, keys: await openPlaceKeys(kv, random) });
  const place = createPlace({
    ...dependencies,
    outbox,
    readKeys: () => readPlaceKeys(kv),
    findInvitationUrl: (record) => findInvitationUrl(kv, record),
  });
  const production = createProduction({ ...dependencies, clientUses }, options);
  const requests: PipelineOptions = {
    countRequest: limits.countRequest,
    trustedProxyHops,
    observer,
    log,
    monotonic,
    nextRequestId: createRandomIds({ length: REQUEST_ID_LENGTH, random }),
  };
  const site = await (given.createSite ?? createSite)({
    siteName: config.siteName,
    contentPath,
    contact,
    baseUrl,
    sandboxClient,
    mail: outbox.letters,
    unconfirmedDays: config.unconfirmedDays,
    embedOrigins: config.embedOrigins,
    apiLinks: discoveryLinks(production.urls),
  });
  const warnings = launchWarnings({
    baseUrl,
    siteName: site.siteName,
    hasContact: config.contact !== undefined,
    hasOwnPicture: site.hasOwnPicture,
    languages: site.languages,
    keepsLetters: config.mail?.target.kind === "folder",
    trustedProxyHops,
    onDenoDeploy: config.onDenoDeploy,
  });
  const operator = operators.length === 0 ? undefined : createOperator(operators, {
    baseUrl,
    store: createOperatorStore({
      ...dependencies,
      outbox,
      credentialsChanged: credentials.changed,
      yieldToCalls,
    }),
    now,
    random,
    placeUrls,
    warnings,
    sendsLetters: outbox.letters,
    sendTestEvent: config.webhook && (() => mailing.sendTestEvent!()),
    repeat,
  }, requests);
  const answer = createApp({
    production,
    sandbox: createSandbox(sandboxClient, options),
    operator,
    site,
    consoleRoutes: operator && createConsole({
      baseUrl,
      operators,
      operator,
      now,
      random,
      yieldToCalls,
      siteName: site.siteName,
      styleSheet: site.assetAddress("console.css"),
      copyScript: site.assetAddress("copy.js"),
      icon: site.assetAddress("favicon.svg"),
      sendsEvents: config.webhook !== undefined,
      previewInvitation: config.mail && ((lang, url) => mailing.previewInvitation!(lang, url)),
    }),
    placeRoutes: createPlaceRoutes(site.place, {
      ...place,
      askForLink: outbox.letters ? place.askForLink : undefined,
      addressOf: clientAddress(trustedProxyHops),
      security: securityHeaders(baseUrl),
    }),
    ...requests,
    sandboxClient,
    contact,
    siteName: site.siteName,
    prioritize,
    missing: () => [heartbeat.fault() ?? [], credentials.isCurrent() ? [] : "keys"].flat(),
  });
  const mailing = await startMailing(config, {
    ...dependencies,
    baseUrl,
    site,
    placeUrls,
    outbox,
    repeat,
    metrics,
  });
  const close = async () => {
    await mailing.close();
    await Promise.all([sweeping.stop(), lastDone?.stop(), heartbeat.close()]);
    await credentials.close();
    await place.close();
    await clientUses.flush();
    await limits.close();
    await operator?.close();
    observer.close();
  };
  return { answer, warnings, workOutbox: mailing.work, close };
}
