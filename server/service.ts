/**
 * Makes the service from a configuration, an open KV and a runtime. Each part of the service is made once, after the
 * parts that it needs. @module
 */
import type { Overview } from "../shared/operator_schemas.ts";
import { createProduction, createSandbox } from "./api/mod.ts";
import { type AppOptions, createApp, type HandleRequest } from "./app.ts";
import { type Config, contactOf } from "./config/mod.ts";
import { createConsole } from "./console/mod.ts";
import { type LaunchWarning, readConsoleTexts } from "./content/mod.ts";
import { describeContact } from "./discovery/mod.ts";
import { createMailHooks, type Letters, startLetters } from "./letters/mod.ts";
import type { CountRequest } from "./limits/mod.ts";
import { createObserver, type Observer } from "./observe/mod.ts";
import { createOperatorSurface, type OperatorSurface } from "./operator/mod.ts";
import { createOperatorStores } from "./operator_stores.ts";
import { closeAll, createPriority, type Priority, type Runtime } from "./runtime/mod.ts";
import { createSelfServiceRoutes, createSite, type Site } from "./site/mod.ts";
import { startSite } from "./start_site.ts";
import { reportAges } from "./store/audit/mod.ts";
import { startBackups } from "./store/backup/mod.ts";
import {
  openConsoleKey,
  type ServiceCredentials,
  startCredentials,
  watchBaseUrls,
} from "./store/credentials/mod.ts";
import { startExpiry, startSweep } from "./store/expiry/mod.ts";
import { findInvitationUrl, startSchedules, startWaves } from "./store/invitations/mod.ts";
import { startJobWork } from "./store/jobs/mod.ts";
import { type Kv, type OpenKv, startStack } from "./store/kv/mod.ts";
import { createSharedLimiter } from "./store/limits/mod.ts";
import { createMailReports, createSelfService, type SelfService } from "./store/people/mod.ts";
import { createSelfServiceUrls, type SelfServiceUrls } from "./waitlist/mod.ts";

/** What {@linkcode createService} gets besides the configuration and the base URL. */
export interface ServiceOptions {
  /** The open store. */
  store: OpenKv & {
    /** Whether other processes may have the store open as well. */
    isShared?: boolean;
  };
  runtime: Runtime;
  /**
   * Called if another version of the service has upgraded the store. This process then has to stop.
   * @param fault a sentence for the log
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
   * Makes one round of the work that timers also start: schedules, waves, jobs, letters, events, expiry. The result
   * tells whether more letters or events are due. It does not tell whether other work is due, because each call finds
   * such work by itself.
   */
  workOnce: () => Promise<boolean>;
  /**
   * Ends all work, and stores the data that is only in memory. Must be called after the last answer. If one part of the
   * service fails to close, the error is logged, and the other parts still store their data.
   */
  close: () => Promise<void>;
}

/** The settings and the parts of the service that several functions of this file need to make the remaining parts. */
interface SharedParts {
  config: Config;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address that pages and letters show. */
  contact: string;
  /**
   * The KV. Each of its calls has a deadline of its own. A request of an operator uses another KV, whose calls all
   * share the deadline of the request; see {@linkcode createOperatorStores}.
   */
  kv: Kv;
  runtime: Runtime;
  observer: Observer;
  countRequest: CountRequest;
  priority: Priority;
  credentials: ServiceCredentials;
  selfServiceUrls: SelfServiceUrls;
  site: Site;
  letters: Letters;
}

/**
 * Makes the service.
 * @param baseUrl the public origin, without a trailing slash
 * @throws {ConfigError} if a variable or a file of `CONTENT_PATH` is at fault
 */
