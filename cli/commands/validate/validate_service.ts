/**
 * Makes the calls in `cases.ts`, and compares the answers with the OpenAPI document. `check_run.ts` prints the results.
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
import { exchange, type ExchangeOptions } from "../../../shared/send.ts";
import { CliError, EXIT } from "../../errors.ts";
import { chooseFetch } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";
import { type Case, casesFor, coverageFaults } from "./cases.ts";
import type { CheckRun } from "./check_run.ts";
import type { ClientAccess } from "./request_content.ts";

/** How many characters of the reason why a document is not usable are shown at most. */
const MAX_REASON_LENGTH = 300;

/** What to validate, and with which credentials. */
interface ValidateOptions {
  settings: Settings;
  /** The OpenAPI document, which the answers must fit. */
  document: unknown;
  /** The file of the document; `undefined` if the document came from the service. */
  documentPath: string | undefined;
  /** The caller's own credentials; `undefined` for the sandbox's credentials, which the document has. */
  credentials: Credentials | undefined;
}

/**
 * Calls every operation, and adds one check for each call to the run.
 *
 * @returns the failure that ended the validation early: no answer, a used-up limit, or refused credentials of the
 * caller; `undefined` if all calls were made
 */
export async function validateService(
  options: ValidateOptions,
  checkRun: CheckRun,
): Promise<ApiFailure | undefined> {
  const { settings, document, credentials } = options;
  const { environment } = settings;
  const contract = await contractOf(options);
  const client = credentials ?? sandboxClientOf(document);
  if (!client) {
    throw documentError(
      "lacks 'x-sandbox-client', the field for the credentials of the sandbox",
      options,
    );
  }
  checkRun.add({
    operation: "document",
    does: "describes the operations of this API",
    faults: coverageFaults(contract.operations),
  });

  const access: ClientAccess = { credentials: client, accessToken: "" };
  const cases = casesFor(contract.operations, environment);
  for (const testCase of cases) {
    const { answer, failure } = await runCase(testCase, { settings, contract, access }, checkRun);
    if (!answer && failure) return failure;
    if (!answer) continue;
    if (failure && answer.status !== testCase.status) {
      // The validation ends after these failures, because further calls would fail in the same way.
      const isCallerRefused = failure.kind === "unauthorized" && credentials !== undefined &&
        testCase.security !== undefined && testCase.security.length > 0;
      if (failure.kind === "limited" || isCallerRefused) return failure;
    }
    access.accessToken ||= accessTokenOf(answer);
    if (testCase !== cases.at(-1)) await checkRun.waitForWindow(pauseAfter(answer.headers));
  }
}

/**
 * Makes the call of a case, and adds the check of the answer to the run.
 *
 * @returns the answer, and the failure if there is no answer or a refusal; neither if the request could not be made
 */
async function runCase(
  testCase: Case,
  { settings, contract, access }: {
    settings: Settings;
    contract: Contract;
    access: ClientAccess;
  },
  checkRun: CheckRun,
): Promise<{ answer?: Answer | undefined; failure?: ApiFailure | undefined }> {
  const { baseUrl, environment, timeout } = settings;
  const { operation, does, method } = testCase;
  const request = requestOf(testCase, environmentBase(baseUrl, environment), access);
  if (typeof request === "string") {
    checkRun.add({ operation, does, faults: [`not called, because ${request}`] });
    return {};
  }
  const { pathname: path } = new URL(request.url);
  const fetch = chooseFetch(settings, checkRun.context);
  const { answer, error, milliseconds } = await makeCall(request, { timeout, fetch }, checkRun);
  const call = { method, path, status: answer?.status, milliseconds };
  const faults = answer
    ? faultsOf(testCase, { path, answer, contract, environment })
    : [error!.message];
  checkRun.add({ operation, does, call, faults });
  return { answer, failure: error };
}

/**
 * Makes a call, and makes it once more if the limit refuses it. Also returns the milliseconds of the last try, and the
 * failure if there is no answer or a refusal.
 */
