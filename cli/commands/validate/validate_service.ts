import type { ApiFailure } from "../../../shared/api_failure.ts";
import {
  type Credentials,
  environmentBase,
  sandboxClientOf,
} from "../../../shared/environments.ts";
import { CliError, EXIT } from "../../errors.ts";
import { fetchOf } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";
import { casesFor, coverageFaults } from "./cases.ts";
import { runCases } from "./run_cases.ts";
import type { CheckRun } from "./check_run.ts";
import { contractOf } from "./document.ts";

/** What a service is validated with. */
interface ValidateOptions {
  settings: Settings;
  /** The OpenAPI document to hold it against. */
  document: unknown;
  /** `undefined` stands for those that the document publishes for the sandbox. */
  credentials: Credentials | undefined;
}

/**
 * Calls every operation and adds a check for each answer to the checkRun.
 *
 * @returns the failure that ended the validation early, if there was one
 */
export async function validateService(
  { settings, document, credentials }: ValidateOptions,
  checkRun: CheckRun,
): Promise<ApiFailure | undefined> {
  const { clock, stderr } = checkRun.context;
  const contract = await contractOf(document);
  const client = credentials ?? sandboxClientOf(document);
  if (!client) {
    throw new CliError(
      "The OpenAPI document has no 'x-sandbox-client' with the sandbox's credentials; check --base-url",
      EXIT.failedCheck,
    );
  }
  checkRun.add({
    operation: "document",
    does: "describes the operations of this API",
    faults: coverageFaults(document),
  });
  const run = runCases(casesFor(document, settings.environment), {
    contract,
    base: environmentBase(settings.baseUrl, settings.environment),
    credentials: client,
    ownCredentials: credentials !== undefined,
    timeout: settings.timeout,
    fetch: fetchOf(settings, checkRun.context),
    clock,
    onWait(seconds) {
      if (!settings.quiet && !settings.json) {
        stderr.write(`The limit is used up; going on in ${seconds} s, with the next window.\n`);
      }
    },
  });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return value;
    checkRun.add(value);
  }
}
