/**
 * Makes the service from a configuration, an open KV and a runtime. Each part of the service is made once, after the
 * parts that it needs. @module
 */
import { createProduction, createSandbox, discoveryLinks } from "./api/mod.ts";
import { createApp, type HandleRequest } from "./app.ts";
import type { Overview } from "../shared/operator_schemas.ts";
import { type Config, contactOf, environmentUrls } from "./config/mod.ts";
import { createConsole } from "./console/mod.ts";
import { type LaunchWarning, launchWarnings, readConsoleTexts } from "./content/mod.ts";
import { describeContact } from "./discovery/mod.ts";
import { createMailHooks, lettersLackLogo, startLetters } from "./letters/mod.ts";
import { createObserver } from "./observe/mod.ts";
import { createOperatorSurface } from "./operator/mod.ts";
import { createOperatorStores } from "./operator_stores.ts";
import {
  closeAll,
  createPriority,
  refreshEachMinute,
  type RefreshedValue,
  type Runtime,
} from "./runtime/mod.ts";
import { createSelfServiceRoutes, createSite, type Site } from "./site/mod.ts";
import { reportAges } from "./store/audit/mod.ts";
import { startBackups } from "./store/backup/mod.ts";
import { openConsoleKey, startCredentials, watchBaseUrls } from "./store/credentials/mod.ts";
import { startExpiry, startSweep } from "./store/expiry/mod.ts";
import { findInvitationUrl, startSchedules, startWaves } from "./store/invitations/mod.ts";
import { startJobs } from "./store/jobs/mod.ts";
import { type Kv, type OpenKv, startStack } from "./store/kv/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import { createMailReports, createSelfService, readWaiting } from "./store/people/mod.ts";
import { createSelfServiceUrls } from "./waitlist/mod.ts";

/** What {@linkcode createService} gets besides the configuration and the base URL. */
export interface ServiceOptions {
  /** The open store. */
  store: OpenKv & {
    /** Whether other processes may have the store open as well. */
    isShared?: boolean;
  };
  runtime: Runtime;
  /**
   * Called if another version of the service has upgraded the store, so that this process has to stop. @param fault a
   * sentence for the log
   */
  onSchemaFault: (fault: string) => void;
  /** Makes the pages. Tests give a function that makes the pages only once for many services. */
  createSite?: typeof createSite;
}

/** The service, which works by its own timers until it is closed. */
export interface Service {
  answer: HandleRequest;
  /**
   * The warnings that are logged at the start: what is still to do before people use the service, and faults of the
   * pages.
   */
  startWarnings: (LaunchWarning | Site["warnings"][number])[];
  /** Tries once to log in to the mail server, and logs whether mail works. */
  checkMail: () => Promise<void>;
  /**
   * Does once the work that timers also start: schedules, waves, jobs, letters, events, expiry. Gives whether more
   * letters or events are due; the other work is done by the next call.
   */
  workOnce: () => Promise<boolean>;
  /**
   * Ends all work, and stores the data that is only in memory. To be called after the last answer. An error of one part
   * is logged, and does not keep the other parts from storing their data.
   */
  close: () => Promise<void>;
}

/**
 * Makes the service.
 * @param baseUrl the public origin, without a trailing slash
 * @throws {ConfigError} where a variable or a file of `CONTENT_PATH` is at fault
 */
