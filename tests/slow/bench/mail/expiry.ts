import type { Overview } from "../../../../shared/operator_schemas.ts";
import { setTimeout as delay } from "node:timers/promises";
import { startSteadySignUps } from "../list/steady_sign_ups.ts";
import {
  type CommandFigures,
  MAX_MEGABYTES,
  MAX_P99,
  peakMegabytes,
  SIGN_UPS_PER_SECOND,
  WARM_UP_MS,
} from "../list/measure_command.ts";
import { ServerProcess } from "../server_process.ts";
import { addPeople } from "./add_people.ts";

/** How long it may take, in seconds. */
const AT_MOST = 30;

/** More days than an address that is not confirmed is kept. */
const DAYS = 20;

/** The interval at which it is looked how far the work is, in milliseconds. */
const LOOK_MS = 100;

/**
 * Measures how long it takes to erase people who did not confirm, with sign-ups going on beside it.
 *
 * @param path a KV file with many other people
 */
export async function measureExpiry(path: string, people: number): Promise<CommandFigures> {
  await addPeople(path, { people, askedDaysAgo: DAYS });
  const key = crypto.randomUUID();
  await using server = await ServerProcess.startService(path, {
    OPERATOR_KEY: key,
    MAIL_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "Waitlist <hello@example.com>",
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const headers = { Authorization: `Bearer ${key}` };
  const readOverview = async (): Promise<Overview> => {
    const response = await fetch(`${baseUrl}/operator/v1/overview`, { headers });
    return await response.json();
  };
  const warmUp = startSteadySignUps(baseUrl, SIGN_UPS_PER_SECOND);
  await delay(WARM_UP_MS);
  await warmUp.stop();
  const before = await readOverview();
  const kept = before.states.unconfirmed - people;

  /** Waits until there is something to tell of the people who are left, besides those who sign up meanwhile. */
  async function until(holds: (left: number) => boolean): Promise<void> {
    for (;;) {
      const { states, last7Days } = await readOverview();
      if (holds(states.unconfirmed - kept - (last7Days - before.last7Days))) return;
      await delay(LOOK_MS);
    }
  }

  await until((left) => left < people);
  const started = performance.now();
  const signUps = startSteadySignUps(baseUrl, SIGN_UPS_PER_SECOND);
  await until((left) => left <= 0);
  const seconds = (performance.now() - started) / 1000;
  const { failed, p99, signUps: count } = await signUps.stop();
  const serverMegabytes = peakMegabytes(server.pid);
  return {
    name: "expiry, one in ten",
    seconds,
    atMost: AT_MOST,
    serverMegabytes,
    cliMegabytes: 0,
    signUps: count,
    p99,
    holds: seconds <= AT_MOST && failed === 0 && p99 <= MAX_P99 && serverMegabytes <= MAX_MEGABYTES,
  };
}
