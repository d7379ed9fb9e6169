/**
 * Finds out by the `RateLimit-*` headers whom the service takes a caller to be. A visitor who can choose the
 * address that limits count by has no limit, and visitors who share one lock each other out.
 *
 * @module
 */
import type { Clock } from "../../../shared/clock.ts";
import { exchange, type ExchangeOptions } from "../../../shared/send.ts";
import { toCliError } from "../../errors.ts";
import { faulty, type Finding, fine, unchecked } from "./finding.ts";

/** How many calls are made before one with another address. */
const CALLS = 5;

/** The time in which several processes tell each other their counts, in milliseconds. */
const EXCHANGE_MS = 1_000;

/** How often the calls are made again when a minute ends between them. */
const ATTEMPTS = 3;

/** The most proxies that a service can be set to trust. */
const MAX_HOPS = 32;

/**
 * An address of nobody (RFC 5737), as often as proxies may be trusted: whichever entry a service takes that
 * trusts a proxy too many, it is this one.
 */
const FORGED = { "X-Forwarded-For": Array(MAX_HOPS).fill("203.0.113.77").join(", ") };

/** What an answer says about the caller's limit. */
interface Counted {
  remaining: number;
  /** Seconds to the end of the window. */
  reset: number;
}

/** What {@linkcode checkProxy} calls with. */
export interface ProxyCheckOptions extends ExchangeOptions {
  clock: Clock;
}

/** Calls the status probe with and without a forged `X-Forwarded-For`, and compares what is left of the limit. */
export async function checkProxy(baseUrl: string, options: ProxyCheckOptions): Promise<Finding> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const calls: Counted[] = [];
    for (const headers of [...Array(CALLS).fill({}), FORGED, {}]) {
      if (headers === FORGED) await options.clock.wait(EXCHANGE_MS, new AbortController().signal);
      const counted = await callStatus(baseUrl, headers, options);
      if ("check" in counted) return counted;
      calls.push(counted);
    }
    const finding = judge(calls);
    if (finding) return finding;
  }
  return unchecked("proxy", "the limits' minute has ended between the calls each time; try again");
}

/** @param calls all of them, in their order; the last but one had a forged address */
function judge(calls: Counted[]): Finding | undefined {
  const isOneWindow = calls.every(({ reset }, index) =>
    reset <= (calls[index - 1]?.reset ?? reset)
  );
  if (!isOneWindow) return undefined;
  const [first, before, forged, after] = [calls[0]!, calls.at(-3)!, calls.at(-2)!, calls.at(-1)!];
  // In one count with the others, the forged call has less left than any call before it.
  if (forged.remaining > before.remaining) {
    return faulty(
      "proxy",
      "visitors can choose the address that limits count by, with a forged X-Forwarded-For; set " +
        "TRUSTED_PROXY_HOPS to the number of your proxies, and let nobody call the service past them",
    );
  }
  const others = first.remaining - after.remaining - (calls.length - 1);
  if (others > 0) {
    return faulty(
      "proxy",
      `${others} calls of others were counted with these, so visitors seem to share one limit; set ` +
        "TRUSTED_PROXY_HOPS to the number of your proxies, unless the calls came from your own address",
    );
  }
  return fine(
    "proxy",
    "visitors cannot choose the address that limits count by, and nobody shared this one",
  );
}

async function callStatus(
  baseUrl: string,
  headers: Record<string, string>,
  options: ProxyCheckOptions,
): Promise<Counted | Finding> {
  const request = new Request(`${baseUrl}/api/v1/status`, { headers });
  const { answer, error } = await exchange(request, options);
  if (error) throw toCliError(error);
  const [remaining, reset] = ["remaining", "reset"].map((name) => {
    const value = answer.headers.get(`ratelimit-${name}`);
    return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
  });
  if (answer.status === 429) {
    return unchecked("proxy", `the limit is used up; try again in ${reset ?? 60} s`);
  }
  if (remaining === undefined || reset === undefined) {
    return faulty("proxy", "answers have no RateLimit headers; let the proxy pass them on");
  }
  return { remaining, reset };
}