export async function createService(
  config: Config,
  baseUrl: string,
  { store, runtime, onSchemaFault, createSite: makeSite = createSite }: ServiceOptions,
): Promise<Service> {
  const { mail, operators, sandboxClient, serviceName, trustedProxyHops, unconfirmedDays } = config;
  const contact = contactOf(config, baseUrl);
  const observer = createObserver(runtime.log);
  const { metrics, onBatch } = observer;
  const { prioritize, yieldToCalls } = createPriority();

  // The layers between the KV engine and the service. One of them, the heartbeat, notices when the store does not
  // answer.
  const stack = await startStack({
    store,
    runtime,
    onSchemaFault,
    onCall: metrics?.measureKvCall(store.kv.traits.system),
  });
  // Each call of this KV has its own deadline. Operators' requests use another KV, whose calls share the deadline of
  // the request; see `createOperatorStores()`.
  const { kv } = stack;
  const backups = config.backup && await startBackups(config.backup, { kv, runtime, metrics });
  const limits = await createSharedLimiter({ kv, runtime, onBatch, metrics });
  const { countRequest } = limits;
  const credentials = await startCredentials({ kv, runtime });
  const selfServiceUrls = createSelfServiceUrls(baseUrl, credentials.linkKey);

  const { site, waitingCount } = await startSite({
    config,
    baseUrl,
    contact,
    kv,
    runtime,
    makeSite,
  });
  const letters = await startLetters({
    kv,
    runtime,
    mail,
    mailFolderBeside: config.kv,
    notifyTo: config.notifyTo,
    replyTo: config.contact,
    webhook: config.webhook,
    backup: config.backup,
    unconfirmedDays,
    baseUrl,
    contact,
    site,
    selfServiceUrls,
    metrics,
  });
  const { outbox } = letters;

  const waves = startWaves({ kv, runtime, outbox, yieldToCalls });
  const jobs = startJobs({ kv, runtime, outbox, yieldToCalls });
  const schedules = startSchedules({ kv, runtime, outbox, waves });
  // Reminds and erases people who have not confirmed. Without mail, nobody can confirm, so nobody is erased.
  const expiry = mail && startExpiry({
    kv,
    runtime,
    outbox,
    unconfirmedDays,
    remindAfterDays: config.remindAfterDays,
  });
  // Removes old entries of KV that do not belong to a person's record, such as audit entries and the ids of mail
  // reports.
  const sweep = startSweep({ kv, runtime });
  // Gives the metrics the age of the signing key, and the time since the last check of the counters and the last
  // backup.
  const ageMetrics = await reportAges({ kv, runtime, metrics, keyRing: credentials.keyRing });
  // Finds other processes on the same store whose `BASE_URL` differs from that of this process.
  const baseUrlWatch = store.isShared ? await watchBaseUrls({ baseUrl, kv, runtime }) : undefined;
  const selfService = createSelfService({
    kv,
    runtime,
    outbox,
    referrals: config.referrals,
    placeInLine: config.placeInLine,
    noteReferral: metrics?.countReferral,
    readKeys: credentials.readSelfServiceKeys,
    findInvitationUrl,
  });

  const warningsBeforeLaunch = findLaunchWarnings(config, { baseUrl, site });
  /**
   * Makes the warnings of the overview: what is still to do before people use the service, and what is wrong at
   * present.
   */
  const makeOverviewWarnings = (): Overview["warnings"] => [
    ...warningsBeforeLaunch,
    ...defined(stack.warning()).map((message) => ({ about: "store" as const, message })),
    ...defined(baseUrlWatch?.warning()).map((message) => ({ about: "address" as const, message })),
  ];

  const operator = createOperatorSurface({
    kv,
    runtime,
    operators,
    baseUrl,
    contact: describeContact({ contact, siteName: site.siteName }),
    selfServiceUrls,
    storesOn: (callKv) =>
      createOperatorStores({
        kv: callKv,
        // Work that takes longer for a longer waitlist uses this KV, which does not have the deadline of the request.
        longKv: kv,
        runtime,
        backup: config.backup,
        learnCredentials: credentials.learnChanges,
        outbox,
        waves,
        jobs,
        yieldToCalls,
      }),
    warnings: makeOverviewWarnings,
    sender: letters.sender,
    sendTestLetter: letters.sendTestLetter,
    sendTestEvent: letters.sendTestEvent,
    countRequest,
    trustedProxyHops,
    observer,
  });
  const consoleRoutes = operator && createConsole({
    runtime,
    baseUrl,
    operators,
    surface: operator,
    key: await openConsoleKey(kv, runtime.random),
    site,
    texts: await readConsoleTexts({ answers: site.answers }),
    previewInvitation: letters.previewInvitation,
    sendsEvents: outbox.events,
    countRequest,
    trustedProxyHops,
    yieldToCalls,
    observer,
  });

  const { noteMailReport, keepReportId } = createMailReports({ kv, runtime });
  const answer = createApp({
    runtime,
    production: createProduction({
      kv,
      runtime,
      baseUrl,
      serviceName,
      credentials,
      outbox,
      referrals: config.referrals,
      onBatch,
      metrics,
      passedOnAddress: operator?.passedOnAddress,
    }),
    sandbox: createSandbox({ runtime, baseUrl, serviceName, credentials, sandboxClient }),
    operator,
    consoleRoutes,
    mailHooks: createMailHooks({
      runtime,
      mailHook: config.mailHook,
      countRequest,
      trustedProxyHops,
      observer,
      noteMailReport,
      keepReportId,
    }),
    selfServiceRoutes: createSelfServiceRoutes({
      pages: site.selfService,
      headers: site.security,
      trustedProxyHops,
      inCall: selfService.inCall,
      askForLink: selfService.askForLink,
    }),
    site,
    contact,
    sandboxClient,
    embedOrigins: config.site.embedOrigins,
    countRequest,
    trustedProxyHops,
    observer,
    prioritize,
    listMissing: () => defined(stack.fault(), credentials.isCurrent() ? undefined : "keys"),
  });

  const partsWithTimers = {
    backups,
    schedules,
    waves,
    jobs,
    expiry,
    letters,
    ageMetrics,
    sweep,
    stack,
    baseUrlWatch,
    selfService,
    waitingCount,
  };
  /**
   * The parts that, when they are closed, store or log data that is only in memory: last uses of clients, counts of
   * limits and refused calls, the summary.
   */
  const partsToFlush = { credentials, limits, operator, observer };
  return {
    answer,
    startWarnings: [...warningsBeforeLaunch, ...site.warnings],
    checkMail: letters.checkMail,
    async workOnce() {
      await schedules.run();
      const [hasMore] = await Promise.all([
        letters.work(),
        expiry?.run(),
        waves.run(),
        jobs.run(),
      ]);
      return hasMore;
    },
    async close() {
      // The parts with timers are closed first, because they may still give data to the other parts, which then write
      // it.
      await closeAll(partsWithTimers, runtime.log);
      await closeAll(partsToFlush, runtime.log);
    },
  };
}

