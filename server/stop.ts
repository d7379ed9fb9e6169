/** Stops the process of the service: after a signal, or when the service cannot go on. @module */
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { InFlight, Listener } from "./http/mod.ts";
import type { Runtime } from "./runtime/mod.ts";
import type { Service } from "./service.ts";

/** After the signal to stop: how long the bodies of running requests may still take to arrive, in milliseconds. */
const ARRIVAL_MS = 1_000;

/** How long the answers to running requests may still take after {@linkcode ARRIVAL_MS}, in milliseconds. */
const DRAIN_MS = 2_000;

/** The longest time from the signal to stop to the end of the process, in milliseconds. */
const SHUTDOWN_MS = 4_000;

/** How often the process looks whether the process of `start.ts` has ended, in milliseconds. */
const PARENT_CHECK_MS = 1_000;

interface StopOptions {
  /** Resolves to the service once it is made. */
  service: Promise<Service>;
  store: Disposable;
  listener: Listener;
  inFlight: InFlight;
  log: Runtime["log"];
}

/**
 * Stops the process: refuses new requests, lets the running requests end, stores the data that is only in memory, and
 * exits with the code. Only the first call has an effect.
 */
export type Stop = (exitCode: number) => Promise<void>;

/** Makes the function that stops the process. */
export function createStop({ service, store, listener, inFlight, log }: StopOptions): Stop {
  let isStopping = false;
  return async (exitCode) => {
    const { close } = await service;
    // The signal can come twice, because a terminal sends SIGINT to this process and to `start.ts`, and `start.ts`
    // passes the signal on.
    if (isStopping) return;
    isStopping = true;
    log.info("stopping");
    const deadline = setTimeout(() => process.exit(exitCode), SHUTDOWN_MS);
    // The bodies of running requests get time to arrive before `shutdown()` is called, because it cuts off every body
    // that is still arriving.
    await Promise.race([inFlight.settled(), delay(ARRIVAL_MS)]);
    // The wait is limited, so that data that is only in memory is stored even if a request never ends.
    await Promise.race([listener.shutdown(), delay(DRAIN_MS)]);
    await close();
    store[Symbol.dispose]();
    clearTimeout(deadline);
    log.info("stopped");
    process.exit(exitCode);
  };
}

/** Stops the process after a signal, and when the process of `start.ts` has ended. */
export function stopAfterSignals(stop: Stop): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stop(0));
  }
  const [parentId] = process.argv.slice(2);
  if (parentId) watchParent(Number(parentId), () => stop(1));
}

/**
 * Calls `onEnd` when the process of `start.ts` has ended. Otherwise, this process would go on and keep the KV file
 * locked.
 *
 * @param parentId the id of the process of `start.ts`
 */
function watchParent(parentId: number, onEnd: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parentId) return;
    clearInterval(timer);
    onEnd();
  }, PARENT_CHECK_MS);
}
