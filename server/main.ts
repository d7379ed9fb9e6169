/**
 * The composition root: reads the environment, opens KV, starts and stops serving.
 *
 * @module
 */
import { type Config, readConfig, VARIABLES, type Variables } from "./config.ts";
import { createLog, type Log } from "./log.ts";
import { createService, type Service } from "./service.ts";
import { openKv } from "./store/open.ts";

/** How long requests in flight may take once the service is told to stop, in milliseconds. */
const SHUTDOWN_MS = 4_000;

async function main(): Promise<void> {
  const variables: Variables = {};
  for (const name of VARIABLES) variables[name] = Deno.env.get(name);
  const result = readConfig(variables);
  if ("faults" in result) {
    for (const fault of result.faults) console.error(fault);
    Deno.exit(1);
  }
  const { config } = result;
  const now = Date.now;
  const log = createLog({ level: config.logLevel, now, write: console.error });
  try {
    await serve(config, now, log);
  } catch (error) {
    log.error("start failed", { error: (error as Error).message });
    Deno.exit(1);
  }
}

async function serve(config: Config, now: () => number, log: Log): Promise<void> {
  const { kv, engine, close } = await openKv(config.kv);

  // The app needs the port that is bound, and the first request waits for the app.
  const bound = Promise.withResolvers<number>();
  const started: Promise<Service> = bound.promise.then((port) =>
    createService(config, config.baseUrl ?? `http://localhost:${port}`, {
      kv,
      engine,
      now,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      log,
    })
  );
  let answer: Deno.ServeHandler<Deno.NetAddr> = async (request, info) =>
    (await started).app.fetch(request, info);
  const server = Deno.serve({
    ...(!config.onDenoDeploy && { port: config.port, hostname: config.hostname }),
    onListen: ({ port }) => bound.resolve(port),
  }, (request, info) => answer(request, info));

  const service = await started;
  answer = (request, info) => service.app.fetch(request, info);
  const baseUrl = config.baseUrl ?? `http://localhost:${await bound.promise}`;
  log.info("started", { baseUrl });
  console.log(greeting(baseUrl, config.sandboxClient));

  const stop = async () => {
    log.info("stopping");
    const deadline = setTimeout(() => Deno.exit(0), SHUTDOWN_MS);
    await server.shutdown();
    await service.close();
    close();
    clearTimeout(deadline);
    log.info("stopped");
    Deno.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
}

function greeting(baseUrl: string, sandboxClient: string): string {
  return `
The waitlist runs at ${baseUrl}

  Status   ${baseUrl}/api/v1/status
  API      ${baseUrl}/openapi.json
  Pages    ${baseUrl}/

Try the sandbox, which stores nothing:

  curl -u ${sandboxClient}:${sandboxClient} -d grant_type=client_credentials \\
    ${baseUrl}/sandbox/api/v1/oauth/token
`;
}

await main();
