/** What sign-ups that came beside other work had to wait, in milliseconds from their due moment. */
export interface SteadyFigures {
  signUps: number;
  failed: number;
  p50: number;
  p99: number;
}

/**
 * Sends sign-ups of new addresses at a steady rate, each from a source of its own, until it is stopped.
 * A late one counts from when it was due, so that a service that stands still is seen to.
 */
export function startSteadySignUps(
  baseUrl: string,
  perSecond: number,
): { stop: () => Promise<SteadyFigures> } {
  const waits: number[] = [];
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  let sent = 0;
  let failed = 0;

  async function send(number: number): Promise<void> {
    const due = started + number * 1000 / perSecond;
    try {
      const response = await fetch(`${baseUrl}/api/v1/waitlist`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-Forwarded-For": `10.${number >> 16 & 255}.${number >> 8 & 255}.${number & 255}`,
        },
        body: JSON.stringify({ email: `beside${number}.${started}@example.com`, consent: true }),
      });
      await response.body?.cancel();
      if (response.status !== 200) failed++;
    } catch {
      failed++;
    }
    waits.push(performance.now() - due);
  }

  const timer = setInterval(() => {
    const due = (performance.now() - started) * perSecond / 1000;
    for (; sent < due; sent++) {
      const sending = send(sent);
      pending.add(sending);
      sending.finally(() => pending.delete(sending));
    }
  }, 1);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      waits.sort((a, b) => a - b);
      const percentile = (share: number) => waits[Math.ceil(waits.length * share) - 1] ?? NaN;
      return { signUps: waits.length, failed, p50: percentile(0.5), p99: percentile(0.99) };
    },
  };
}
