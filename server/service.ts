/**
 * Makes the service from a configuration, an open KV, clocks and a source of randomness: each room once, from the
 * bottom up.
 *
 * @module
 */
import { createProduction, createSandbox, discoveryLinks } from "./api/mod.ts";
import { createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf } from "./config/mod.ts";
import { createConsole } from "./console/mod.ts";
import { type LaunchWarning, launchWarnings, readConsoleTexts } from "./content/mod.ts";
import { clientAddress } from "./http/mod.ts";
import { startLetters } from "./letters/mod.ts";
import { createNetworkBrake } from "./limits/mod.ts";
import { createObserver, type Metrics } from "./observe/mod.ts";
import { createOperator } from "./operator/mod.ts";
import { createPriority, createRandomIds, type Runtime } from "./runtime/mod.ts";
import { createSelfServiceRoutes, createSite, securityHeaders, type Site } from "./site/mod.ts";
import { viewLastDone } from "./store/audit/mod.ts";
import { type ServiceCredentials, startCredentials } from "./store/credentials/mod.ts";
import { startExpiry, startSweep } from "./store/expiry/mod.ts";
import { findInvitationUrl } from "./store/invitations/mod.ts";
import { type OpenKv, startHeartbeat } from "./store/kv/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import type { OutboxOptions } from "./store/outbox/mod.ts";
import { createSelfService } from "./store/people/mod.ts";
import { createSelfServiceUrls } from "./waitlist/mod.ts";

/**
 * The number of characters of an `X-Request-Id`. It is short, as Deno sends an answer of more than 512 bytes
 * with two system calls. Its 36 random bits distinguish the requests in a log; they are no secret.
 */
const REQUEST_ID_LENGTH = 6;

/** Everything that the service is given besides its configuration. */
export interface Dependencies extends OpenKv, Runtime {
  /** Is called with a sentence once another program has upgraded the store, so that this one has to stop. */
  onSchemaFault: (fault: string) => void;
  /** Makes the pages. Tests pass a function that makes them once for many services. */
  createSite?: typeof createSite;
}

/** A service that answers requests. */
export interface Service {
  answer: HandleRequest;
  /** What is still to do before people use the service, and what is wrong with its pages. */
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
  const { mail, webhook, operators, trustedProxyHops } = config;
  const { sandboxClient, serviceName, unconfirmedDays } = config;
  const { random } = given;
  const observer = createObserver(given.log);
  const { metrics, onBatch } = observer;
  const heartbeat = await startHeartbeat({ ...given, onCall: metrics?.measureKvCall });
  const { kv } = heartbeat;
  const holdBack = createNetworkBrake(given.monotonic);
  const outbox: OutboxOptions = { letters: !!mail, events: !!webhook, random, holdBack };
  const contact = contactOf(config, baseUrl);
  /** What the service says of itself. */
  const facts = { baseUrl, contact, sandboxClient, serviceName, unconfirmedDays };
  /** What most rooms are made from. */
  const shared = {
    ...given,
    ...createPriority(),
    ...facts,
    kv,
    outbox,
    observer,
    metrics,
    onBatch,
  };

  const limits = await createSharedLimiter(shared);
  const credentials = await startCredentials(shared);
  const environment = { ...shared, credentials };
  const production = createProduction(environment);
  const sandbox = createSandbox(environment);
  const apiLinks = discoveryLinks(production.urls);
  const sitePages = { ...config.site, ...facts, mail: outbox.letters, apiLinks };
  const site = await (given.createSite ?? createSite)(sitePages);
  const selfServiceUrls = createSelfServiceUrls({ baseUrl, keys: credentials.selfServiceKeys });
  const letters = await startLetters(config, { ...shared, site, selfServiceUrls });
  const expiry = mail && startExpiry(unconfirmedDays, shared);
  const sweep = startSweep(shared);
  const ages = metrics && await reportAges(metrics, credentials, shared);
  const selfService = createSelfService({
    ...shared,
    readKeys: credentials.readSelfServiceKeys,
    findInvitationUrl: (record) => findInvitationUrl(kv, record),
  });
  const { countRequest } = limits;
  const nextRequestId = createRandomIds({ length: REQUEST_ID_LENGTH, random });
  const requests = { ...shared, trustedProxyHops, countRequest, nextRequestId };
  const warnings = findWarnings(config, { baseUrl, site });
  const operator = createOperator({
    ...requests,
    operators,
    credentialsChanged: credentials.changed,
    selfServiceUrls,
    warnings,
    sendTestEvent: letters.sendTestEvent,
  });
  const consoleRoutes = operator && createConsole({
    ...shared,
    operators,
    operator,
    site,
    texts: await readConsoleTexts(),
    sendsEvents: outbox.events,
    previewInvitation: letters.previewInvitation,
  });
  const selfServiceRoutes = createSelfServiceRoutes(site.selfService, {
    ...selfService,
    addressOf: clientAddress(trustedProxyHops),
    security: securityHeaders(baseUrl),
  });
  const answer = createApp({
    ...requests,
    production,
    sandbox,
    operator,
    site,
    consoleRoutes,
    selfServiceRoutes,
    missing: () => [heartbeat.fault() ?? [], credentials.isCurrent() ? [] : "keys"].flat(),
  });

  const working = [expiry, letters, ages, sweep, heartbeat, selfService];
  /** What writes at its end what only memory has. */
  const remembering = [credentials, limits, operator, observer];
  return {
    answer,
    warnings: [...warnings, ...site.warnings],
    async workOutbox() {
      const [hasMore] = await Promise.all([letters.work(), expiry?.run()]);
      return hasMore;
    },
    async close() {
      for (const room of [...working, ...remembering]) await room?.close();
    },
  };
}

/** Lets the metrics tell how long ago the signing key began to sign, and regular work was done. */
async function reportAges(
  metrics: Metrics,
  { keyRing }: ServiceCredentials,
  { kv, now, repeat }: Pick<Runtime, "now" | "repeat"> & Pick<OpenKv, "kv">,
) {
  const lastDone = await viewLastDone(kv, repeat);
  metrics.reportAges((thing) => {
    const since = thing === "signing_key"
      ? keyRing.signsSince
      : Date.parse(lastDone.get()[thing] ?? "");
    // The first key signs since 0; its age is not known.
    return since > 0 ? (now() - since) / 1000 : undefined;
  });
  return lastDone;
}

function findWarnings(
  config: Config,
  { baseUrl, site }: { baseUrl: string; site: Site },
): LaunchWarning[] {
  return launchWarnings({
    baseUrl,
    siteName: site.siteName,
    hasContact: config.contact !== undefined,
    hasOwnPicture: site.hasOwnPicture,
    languages: site.languages,
    keepsLetters: config.mail?.target.kind === "folder",
    trustedProxyHops: config.trustedProxyHops,
    onDenoDeploy: config.onDenoDeploy,
  });
}
