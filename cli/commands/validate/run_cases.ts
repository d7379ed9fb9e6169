import { type Answer, type ApiFailure, readAnswer } from "../../../shared/api_failure.ts";
import type { Contract } from "../../../shared/contract.ts";
import { exchange } from "../../../shared/send.ts";
import type { Credentials } from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";
import type { Context } from "../../context.ts";
import type { Case } from "./case.ts";
import type { Check } from "./reports.ts";

/** What cases are run with. */
export interface RunOptions {
  contract: Contract;
  /** The environment's base, such as `http://localhost:8000/sandbox`. */
  base: string;
  credentials: Credentials;
  /** Whether a refusal of the credentials ends the run, since they are the caller's own. */
  ownCredentials: boolean;
  timeout: number;
  fetch: typeof fetch;
  clock: Context["clock"];
  /** Tells that the limit is used up, before it is waited for. */
  onWait: (seconds: number) => void;
}

/**
 * Calls each case and gives its check. The end is a failure that makes the rest pointless: no answer, a
 * limit that is used up, or the caller's credentials refused.
 */
export async function* runCases(
  cases: Case[],
  options: RunOptions,
): AsyncGenerator<Check, ApiFailure | undefined> {
  const { base, clock, credentials } = options;
  let accessToken: string | undefined;
  let waited = false;
  for (const one of cases) {
    const { operation, does, method, shows } = one;
    if (shows === "token" && accessToken === undefined) {
      yield { operation, does, faults: ["not called, as the token endpoint gave no access token"] };
      continue;
    }
    const url = base + one.path;
    const request = new Request(url, {
      method,
      ...one.send?.({ credentials, accessToken: accessToken ?? "" }),
    });
    const { pathname: path } = new URL(url);
    const sent = clock.now();
    const { answer, error } = await exchange(request, options);
    const milliseconds = clock.now() - sent;
    if (error) {
      const call = { method, path, status: undefined, milliseconds };
      yield { operation, does, call, faults: [error.message] };
      return error;
    }
    const call = { method, path, status: answer.status, milliseconds };
    yield { operation, does, call, faults: faultsOf(one, path, answer, options.contract) };

    const ending = endingFailure(one, answer, url, options);
    if (ending) return ending;
    accessToken ??= accessTokenOf(answer);
    const pause = pauseAfter(answer);
    // Once is enough for any limit of the contract; a service that keeps saying 0 is not waited for.
    if (pause > 0 && !waited && one !== cases.at(-1)) {
      waited = true;
      options.onWait(pause);
      await clock.wait(pause * 1000, request.signal);
    }
  }
}

/** What is wrong with an answer: the status alone where that is wrong, as the rest belongs to another. */
function faultsOf(one: Case, path: string, answer: Answer, contract: Contract): string[] {
  const { method } = one;
  const { status, headers, body } = answer;
  if (status !== one.status) return [`the status must be ${one.status}, not ${status}`];
  const place = `${method} ${path} ${status}: `;
  const faults = contract.check({ method, path, status, headers, body })
    .map((fault) => fault.startsWith(place) ? fault.slice(place.length) : fault);
  if (faults.length > 0) return faults;

  const { error } = jsonObjectOf(body);
  if (one.error !== undefined && error !== one.error) {
    return [`body/error must be "${one.error}" here, not ${JSON.stringify(error)}`];
  }
  const [name = "", pattern] = one.header ?? [];
  if (pattern && !pattern.test(headers.get(name) ?? "")) {
    return [
      `header ${name} must match ${pattern.source} here, not ${JSON.stringify(headers.get(name))}`,
    ];
  }
  return [];
}

/** The failure after which no further case makes sense. */
function endingFailure(
  one: Case,
  answer: Answer,
  url: string,
  { ownCredentials, clock }: RunOptions,
): ApiFailure | undefined {
  if (answer.status === one.status) return undefined;
  const { error } = readAnswer(answer, url, clock.now());
  if (error?.kind === "limited") return error;
  return error?.kind === "unauthorized" && one.shows && ownCredentials ? error : undefined;
}

/** Seconds to wait until there are requests left, at most a minute. */
function pauseAfter({ headers }: Answer): number {
  if (headers.get("ratelimit-remaining") !== "0") return 0;
  return Math.min(60, Number(headers.get("ratelimit-reset")) || 0);
}

function accessTokenOf({ status, body }: Answer): string | undefined {
  const { access_token } = status === 200 ? jsonObjectOf(body) : {};
  return typeof access_token === "string" && access_token !== "" ? access_token : undefined;
}

function jsonObjectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