async function makeCall(
  request: Request,
  options: ExchangeOptions,
  { context: { clock }, sendAgainAfterLimit }: CheckRun,
) {
  let milliseconds = 0;
  const { answer, error } = await sendAgainAfterLimit(async () => {
    const sentAt = clock.now();
    const { answer, error } = await exchange(request.clone(), options);
    milliseconds = clock.now() - sentAt;
    return { answer, error: error ?? readAnswer(answer, request.url, clock.now()).error };
  });
  return { answer, error, milliseconds };
}

/**
 * Makes the `Contract` from an OpenAPI document.
 *
 * @throws {CliError} if the document is not an OpenAPI 3.1 document, or lacks a part that the validation needs
 */
async function contractOf(options: ValidateOptions): Promise<Contract> {
  try {
    return await createContract(options.document);
  } catch (error) {
    const reason = quotable((error as Error).message, MAX_REASON_LENGTH);
    throw documentError(`is not usable: ${reason}`, options);
  }
}

/** Makes the error about a faulty document. @param fault what is wrong, such as `is not usable: …` */
function documentError(
  fault: string,
  { documentPath, settings: { baseUrl, environment } }: ValidateOptions,
): CliError {
  const [document, nextStep] = documentPath === undefined
    ? [
      `at ${environmentBase(baseUrl, environment)}/openapi.json`,
      "check that --base-url is the address of a waitlist service",
    ]
    : [
      `in '${documentPath}'`,
      "give a file with the document that a waitlist service has at /openapi.json",
    ];
  return new CliError(`The OpenAPI document ${document} ${fault}; ${nextStep}`, EXIT.failedCheck);
}

/** Makes the request of a case. If the request cannot be made, returns the reason as the end of a sentence. */
function requestOf(testCase: Case, base: string, access: ClientAccess): Request | string {
  const { method, path, security = [], status, code } = testCase;
  if (security.includes("accessToken") && !access.accessToken) {
    return "the token endpoint gave no access token";
  }
  if (status === undefined) return `the document has no status for the code ${code}`;
  try {
    return new Request(base + path, { method, ...testCase.content(access) });
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Returns the faults of an answer. If the status is wrong, no other fault is returned, because the rest of the answer
 * depends on the status.
 */
function faultsOf(
  expected: Case,
  { path, answer, contract, environment }: {
    path: string;
    answer: Answer;
    contract: Contract;
    environment: EnvironmentName;
  },
): string[] {
  const { method } = expected;
  const { status, headers, body } = answer;
  // An expected redirect may have an HTML page as its body, because clients follow the redirect and do not show the
  // body.
  if (isHtml(headers) && (status !== expected.status || status !== 303)) {
    return [`the answer is an HTML page (status ${status}), not one of this API`];
  }
  if (status !== expected.status) return [`the status must be ${expected.status}, not ${status}`];
  // `Contract.check()` begins each fault with the call, but the line of this check names the call already.
  const prefix = `${method} ${path} ${status}: `;
  const faults = contract.check({ method, path, status, headers, body })
    .map((fault) => fault.startsWith(prefix) ? fault.slice(prefix.length) : fault);
  if (faults.length > 0) return faults;

  const json = jsonObjectOf(body);
  if (expected.code !== undefined && json.error !== expected.code) {
    return [`body/error must be "${expected.code}" here, not ${JSON.stringify(json.error)}`];
  }
  const [name = "", pattern] = expected.header ?? [];
  if (pattern && !pattern.test(headers.get(name) ?? "")) {
    return [
      `header ${name} must match ${pattern.source} here, not ${JSON.stringify(headers.get(name))}`,
    ];
  }
  return environmentFaults(json, environment);
}

/**
 * Compares the environment in an answer with the environment that was called. Only some answers name their environment.
 */
export function environmentFaults(json: object, called: EnvironmentName): string[] {
  const { environment = called } = json as { environment?: unknown };
  if (environment === called) return [];
  return [`body/environment must be "${called}" here, not ${JSON.stringify(environment)}`];
}

/** Returns the seconds until the next window if the limit is used up; 0 if there are requests left. */
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
