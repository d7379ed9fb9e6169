/** Runs the service: reads the environment, opens the store and listens. `stop.ts` stops the process. @module */
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { VERSION } from "../shared/version.ts";
import {
  ALL_VARIABLE_NAMES,
  type Config,
  CONFIG_EXIT_CODE,
  ConfigError,
  findOpenPaths,
  type OpenPath,
  readConfig,
} from "./config/mod.ts";
import { PATHS } from "./console/mod.ts";
import { createCaller, InFlight, keepListening } from "./http/mod.ts";
import { describeMail } from "./letters/mod.ts";
import { watchCollector } from "./observe/mod.ts";
import {
  createLog,
  everyMinute,
  isDeno,
  repeatByTimer,
  type Runtime,
  serve,
  type ServeOptions,
} from "./runtime/mod.ts";
import { createService, type Service } from "./service.ts";
import { createStop, stopAfterSignals } from "./stop.ts";
import { openKv, upgradeStore } from "./store/kv/mod.ts";

/** How long the service waits for an answer of the metrics collector, in milliseconds. */
const COLLECTOR_MS = 10_000;

/**
 * How long the work of one call from Deno Deploy may take, in milliseconds. Deno Deploy makes such a call each minute.
 */
const MAX_WORK_MS = 55_000;

/** The function that Deno Deploy calls each minute. `undefined` on other platforms, and before the service is made. */
let workOnce: Service["workOnce"] | undefined;

// Deno Deploy stops a process that gets no requests, and starts a process each minute for this work. The work is
// registered at the top level, because Deno Deploy finds it only there. On other platforms, the service does this work
// by its own timers.
everyMinute("outbox", async () => {
  const end = performance.now() + MAX_WORK_MS;
  while (await workOnce?.() && performance.now() < end) await delay(1_000);
});

/** Reads the configuration, and runs the service. Ends the process if the start fails. */
async function main(): Promise<void> {
  const result = readConfig(
    Object.fromEntries(ALL_VARIABLE_NAMES.map((name) => [name, process.env[name]])),
  );
  if ("faults" in result) {
    for (const fault of result.faults) console.error(fault);
    process.exit(CONFIG_EXIT_CODE);
  }
  const { config } = result;
  const now = Date.now;
  const runtime: Runtime = {
    now,
    monotonic: () => performance.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    log: createLog({ level: config.logLevel, now, write: console.error }),
    repeat: repeatByTimer,
  };
  try {
    await run(config, runtime);
  } catch (error) {
    runtime.log.error("start failed", { error: (error as Error).message });
    process.exit(error instanceof ConfigError ? CONFIG_EXIT_CODE : 1);
  }
}

/** Opens the store, listens, makes the service, and logs what the operator has to know. */
async function run(config: Config, runtime: Runtime): Promise<void> {
  const { log } = runtime;
  const store = await openKv(config.kv);
  await upgradeStore({
    kv: store.kv,
    isShared: store.isShared,
    monotonic: runtime.monotonic,
    random: runtime.random,
    log,
  });

  // The listener starts before the service is made, because the service must know the port. Requests that arrive before
  // the service is made wait for the service. Later requests go straight to the function `answer` of the service,
  // because a promise for each request would cost time.
  const serviceMade = Promise.withResolvers<Service>();
  let answer: Service["answer"] = async (request, info) =>
    (await serviceMade.promise).answer(request, info);
  const inFlight = new InFlight();
  const listener = await keepListening({
    serve: (signal, port = config.port) =>
      listen({ ...config, port }, {
        signal,
        handler: (request, info) => inFlight.track(answer(request, info)),
      }),
    log,
    onEnd: () => stop(1),
  });
  const stop = createStop({ service: serviceMade.promise, store, listener, inFlight, log });

  const { hostname, port } = listener.addr;
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const service = await createService(config, baseUrl, {
    store,
    runtime,
    onSchemaFault(fault) {
      log.error("another version of the service has upgraded the store; stopping", {
        error: fault,
      });
      stop(1);
    },
  });
  answer = service.answer;
  serviceMade.resolve(service);
  if (config.isDenoDeploy) workOnce = service.workOnce;
  stopAfterSignals(stop);

  const letters = describeMail(config);
  watchMetrics(config, runtime);
  const openPaths = await findOpenPaths(config);
  log.info("started", { version: VERSION, baseUrl, hostname, port, store: store.name, letters });
  logStartWarnings(service.startWarnings, openPaths, log);
  // The start does not wait for this check, which never rejects.
  void service.checkMail();
  if (process.stdout.isTTY) console.log(makeGreeting(config, baseUrl, letters));
}

/** Logs what is still to do before people use the service, and what other accounts of the machine may do. */
function logStartWarnings(
  startWarnings: Service["startWarnings"],
  openPaths: OpenPath[],
  log: Runtime["log"],
): void {
  for (const { about, message } of startWarnings) {
    const line = about === "scripts" ? "check the scripts in CONTENT_PATH" : "not ready for launch";
    log.warn(line, { about, message });
  }
  for (const { path, advice } of openPaths) {
    log.warn("a file or folder is open to other accounts", { path, advice });
  }
}

/** Listens on the configured host and port. On Deno Deploy, listens where the platform chooses. */
async function listen(
  { host, port, isDenoDeploy }: Config,
  options: Omit<ServeOptions, "address">,
) {
  if (isDenoDeploy) return await serve(options);
  try {
    return await serve({ address: { hostname: host, port }, ...options });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `The service cannot listen on HOST ${host} and PORT ${port}; the system reports '${message}'. ` +
        "Set another HOST or PORT, or PORT=0 for any free port.",
    );
  }
}

/**
 * Starts to check whether metrics reach their collector, and to log faults. Without `OTEL_DENO`, no metrics are
 * exported, so there is nothing to check.
 */
function watchMetrics({ isDenoDeploy }: Config, runtime: Runtime): void {
  if (!["1", "true"].includes(process.env.OTEL_DENO ?? "")) return;
  if (!isDeno) {
    runtime.log.warn("no metrics or traces are exported", {
      advice: "Node exports no metrics and no traces; unset OTEL_DENO, or run the service on Deno",
    });
    return;
  }
  // Nothing is checked on Deno Deploy, because the platform has its own collector.
  if (isDenoDeploy) return;
  watchCollector(process.env, {
    log: runtime.log,
    repeat: runtime.repeat,
    post: createCaller(COLLECTOR_MS).post,
  });
}

/** Makes the text that a terminal shows after the start. */
function makeGreeting({ operators }: Config, baseUrl: string, letters: string): string {
  const consoleUrl = operators.length > 0 ? baseUrl + PATHS.overview : undefined;
  return `
The waitlist runs at ${baseUrl}

  Status   ${baseUrl}/api/v1/status
  API      ${baseUrl}/openapi.json
  Pages    ${baseUrl}/
  Console  ${consoleUrl ?? "off: set OPERATOR_KEY to turn it on"}
  Letters  ${letters}
`;
}

await main();
