/**
 * Calls every operation of a service and checks the answers by its OpenAPI document. `cases.ts` has the calls, and
 * `check_run.ts` shows the checks.
 *
 * @module
 */
import {
  type Answer,
  type ApiFailure,
  isHtml,
  quotable,
  readAnswer,
} from "../../../shared/api_failure.ts";
import { type Contract, createContract } from "../../../shared/contract.ts";
import {
  type Credentials,
  environmentBase,
  type EnvironmentName,
  sandboxClientOf,
} from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";
import { exchange } from "../../../shared/send.ts";
import { CliError, EXIT } from "../../errors.ts";
import { fetchOf } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";
import { type Case, casesFor, type ClientAccess, coverageFaults } from "./cases.ts";
import type { CheckRun } from "./check_run.ts";

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
  { add, context, sendAgainAfterLimit, waitForWindow }: CheckRun,
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
  add({ operation: "document", does, faults: coverageFaults(contract.operations) });

  const base = environmentBase(settings.baseUrl, environment);
  const fetch = fetchOf(settings, context);
  let accessToken = "";
  const cases = casesFor(contract.operations, environment);
  for (const one of cases) {
    const { operation, does, method, security } = one;
    const request = requestOf(one, base, { credentials: client, accessToken });
    if (typeof request === "string") {
      add({ operation, does, faults: [`not called, as ${request}`] });
      continue;
    }
    const { pathname: path } = new URL(request.url);
    let milliseconds = 0;
    const { answer, error } = await sendAgainAfterLimit(async () => {
      const sent = clock.now();
      const { answer, error } = await exchange(request.clone(), { timeout, fetch });
      milliseconds = clock.now() - sent;
      return { answer, error: error ?? readAnswer(answer, request.url, clock.now()).error };
    });
    const call = { method, path, status: answer?.status, milliseconds };
    if (!answer) {
      add({ operation, does, call, faults: [error!.message] });
      return error;
    }
    const faults = faultsOf(one, { path, answer, contract, environment });
    add({ operation, does, call, faults });
    if (answer.status !== one.status) {
      // No further call makes sense after these.
      if (error?.kind === "limited") return error;
      if (error?.kind === "unauthorized" && security?.length && credentials) return error;
    }
    accessToken ||= accessTokenOf(answer);
    if (one !== cases.at(-1)) await waitForWindow(pauseAfter(answer.headers));
  }
}

/** Reads the contract that a document states; throws a `CliError` if the document is not usable. */
async function contractOf(document: unknown): Promise<Contract> {
  try {
    return await createContract(document);
  } catch (error) {
    const { message } = error as Error;
    const what = `The OpenAPI document is not usable: ${quotable(message, 300)}`;
    throw new CliError(what, EXIT.failedCheck);
  }
}

/** Makes the request of a case; returns the reason if that is not possible. */
function requestOf(one: Case, base: string, access: ClientAccess): Request | string {
  const { method, path, security = [], status, code } = one;
  if (security.includes("accessToken") && !access.accessToken) {
    return "the token endpoint gave no access token";
  }
  if (status === undefined) return `the document has no status for the code ${code}`;
  try {
    return new Request(base + path, { method, ...one.content(access) });
  } catch (error) {
    return (error as Error).message;
  }
}

/** The faults of an answer. Another status than the expected one is the only fault, as its answer differs. */
function faultsOf(
  one: Case,
  { path, answer, contract, environment }: {
    path: string;
    answer: Answer;
    contract: Contract;
    environment: EnvironmentName;
  },
): string[] {
  const { method } = one;
  const { status, headers, body } = answer;
  // The body of a redirect is not read, and may be a page.
  if (isHtml(headers) && (status !== one.status || status !== 303)) {
    return [`the answer is an HTML page (status ${status}), not one of this API`];
  }
  if (status !== one.status) return [`the status must be ${one.status}, not ${status}`];
  const place = `${method} ${path} ${status}: `;
  const faults = contract.check({ method, path, status, headers, body })
    .map((fault) => fault.startsWith(place) ? fault.slice(place.length) : fault);
  if (faults.length > 0) return faults;

  const json = jsonObjectOf(body);
  if (one.code !== undefined && json.error !== one.code) {
    return [`body/error must be "${one.code}" here, not ${JSON.stringify(json.error)}`];
  }
  const [name = "", pattern] = one.header ?? [];
  if (pattern && !pattern.test(headers.get(name) ?? "")) {
    return [
      `header ${name} must match ${pattern.source} here, not ${JSON.stringify(headers.get(name))}`,
    ];
  }
  return environmentFaults(json, environment);
}

/** Compares the environment in an answer with the called one. Only some answers name their environment. */
export function environmentFaults(json: object, called: EnvironmentName): string[] {
  const { environment = called } = json as { environment?: unknown };
  if (environment === called) return [];
  return [`body/environment must be "${called}" here, not ${JSON.stringify(environment)}`];
}

/** How long to wait until there are requests left, in seconds. */
export function pauseAfter(headers: Headers): number {
  if (headers.get("ratelimit-remaining") !== "0") return 0;
  return Number(headers.get("ratelimit-reset")) || 0;
}

function accessTokenOf({ status, body }: Answer): string {
  const { access_token } = status === 200 ? jsonObjectOf(body) : {};
  return typeof access_token === "string" ? access_token : "";
}

function jsonObjectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
