import { type Answer, type ApiFailure, readAnswer } from "../../../shared/api_failure.ts";
import type { Contract } from "../../../shared/contract.ts";
import {
  type Credentials,
  environmentBase,
  sandboxClientOf,
} from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";
import { exchange } from "../../../shared/send.ts";
import { CliError, EXIT } from "../../errors.ts";
import { fetchOf } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";
import type { Case } from "./case.ts";
import { casesFor, coverageFaults } from "./cases.ts";
import type { CheckRun } from "./check_run.ts";
import { contractOf } from "./document.ts";

/** What a service is validated with. */
interface ValidateOptions {
  settings: Settings;
  /** The OpenAPI document that the answers must fit. */
  document: unknown;
  /** The caller's own; `undefined` stands for those that the document publishes for the sandbox. */
  credentials: Credentials | undefined;
}

/**
 * Calls every operation and adds a check of each answer to the run.
 *
 * @returns the failure that ended the validation early, if there was one: no answer, a limit that is used
 * up, or a refusal of the caller's own credentials
 */
export async function validateService(
  { settings, document, credentials }: ValidateOptions,
  { add, context, waitForWindow }: CheckRun,
): Promise<ApiFailure | undefined> {
  const { timeout, environment } = settings;
  const { clock } = context;
  const contract = await contractOf(document);
  const client = credentials ?? sandboxClientOf(document);
  if (!client) {
    throw new CliError(
      "The OpenAPI document has no 'x-sandbox-client' with the sandbox's credentials; check --base-url",
      EXIT.failedCheck,
    );
  }
  const does = "describes the operations of this API";
  add({ operation: "document", does, faults: coverageFaults(document) });

  const base = environmentBase(settings.baseUrl, environment);
  const fetch = fetchOf(settings, context);
  let accessToken: string | undefined;
  const cases = casesFor(document, environment);
  for (const one of cases) {
    const { operation, does, method, shows } = one;
    if (shows === "token" && accessToken === undefined) {
      add({ operation, does, faults: ["not called, as the token endpoint gave no access token"] });
      continue;
    }
    const url = base + one.path;
    const { pathname: path } = new URL(url);
    const access = { credentials: client, accessToken: accessToken ?? "" };
    const request = new Request(url, { method, ...one.send?.(access) });
    const sent = clock.now();
    const { answer, error } = await exchange(request, { timeout, fetch });
    const call = { method, path, status: answer?.status, milliseconds: clock.now() - sent };
    const faults = error ? [error.message] : faultsOf(one, path, answer, contract);
    add({ operation, does, call, faults });
    if (error) return error;

    const ownCredentials = credentials !== undefined;
    const ending = endingFailure(one, answer, url, { ownCredentials, now: clock.now() });
    if (ending) return ending;
    accessToken ??= accessTokenOf(answer);
    if (one !== cases.at(-1)) await waitForWindow(pauseAfter(answer.headers));
  }
}

/** The faults of an answer. Another status than the expected one is the only fault, as its answer differs. */
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

/** The failure after which no further case makes sense: of the limit, or of the caller's credentials. */
function endingFailure(
  one: Case,
  answer: Answer,
  url: string,
  { ownCredentials, now }: { ownCredentials: boolean; now: number },
): ApiFailure | undefined {
  if (answer.status === one.status) return undefined;
  const { error } = readAnswer(answer, url, now);
  if (error?.kind === "limited") return error;
  return error?.kind === "unauthorized" && one.shows && ownCredentials ? error : undefined;
}

/** How long to wait until there are requests left, in seconds. */
export function pauseAfter(headers: Headers): number {
  if (headers.get("ratelimit-remaining") !== "0") return 0;
  return Number(headers.get("ratelimit-reset")) || 0;
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
