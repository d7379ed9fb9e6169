import { ServerProcess } from "./server_process.ts";
import { measure } from "./wrk.ts";

/** The most that may be resident after a million sign-ups, in megabytes. */
export const MAX_MEGABYTES = 200;

/** What a number of sign-ups left in memory. */
export interface MemoryFigures {
  signUps: number;
  seconds: number;
  megabytes: number;
}

/** Sends at least so many sign-ups of new addresses through HTTP, each from a source of its own. */
export async function memoryAfterSignUps(path: string, signUps: number): Promise<MemoryFigures> {
  await using server = await ServerProcess.startService(path);
  const started = performance.now();
  let stored = 0;
  while (stored < signUps) {
    const { requests, refused, failed } = await measure(server.port, {
      method: "POST",
      path: "/api/v1/waitlist",
      headers: { "Content-Type": "application/json" },
      body: '{"email":"visitor{n}.{run}@example.com","consent":true,"source":"cta"}',
      varyAddress: true,
    }, 10);
    if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} sign-ups failed`);
    stored += requests - refused;
  }
  const seconds = (performance.now() - started) / 1000;
  return { signUps: stored, seconds, megabytes: await server.residentMegabytes() };
}
