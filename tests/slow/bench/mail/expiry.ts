import { setTimeout as delay } from "node:timers/promises";
import type { Overview } from "../../../../shared/operator_schemas.ts";
import { type CommandFigures, figuresOf } from "../list/measure_command.ts";
import { signUpsBeside, WARM_UP_MS } from "../list/steady_sign_ups.ts";
import { seed } from "../seed.ts";
import { startService } from "../server_process.ts";
import { MAIL } from "./letters.ts";

/** The work, and how long it may take, in seconds. */
const WORK = { name: "expiry, one in ten", atMost: 30 };

/** More days than an address that is not confirmed is kept. */
const DAYS = 20;

/** The interval at which it is looked how far the work is, in milliseconds. */
const LOOK_MS = 100;

/**
 * Measures how long it takes to erase people who did not confirm, with sign-ups going on beside it.
 * @param path a KV file with many other people
 */
export async function measureExpiry(path: string, people: number): Promise<CommandFigures> {
  await seed(path, people, DAYS);
  const key = crypto.randomUUID();
  await using server = await startService(path, { OPERATOR_KEY: key, ...MAIL });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const headers = { Authorization: `Bearer ${key}` };
  const readOverview = async (): Promise<Overview> => {
    const response = await fetch(`${baseUrl}/operator/v1/overview`, { headers });
    return await response.json();
  };
  await signUpsBeside(baseUrl, () => delay(WARM_UP_MS));
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
  const beside = await signUpsBeside(baseUrl, () => until((left) => left <= 0));
  return figuresOf(WORK, beside, { pid: server.pid, cliMegabytes: 0 });
}