interface SiteParts {
  config: Config;
  baseUrl: string;
  contact: string;
  kv: Kv;
  runtime: Pick<Runtime, "repeat">;
  makeSite: typeof createSite;
}

/**
 * Makes the site. If a page shows the number of waiting people, also begins to read this number each minute.
 * `countWaiting` gives `undefined` until then, because only the finished site tells whether a page shows the number.
 */
async function startSite(
  { config, baseUrl, contact, kv, runtime, makeSite }: SiteParts,
): Promise<{ site: Site; waitingCount: RefreshedValue<number | undefined> | undefined }> {
  let waitingCount: RefreshedValue<number | undefined> | undefined;
  const site = await makeSite({
    baseUrl,
    contact,
    sandboxClient: config.sandboxClient,
    unconfirmedDays: config.unconfirmedDays,
    backupDays: config.backup?.keep,
    mail: config.mail !== undefined,
    referrals: config.referrals,
    countWaiting: () => waitingCount?.get(),
    // The links lead to the production API, whose paths have no prefix.
    apiLinks: discoveryLinks(environmentUrls(baseUrl, "")),
    siteName: config.site.siteName,
    embedOrigins: config.site.embedOrigins,
    contentPath: config.site.contentPath,
    contentScripts: config.site.contentScripts,
  });
  if (site.showsWaitingCount) {
    const options = { first: undefined, repeat: runtime.repeat };
    waitingCount = await refreshEachMinute(() => readWaiting(kv), options);
  }
  return { site, waitingCount };
}

/** Finds what is still to do before people use the service. */
const findLaunchWarnings = (
  config: Config,
  { baseUrl, site }: { baseUrl: string; site: Site },
): LaunchWarning[] =>
  launchWarnings({
    baseUrl,
    contact: config.contact,
    mail: config.mail,
    trustedProxyHops: config.trustedProxyHops,
    backup: config.backup,
    onDenoDeploy: config.onDenoDeploy,
    siteName: site.siteName,
    hasPromise: site.hasPromise,
    hasOwnPicture: site.hasOwnPicture,
    lettersLackLogo: lettersLackLogo(site.brand),
    languages: site.languages,
  });

/** Gives the values that are not `undefined`. */
const defined = <Value>(...values: (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined);
