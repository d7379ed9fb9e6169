/**
 * Finds out by the `RateLimit-*` headers whom the service takes a caller to be. A visitor who can choose the address that
 * limits count by has no limit, and visitors who share one lock each other out.
 *
 * @module
 */
import { exchange } from "../../../shared/send.ts";
import { toCliError } from "../../errors.ts";
import { type DoctorFacts, fault, ok, unchecked, type Verdict } from "./check.ts";

/** How many calls are made before the one with another address. */
const CALLS = 5;

/** The time in which several processes tell each other their counts, in milliseconds. */
const EXCHANGE_MS = 1_000;

/** How often the calls are made again if a minute ends between them. */
const ATTEMPTS = 3;

/** The most proxies that a service can be set to trust. */
const MAX_HOPS = 32;

/**
 * An address of nobody (RFC 5737), as often as proxies may be trusted: whichever entry is taken by a service that trusts
 * too many proxies, it is this one.
 */
const FORGED = { "X-Forwarded-For": Array(MAX_HOPS).fill("203.0.113.77").join(", ") };

/** What an answer says about the caller's limit. */
interface Counted {
  remaining: number;
  /** Seconds to the end of the window. */
  reset: number;
}

/**
 * Says what calls show of the proxy. Calls alone cannot tell that visitors share a proxy's address while nobody else calls:
 * the overview knows it, and its warning stands in place of this finding.
 */
export async function checkProxy(facts: DoctorFacts): Promise<Verdict | undefined> {
  const verdict = await callThroughProxy(facts);
  if (verdict.result === "fault") return verdict;
  const { overview } = facts;
  if (overview?.warnings.some(({ about }) => about === "proxy")) return undefined;
  if (overview || verdict.result === "unchecked") return verdict;
  return unchecked(
    "visitors cannot choose the address that limits count by; whether they share one takes the operator key; set " +
      "WAITLIST_OPERATOR_KEY",
  );
}

/** Calls the status probe with and without a forged `X-Forwarded-For`, and compares what is left of the limit. */
async function callThroughProxy(facts: DoctorFacts): Promise<Verdict> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const calls: Counted[] = [];
    for (const headers of [...Array(CALLS).fill({}), FORGED, {}]) {
      if (headers === FORGED) {
        await facts.options.clock.wait(EXCHANGE_MS, new AbortController().signal);
      }
      const counted = await callStatus(headers, facts);
      if ("result" in counted) return counted;
      calls.push(counted);
    }
    const verdict = judge(calls);
    if (verdict) return verdict;
  }
  return unchecked("the limits' minute has ended between the calls each time; try again");
}

/**
 * Says what the calls show.
 *
 * @param calls all of them, in their order; the last but one had a forged address
 * @returns `undefined` if the window has ended between two calls
 */
function judge(calls: Counted[]): Verdict | undefined {
  const isOneWindow = calls.every(({ reset }, index) =>
    reset <= (calls[index - 1]?.reset ?? reset)
  );
  if (!isOneWindow) return undefined;
  const [first, before, forged, after] = [calls[0]!, calls.at(-3)!, calls.at(-2)!, calls.at(-1)!];
  // In one count with the others, the forged call has less left than any call before it.
  if (forged.remaining > before.remaining) {
    return fault(
      "visitors can choose the address that limits count by, with a forged X-Forwarded-For",
      "set TRUSTED_PROXY_HOPS to the number of your proxies, and let nobody call the service past them",
    );
  }
  const others = first.remaining - after.remaining - (calls.length - 1);
  if (others > 0) {
    return fault(
      `${others} calls of others were counted with these, so visitors seem to share one limit`,
      "set TRUSTED_PROXY_HOPS to the number of your proxies, unless the calls came from your own address",
    );
  }
  return ok("visitors cannot choose the address that limits count by, and nobody shared this one");
}

async function callStatus(
  headers: Record<string, string>,
  { baseUrl, options }: DoctorFacts,
): Promise<Counted | Verdict> {
  const request = new Request(`${baseUrl}/api/v1/status`, { headers });
  const { answer, error } = await exchange(request, options);
  if (error) throw toCliError(error);
  const [remaining, reset] = ["remaining", "reset"].map((name) => {
    const value = answer.headers.get(`ratelimit-${name}`);
    return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
  });
  if (answer.status === 429) {
    return unchecked(`the limit is used up; try again in ${reset ?? 60} s`);
  }
  if (remaining === undefined || reset === undefined) {
    return fault("answers have no RateLimit headers", "let the proxy pass them on");
  }
  return { remaining, reset };
}