export async function createService(
  config: Config,
  baseUrl: string,
  { store, runtime, onSchemaFault, createSite: makeSite = createSite }: ServiceOptions,
): Promise<Service> {
  const contact = contactOf(config, baseUrl);
  const observer = createObserver(runtime.log);
  const { metrics, onBatch } = observer;

  // The layers between the KV engine and the service. One of them, the heartbeat, notices when the store does not
  // answer.
  const stack = await startStack({
    store,
    runtime,
    onSchemaFault,
    onCall: metrics?.measureKvCall(store.kv.traits.system),
  });
  const { kv } = stack;
  const backups = config.backup && await startBackups(config.backup, { kv, runtime, metrics });
  const limits = await createSharedLimiter({ kv, runtime, onBatch, metrics });
  const credentials = await startCredentials({ kv, runtime });
  const selfServiceUrls = createSelfServiceUrls(baseUrl, credentials.selfServiceKey);
  const { site, waitingCount, launchWarnings } = await startSite({
    config,
    baseUrl,
    contact,
    kv,
    runtime,
    createSite: makeSite,
  });
  const letters = await startLetters({
    kv,
    runtime,
    mail: config.mail,
    kvLocation: config.kv,
    notifyTo: config.notifyTo,
    replyTo: config.contact,
    webhook: config.webhook,
    backup: config.backup,
    unconfirmedDays: config.unconfirmedDays,
    baseUrl,
    contact,
    site,
    selfServiceUrls,
    metrics,
  });
  const shared: SharedParts = {
    config,
    baseUrl,
    contact,
    kv,
    runtime,
    observer,
    countRequest: limits.countRequest,
    priority: createPriority(),
    credentials,
    selfServiceUrls,
    site,
    letters,
  };

  const backgroundWork = startBackgroundWork(shared);
  // Gives the metrics three ages: of the signing key, of the last verification that found the counters correct, and of
  // the last whole backup.
  const ageMetrics = await reportAges({ kv, runtime, metrics, keyRing: credentials.keyRing });
  // Finds other processes on the same store whose `BASE_URL` differs from that of this process.
  const baseUrlWatch = store.isShared ? await watchBaseUrls({ baseUrl, kv, runtime }) : undefined;

  const { operator, consoleRoutes } = await createOperatorParts(shared, {
    backgroundWork,
    // The warnings in the console's overview: what is still to do before people use the service, and what is wrong at
    // present.
    makeOverviewWarnings: () => [
      ...launchWarnings,
      ...selectDefined(
        toOverviewWarning("store", stack.warning()),
        toOverviewWarning("address", baseUrlWatch?.warning()),
      ),
    ],
  });
  const selfService = createSelfService({
    kv,
    runtime,
    outbox: letters.outbox,
    givesReferralCodes: config.hasReferrals,
    showsPlaceInLine: config.showsPlaceInLine,
    noteReferral: metrics?.countReferral,
    readKeys: credentials.readSelfServiceKeys,
    findInvitationUrl,
  });
  const answer = createRequestHandler(shared, {
    operator,
    consoleRoutes,
    selfService,
    listMissing: () => selectDefined(stack.fault(), credentials.isCurrent() ? undefined : "keys"),
  });

  const partsWithTimers = {
    backups,
    schedules: backgroundWork.schedules,
    waves: backgroundWork.waves,
    jobs: backgroundWork.jobs,
    expiry: backgroundWork.expiry,
    letters,
    ageMetrics,
    sweep: backgroundWork.sweep,
    stack,
    baseUrlWatch,
    selfService,
    waitingCount,
  };
  /**
   * The parts that store or log data when they are closed, because this data is only in memory: when clients were last
   * used, the counts for limits and of refused calls, and the summary for the log.
   */
  const partsToFlush = { credentials, limits, operator, observer };
  return {
    answer,
    startWarnings: [...launchWarnings, ...site.warnings],
    checkMail: letters.checkMail,
    async workOnce() {
      await backgroundWork.schedules.run();
      const [hasMore] = await Promise.all([
        letters.work(),
        backgroundWork.expiry?.run(),
        backgroundWork.waves.run(),
        backgroundWork.jobs.run(),
      ]);
      return hasMore;
    },
    async close() {
      // The parts with timers are closed first, because they may still give data to `partsToFlush`, which then store
      // this data.
      await closeAll(partsWithTimers, runtime.log);
      await closeAll(partsToFlush, runtime.log);
    },
  };
}

