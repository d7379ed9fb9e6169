/**
 * The whole service behind a real socket, for clients that bring their own HTTP: libraries and curl.
 *
 * @module
 */
import { readConfig, type ServiceVariables } from "../../server/config/mod.ts";
import { createLog, repeat } from "../../server/runtime/mod.ts";
import { newClient, STATS_SCOPE } from "../../server/oauth/clients.ts";
import { createService, type Service } from "../../server/service.ts";
import { createClient } from "../../server/store/credentials/clients.ts";
import { LOCAL_ENGINE } from "../../server/store/kv/open.ts";

/** A service that listens on a free port of this machine. */
export interface ListeningService extends AsyncDisposable {
  /** The public origin, which is where it listens. */
  baseUrl: string;
  /** Credentials of a production client that may read the statistics. */
  credentials: { clientId: string; clientSecret: string };
}

/** Starts a service on a KV in memory, with one production client. */
export async function listen(variables: ServiceVariables = {}): Promise<ListeningService> {
  const kv = await Deno.openKv(":memory:");
  const service = await listenOn(kv, variables);
  const { client, clientSecret } = newClient({ name: "Test", scopes: [STATS_SCOPE] }, {
    now: Date.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  await createClient(kv, client);
  return {
    baseUrl: service.baseUrl,
    credentials: { clientId: client.clientId, clientSecret },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      kv.close();
    },
  };
}

/** Starts a service and gives the address that it listens on; its own base URL may be another `BASE_URL`. */
export async function listenOn(
  kv: Deno.Kv,
  variables: ServiceVariables = {},
): Promise<AsyncDisposable & { baseUrl: string }> {
  const dependencies = {
    kv,
    engine: LOCAL_ENGINE,
    now: Date.now,
    monotonic: () => performance.now(),
    random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    log: createLog({ level: "error", now: Date.now, write: console.error }),
    repeat,
    onSchemaFault: console.error,
  };
  const result = readConfig(variables);
  if ("faults" in result) throw new Error(result.faults.join("\n"));

  // The service needs the port that is bound, and the first request waits for the service.
  const service = Promise.withResolvers<Service>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request, info) => (await service.promise).answer(request, info),
  );
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  const started = await createService(
    result.config,
    result.config.baseUrl ?? baseUrl,
    dependencies,
  );
  service.resolve(started);
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await started.close();
    },
  };
}
