import { requestTo } from "../../../support/process.ts";
import { sendSignUp, statusOf } from "../../../support/process_requests.ts";

/** Sign-ups a second: eight million a day. */
const PER_SECOND = 100;

/** How long sign-ups come before they count, in milliseconds: the first ones find a process that has compiled nothing. */
export const WARM_UP_MS = 2_000;

/** What sign-ups that came beside other work had to wait, in milliseconds from their due moment. */
export type SteadyFigures = Awaited<ReturnType<typeof signUpsBeside>>;

/**
 * Sends sign-ups of new addresses at a steady rate, each from a source of its own, while some work is done. A late one
 * counts from when it was due, so that a service that stands still is seen to.
 */
export async function signUpsBeside(baseUrl: string, work: () => Promise<unknown>) {
  const service = { request: requestTo(baseUrl) };
  const waits: number[] = [];
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  let sent = 0;
  let failed = 0;

  async function send(number: number): Promise<void> {
    const email = `beside${number}.${started}@example.com`;
    if (await statusOf(sendSignUp(service, { email })).catch(() => 0) !== 200) failed++;
    waits.push(performance.now() - started - number * 1000 / PER_SECOND);
  }

  const timer = setInterval(() => {
    const due = (performance.now() - started) * PER_SECOND / 1000;
    for (; sent < due; sent++) {
      const sending = send(sent);
      pending.add(sending);
      sending.finally(() => pending.delete(sending));
    }
  }, 1);
  await work();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  await Promise.all(pending);
  const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? NaN;
  return { seconds, signUps: waits.length, failed, p99 };
}