/** Starts the work on the waitlist that no request starts. Timers repeat this work. */
function startBackgroundWork(
  { config, kv, runtime, letters, priority: { yieldToCalls } }: SharedParts,
) {
  const { outbox } = letters;
  const waves = startWaves({ kv, runtime, outbox, yieldToCalls });
  return {
    waves,
    schedules: startSchedules({ kv, runtime, outbox, waves }),
    jobs: startJobWork({ kv, runtime, outbox, yieldToCalls }),
    // Reminds and erases people who have not confirmed. Without mail, nobody can confirm, so nobody is erased.
    expiry: config.mail && startExpiry({
      kv,
      runtime,
      outbox,
      unconfirmedDays: config.unconfirmedDays,
      remindAfterDays: config.remindAfterDays,
    }),
    // Removes old entries of KV that do not belong to a person's record, such as audit entries and the ids of mail
    // reports, and cancels jobs that have run for too long.
    sweep: startSweep({ kv, runtime }),
  };
}

/** What {@linkcode createOperatorParts} needs besides the shared parts. */
interface OperatorPartsOptions {
  backgroundWork: Pick<ReturnType<typeof startBackgroundWork>, "waves" | "jobs">;
  makeOverviewWarnings: () => Overview["warnings"];
}

/** Makes the operator surface and the console. Both are `undefined` if the configuration names no operator. */
async function createOperatorParts(
  shared: SharedParts,
  { backgroundWork, makeOverviewWarnings }: OperatorPartsOptions,
): Promise<Pick<AppOptions, "consoleRoutes"> & { operator: OperatorSurface | undefined }> {
  const { config, baseUrl, kv, runtime, observer, countRequest, site, letters } = shared;
  const { contact, credentials, selfServiceUrls, priority: { yieldToCalls } } = shared;
  const { operators, trustedProxyHops } = config;
  const operator = createOperatorSurface({
    kv,
    runtime,
    operators,
    baseUrl,
    contact: describeContact({ contact, siteName: site.siteName }),
    selfServiceUrls,
    answers: site.answers,
    unconfirmedDays: config.unconfirmedDays,
    storesOn: (callKv) =>
      createOperatorStores({
        kv: callKv,
        // Work that takes longer for a longer waitlist uses this KV, which does not have the deadline of the request.
        longKv: kv,
        runtime,
        backup: config.backup,
        learnCredentials: credentials.learnCredentials,
        outbox: letters.outbox,
        waves: backgroundWork.waves,
        jobs: backgroundWork.jobs,
        yieldToCalls,
      }),
    makeOverviewWarnings,
    sender: letters.sender,
    sendTestLetter: letters.sendTestLetter,
    sendTestEvent: letters.sendTestEvent,
    yieldToCalls,
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
    offeredAnswers: site.answers,
    previewInvitation: letters.previewInvitation,
    sendsEvents: letters.outbox.sendsEvents,
    countRequest,
    trustedProxyHops,
    yieldToCalls,
    observer,
  });
  return { operator, consoleRoutes };
}

/** What {@linkcode createRequestHandler} needs besides the shared parts. */
interface RequestHandlerOptions extends Pick<AppOptions, "consoleRoutes" | "listMissing"> {
  operator: OperatorSurface | undefined;
  selfService: SelfService;
}

/**
 * Makes the parts that answer public requests, and the function that gives each request to the part that answers it.
 */
function createRequestHandler(
  shared: SharedParts,
  { operator, consoleRoutes, selfService, listMissing }: RequestHandlerOptions,
): HandleRequest {
  const { config, baseUrl, kv, runtime, observer, countRequest, credentials, site } = shared;
  const { contact, letters, priority: { prioritize } } = shared;
  const { serviceName, sandboxClient, trustedProxyHops } = config;
  const { noteMailReport, keepReportId } = createMailReports({ kv, runtime });
  return createApp({
    runtime,
    production: createProduction({
      kv,
      runtime,
      baseUrl,
      serviceName,
      credentials,
      outbox: letters.outbox,
      referrals: config.hasReferrals,
      onBatch: observer.onBatch,
      metrics: observer.metrics,
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
    listMissing,
  });
}

/** Makes a warning of the overview; `undefined` if there is no message. */
const toOverviewWarning = (about: "store" | "address", message: string | undefined) =>
  message === undefined ? undefined : { about, message };

/** Gives the values that are not `undefined`. */
const selectDefined = <Value>(...values: (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined);
