/** The whole service behind a real socket, for clients that bring their own HTTP: libraries and curl. @module */
import type { ServiceVariables } from "../../server/config/mod.ts";
import { createLog, repeatByTimer, serve } from "../../server/runtime/mod.ts";
import { createService, type Service } from "../../server/service.ts";
import { accept } from "./config.ts";
import { random } from "./records.ts";
import { createTestClient } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** A service that listens on a free port of this machine. */
export type ListeningService = Awaited<ReturnType<typeof listen>>;

/** Starts a service on a KV in memory, with one production client. */
export async function listen(variables: ServiceVariables = {}) {
  const kv = await openMemoryKv();
  const service = await listenOn(kv, variables);
  return {
    /** The public origin, which is where it listens. */
    baseUrl: service.baseUrl,
    /** Those of a production client that may read the statistics. */
    credentials: await createTestClient({ kv, clock: { now: Date.now() } }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      kv.close();
    },
  };
}

/**
 * Starts a service and gives the address that it listens on; its own base URL may be another `BASE_URL`.
 * @param options.clock both clocks; those of this machine by default
 * @param options.write takes the lines of the log, from `error` on
 */
export async function listenOn(
  kv: Kv,
  variables: ServiceVariables = {},
  { clock, write = console.error }: {
    clock?: () => number;
    write?: (line: string) => void;
  } = {},
): Promise<AsyncDisposable & { baseUrl: string }> {
  const now = clock ?? Date.now;
  const config = accept(variables);
  // The service needs the port that is bound, and the first request waits for the service.
  const service = Promise.withResolvers<Service>();
  const server = await serve({
    address: { port: 0, hostname: "127.0.0.1" },
    handler: async (request, info) => (await service.promise).answer(request, info),
    signal: new AbortController().signal,
  });
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  const started = await createService(config, config.baseUrl ?? baseUrl, {
    store: { kv },
    runtime: {
      now,
      monotonic: clock ?? (() => performance.now()),
      random,
      log: createLog({ level: "error", now, write }),
      repeat: repeatByTimer,
    },
    onSchemaFault: console.error,
  });
  service.resolve(started);
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await started.close();
    },
  };
}
