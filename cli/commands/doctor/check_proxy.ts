/**
 * Checks by the `RateLimit-*` headers that the service counts requests by the right source address. Visitors who can
 * choose their source address have no limit, and visitors who share an address use up each other's limit.
 *
 * @module
 */
import { exchange } from "../../../shared/send.ts";
import { toCliError } from "../../errors.ts";
import { plural } from "../../format.ts";
import { type CheckInput, fault, ok, unchecked, type UnnamedFinding } from "./check.ts";

/** How many calls come before the call with a forged address. */
const CALLS_BEFORE = 5;

/** How long to wait until the processes of a service have exchanged their counts of requests, in milliseconds. */
const EXCHANGE_MS = 1_000;

/** How many times the calls are made at most. They are made again if a window of the limit ends between two calls. */
const ATTEMPTS = 3;

/** The greatest value of `TRUSTED_PROXY_HOPS`. */
const MAX_HOPS = 32;

/**
 * A forged header with an IP address that nobody has (RFC 5737). The header has the address once for each proxy that a
 * service may trust, so a service that trusts too many proxies counts the request for this address.
 */
const FORGED_HEADERS = { "X-Forwarded-For": Array(MAX_HOPS).fill("203.0.113.77").join(", ") };

/** What the headers of an answer say about the caller's request limit. */
interface LimitState {
  /** The requests that are left in the window. */
  remaining: number;
  /** The seconds until the end of the window. */
  reset: number;
}

/** The states of the limit after the calls of the status probe, in the order of the calls. */
interface ProbeStates {
  /** The states after the calls that come before the forged call; the list has at least one state. */
  statesBefore: LimitState[];
  /** The state after the call with a forged address. */
  forgedState: LimitState;
  /** The state after the call that follows the forged call. */
  stateAfter: LimitState;
}

/**
 * Checks that requests are counted by the addresses of visitors. Returns `undefined` if the overview warns of the
 * proxy, because the doctor reports that warning. Without the overview, a check that passes counts as not done, because
 * the calls of this program alone cannot show that visitors share the address of a proxy.
 */
export async function checkProxy(input: CheckInput): Promise<UnnamedFinding | undefined> {
  const finding = await callThroughProxy(input);
  if (finding.result === "fault") return finding;
  const { overview } = input;
  if (overview?.warnings.some(({ about }) => about === "proxy")) return undefined;
  if (overview || finding.result === "unchecked") return finding;
  return unchecked(
    "visitors cannot choose the address by which the service counts their requests; to check also whether all " +
      "visitors share one address, set WAITLIST_OPERATOR_KEY",
  );
}

/** Calls the status probe with and without a forged `X-Forwarded-For`, and compares how many requests are left. */
async function callThroughProxy(input: CheckInput): Promise<UnnamedFinding> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const states = await makeCalls(input);
    if ("result" in states) return states;
    const finding = findingFrom(states);
    if (finding) return finding;
  }
  return unchecked(
    `this check makes ${
      CALLS_BEFORE + 2
    } calls to see how the service counts them, but in each of ${ATTEMPTS} tries ` +
      "the service began a new count before the last call; run 'waitlist doctor' again",
  );
}

/** Makes the calls. Returns a finding if an answer shows no limit, or if the limit is used up. */
async function makeCalls(input: CheckInput): Promise<ProbeStates | UnnamedFinding> {
  const statesBefore: LimitState[] = [];
  while (statesBefore.length < CALLS_BEFORE) {
    const limitState = await callStatus({}, input);
    if ("result" in limitState) return limitState;
    statesBefore.push(limitState);
  }
  await input.callOptions.clock.wait(EXCHANGE_MS, new AbortController().signal);
  const forgedState = await callStatus(FORGED_HEADERS, input);
  if ("result" in forgedState) return forgedState;
  const stateAfter = await callStatus({}, input);
  if ("result" in stateAfter) return stateAfter;
  return { statesBefore, forgedState, stateAfter };
}

/** Makes a finding from the states of the limit. Returns `undefined` if a window has ended between two calls. */
function findingFrom(
  { statesBefore, forgedState, stateAfter }: ProbeStates,
): UnnamedFinding | undefined {
  const states = [...statesBefore, forgedState, stateAfter];
  // Within a window, the time until its end never becomes longer.
  const isOneWindow = states.every(({ reset }, index) =>
    reset <= (states[index - 1]?.reset ?? reset)
  );
  if (!isOneWindow) return undefined;
  const firstState = statesBefore[0]!;
  const lastStateBefore = statesBefore.at(-1)!;
  // If the service counts the forged call with the other calls, fewer requests are left than after the previous call.
  // If more requests are left, the service has counted the forged call for the forged address.
  if (forgedState.remaining > lastStateBefore.remaining) {
    return fault(
      "with a forged X-Forwarded-For, visitors can choose the address by which their requests are counted",
      "set the service's TRUSTED_PROXY_HOPS to the number of your proxies, and let all calls go through these proxies",
    );
  }
  const otherCalls = firstState.remaining - stateAfter.remaining - (states.length - 1);
  if (otherCalls > 0) {
    const callCount = plural(otherCalls, "call", "calls");
    return fault(
      `the service counted ${callCount} more than this program made, so visitors seem to share one limit`,
      "set the service's TRUSTED_PROXY_HOPS to the number of your proxies, unless you made these calls yourself",
    );
  }
  return ok(
    "visitors cannot choose the address by which the service counts their requests, and nobody shares your address",
  );
}

/**
 * Calls the status probe, and reads the limit in the answer. Returns a finding if the answer shows no limit, or if the
 * limit is used up.
 */
async function callStatus(
  headers: Record<string, string>,
  { baseUrl, callOptions }: CheckInput,
): Promise<LimitState | UnnamedFinding> {
  const request = new Request(`${baseUrl}/api/v1/status`, { headers });
  const { answer, error } = await exchange(request, callOptions);
  if (error) throw toCliError(error);
  const remaining = readNumber(answer.headers, "ratelimit-remaining");
  const reset = readNumber(answer.headers, "ratelimit-reset");
  if (answer.status === 429) {
    return unchecked(
      `the request limit is used up; run 'waitlist doctor' again in ${reset ?? 60} s`,
    );
  }
  if (remaining === undefined || reset === undefined) {
    return fault("answers have no RateLimit headers", "let the proxy pass these headers on");
  }
  return { remaining, reset };
}

/** Reads a header with a whole number; `undefined` if the header is missing or has another form. */
function readNumber(headers: Headers, name: string): number | undefined {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
