import { join } from "node:path";
import { Denokv, DENOKV_ACCESS_TOKEN, DENOKV_FILE } from "../../support/denokv.ts";
import { forgetLimits, type RunningServer, ServerProcess } from "./server_process.ts";

/** Starts processes of the service on a `denokv` of their own, with a copy of a KV file. */
export async function startOnDenokv(kvPath: string, processes: number): Promise<RunningServer> {
  await using resources = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
  await Deno.copyFile(kvPath, join(folder, DENOKV_FILE));
  const denokv = resources.use(await Denokv.start(folder));
  await forgetLimits({ kind: "connect", url: denokv.url, accessToken: DENOKV_ACCESS_TOKEN });
  const ports: number[] = [];
  const pids = [denokv.pid];
  for (let started = 0; started < processes; started++) {
    const service = resources.use(
      await ServerProcess.startServiceOn({
        KV_URL: denokv.url,
        DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN,
      }),
    );
    ports.push(...service.ports);
    pids.push(...service.pids);
  }
  const running = resources.move();
  return { ports, pids, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
