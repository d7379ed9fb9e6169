/**
 * Makes the service from a configuration, an open KV, clocks and a source of randomness: each room once, from the
 * bottom up.
 *
 * @module
 */
import { createProduction, createSandbox, discoveryLinks } from "./api/mod.ts";
import { createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf, environmentUrls } from "./config/mod.ts";
import { createConsole } from "./console/mod.ts";
import { type LaunchWarning, launchWarnings, readConsoleTexts } from "./content/mod.ts";
import { startLetters } from "./letters/mod.ts";
import { createObserver } from "./observe/mod.ts";
import { createOperator } from "./operator/mod.ts";
import { createPriority, type Runtime } from "./runtime/mod.ts";
import { createSelfServiceRoutes, createSite } from "./site/mod.ts";
import { reportAges } from "./store/audit/mod.ts";
import { startCredentials } from "./store/credentials/mod.ts";
import { startExpiry, startSweep } from "./store/expiry/mod.ts";
import { findInvitationUrl } from "./store/invitations/mod.ts";
import { type OpenKv, startHeartbeat } from "./store/kv/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import { createSelfService } from "./store/people/mod.ts";
import { createSelfServiceUrls } from "./waitlist/mod.ts";

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
  const { mail, sandboxClient, serviceName, unconfirmedDays } = config;
  const observer = createObserver(given.log);
  const { metrics, onBatch } = observer;
  const heartbeat = await startHeartbeat({ ...given, onCall: metrics?.measureKvCall });
  const { kv } = heartbeat;
  const contact = contactOf(config, baseUrl);
  /** What the service says of itself. */
  const facts = { baseUrl, contact, sandboxClient, serviceName, unconfirmedDays };
  const common = { ...given, ...createPriority(), ...facts, kv, observer, metrics, onBatch };
  const limits = await createSharedLimiter(common);
  const credentials = await startCredentials(common);
  const apiLinks = discoveryLinks(environmentUrls(baseUrl, ""));
  const sitePages = { ...config.site, ...facts, mail: mail !== undefined, apiLinks };
  const site = await (given.createSite ?? createSite)(sitePages);
  const selfServiceUrls = createSelfServiceUrls({ baseUrl, keys: credentials.selfServiceKeys });
  const letters = await startLetters(config, { ...common, site, selfServiceUrls });
  const { outbox, sendTestEvent, previewInvitation } = letters;
  const { countRequest } = limits;
  /** What most rooms are made from. */
  const shared = { ...config, ...common, outbox, credentials, site, selfServiceUrls, countRequest };

  const expiry = mail && startExpiry(unconfirmedDays, shared);
  const sweep = startSweep(shared);
  const ages = await reportAges(credentials.keyRing, shared);
  const selfService = createSelfService({
    ...shared,
    readKeys: credentials.readSelfServiceKeys,
    findInvitationUrl: (record) => findInvitationUrl(kv, record),
  });
  const warnings = launchWarnings({ ...config, ...site, baseUrl });
  const credentialsChanged = credentials.changed;
  const operator = createOperator({ ...shared, credentialsChanged, warnings, sendTestEvent });
  const texts = await readConsoleTexts();
  const sendsEvents = outbox.events;
  const consoleRoutes = operator &&
    createConsole({ ...shared, operator, texts, sendsEvents, previewInvitation });
  const answer = createApp({
    ...shared,
    production: createProduction(shared),
    sandbox: createSandbox(shared),
    operator,
    consoleRoutes,
    selfServiceRoutes: createSelfServiceRoutes(site.selfService, { ...shared, ...selfService }),
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
