/** Makes the service from a configuration, an open KV and a runtime: each room once, from the bottom up. @module */
import { createProduction, createSandbox, discoveryLinks } from "./api/mod.ts";
import { createApp } from "./app.ts";
import type { Overview } from "../shared/operator_schemas.ts";
import { type Config, ConfigError, contactOf, environmentUrls } from "./config/mod.ts";
import { createConsole } from "./console/mod.ts";
import { launchWarnings, readConsoleTexts } from "./content/mod.ts";
import { createMailHooks, startLetters } from "./letters/mod.ts";
import { createObserver } from "./observe/mod.ts";
import { createOperator } from "./operator/mod.ts";
import { createPriority, type Runtime } from "./runtime/mod.ts";
import { createSelfServiceRoutes, createSite } from "./site/mod.ts";
import { createAuditStore, reportAges } from "./store/audit/mod.ts";
import { createBackupStore, startBackups } from "./store/backup/mod.ts";
import {
  createClientStore,
  openConsoleKey,
  startCredentials,
  watchBaseUrls,
} from "./store/credentials/mod.ts";
import { startExpiry, startSweep } from "./store/expiry/mod.ts";
import { createWaveStore, findInvitationUrl, startWaves } from "./store/invitations/mod.ts";
import { checkForms, type OpenKv, skipAbsentKeys, startHeartbeat } from "./store/kv/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import { createMailReports, createPeopleStore, createSelfService } from "./store/people/mod.ts";
import { createSelfServiceUrls } from "./waitlist/mod.ts";

interface Dependencies extends OpenKv, Runtime {
  /** Whether other processes may have the store open as well. */
  isShared?: boolean;
  /** Is called with a sentence once another program has upgraded the store, so that this one has to stop. */
  onSchemaFault: (fault: string) => void;
  /** Makes the pages. Tests pass a function that makes them once for many services. */
  createSite?: typeof createSite;
}

export type Service = Awaited<ReturnType<typeof createService>>;

/** @param baseUrl the public origin, without a trailing slash */
export async function createService(config: Config, baseUrl: string, given: Dependencies) {
  const { mail, sandboxClient, serviceName, unconfirmedDays } = config;
  const observer = createObserver(given.log);
  const { metrics, onBatch } = observer;
  const heartbeat = await startHeartbeat({
    ...given,
    onCall: metrics?.measureKvCall(given.kv.traits.system),
  });
  // One process alone has a file.
  const kv = checkForms(
    given.isThere ? skipAbsentKeys(heartbeat.kv, given.random) : heartbeat.kv,
  );
  const contact = contactOf(config, baseUrl);
  const backupDays = config.backup?.keep;
  /** What the service says of itself. */
  const facts = { baseUrl, contact, sandboxClient, serviceName, unconfirmedDays, backupDays };
  const common = { ...given, ...createPriority(), ...facts, kv, observer, metrics, onBatch };
  const backups = config.backup && await startBackups(config.backup, common);
  const limits = await createSharedLimiter(common);
  const credentials = await startCredentials(common);
  const apiLinks = discoveryLinks(environmentUrls(baseUrl, ""));
  const sitePages = { ...config.site, ...facts, mail: mail !== undefined, apiLinks };
  const site = await (given.createSite ?? createSite)(sitePages).catch((error) => {
    // What is wrong with `content/` is a plain error; a bug, such as a TypeError, is no fault of the configuration.
    throw error.constructor === Error ? new ConfigError(error.message) : error;
  });
  const selfServiceUrls = createSelfServiceUrls(baseUrl, credentials.linkKey);
  const letters = await startLetters(config, { ...common, site, selfServiceUrls });
  const { outbox, previewInvitation } = letters;
  const { countRequest } = limits;
  /** What most rooms are made from. */
  const shared = { ...config, ...common, outbox, credentials, site, selfServiceUrls, countRequest };

  const expiry = mail && startExpiry(unconfirmedDays, shared);
  const waves = startWaves(shared);
  const sweep = startSweep(shared);
  const ages = await reportAges(credentials.keyRing, shared);
  const selfService = createSelfService({
    ...shared,
    readKeys: credentials.readSelfServiceKeys,
    findInvitationUrl,
  });
  const launch = launchWarnings({ ...config, ...site, baseUrl });
  const baseUrls = given.isShared ? await watchBaseUrls(baseUrl, common) : undefined;
  /** What is left to do before people use the service, and what is wrong with what runs now. */
  const warnings = (): Overview["warnings"] => [
    ...launch,
    ...[heartbeat.warning() ?? []].flat().map((message) => ({ about: "store" as const, message })),
    ...[baseUrls?.warning() ?? []].flat()
      .map((message) => ({ about: "address" as const, message })),
  ];
  const credentialsChanged = credentials.changed;
  const operator = createOperator({
    ...shared,
    // A call has a KV with a deadline, and work that grows with the list the KV without it.
    storesOn(kv) {
      const options = { ...shared, kv, longKv: shared.kv, credentialsChanged, waves };
      return {
        audit: createAuditStore(options),
        backups: createBackupStore(options),
        clients: createClientStore(options),
        people: createPeopleStore({
          ...options,
          findInvitationUrl: (record) => findInvitationUrl(kv, record),
        }),
        waves: createWaveStore(options),
      };
    },
    warnings,
    sender: letters.sender,
    sendTestLetter: letters.sendTestLetter,
    sendTestEvent: letters.sendTestEvent,
  });
  const sendsEvents = outbox.events;
  const texts = operator && await readConsoleTexts(undefined, site.answers);
  const consoleRoutes = operator && texts && createConsole({
    baseUrl,
    operators: config.operators,
    surface: operator,
    key: await openConsoleKey(kv, given.random),
    site,
    texts,
    previewInvitation,
    sendsEvents,
    countRequest,
    trustedProxyHops: config.trustedProxyHops,
    yieldToCalls: common.yieldToCalls,
    observer,
    log: given.log,
    now: given.now,
    monotonic: given.monotonic,
    random: given.random,
  });
  const answer = createApp({
    ...shared,
    embedOrigins: config.site.embedOrigins,
    production: createProduction({ ...shared, passedOnAddress: operator?.passedOnAddress }),
    sandbox: createSandbox(shared),
    operator,
    consoleRoutes,
    mailHooks: createMailHooks({ ...shared, ...createMailReports(shared) }),
    selfServiceRoutes: createSelfServiceRoutes(site.selfService, { ...shared, ...selfService }),
    missing: () => [heartbeat.fault() ?? [], credentials.isCurrent() ? [] : "keys"].flat(),
  });

  const working = [backups, waves, expiry, letters, ages, sweep, heartbeat, baseUrls, selfService];
  /** They write at their end what only memory has: last uses of clients, counts, failed sign-ins, the last summary. */
  const remembering = [credentials, limits, operator, observer];
  return {
    answer,
    /** What is still to do before people use the service, and what is wrong with its pages. */
    warnings: [...launch, ...site.warnings],
    checkMail: letters.checkMail,
    /** Does once what the service also does by timers: waves, letters and expiry. Gives whether more is due. */
    async workOutbox(): Promise<boolean> {
      const [hasMore] = await Promise.all([letters.work(), expiry?.run(), waves.run()]);
      return hasMore;
    },
    async close(): Promise<void> {
      for (const room of [...working, ...remembering]) await room?.close();
    },
  };
}
