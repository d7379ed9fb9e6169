import { type ApiFailure, quotable } from "../../shared/api_failure.ts";
import { environmentBase } from "../../shared/environments.ts";
import { type Contract, createContract } from "../../shared/contract.ts";
import { type Credentials, sandboxClientOf } from "../../shared/sandbox_client.ts";
import { CliError } from "../cli_error.ts";
import { fetchOf } from "../connect.ts";
import { EXIT } from "../exit_codes.ts";
import type { Settings } from "../settings.ts";
import { casesFor, coverageFaults } from "./cases.ts";
import { runCases } from "./run_cases.ts";
import type { Session } from "./session.ts";

/** What a service is validated with. */
export interface ValidateOptions {
  settings: Settings;
  /** The OpenAPI document to hold it against. */
  document: unknown;
  /** `undefined`: the ones that the document publishes for the sandbox. */
  credentials: Credentials | undefined;
}

/**
 * Calls every operation and adds a check for each answer to the session.
 *
 * @returns the failure that ended it early
 */
export async function validateService(
  { settings, document, credentials }: ValidateOptions,
  session: Session,
): Promise<ApiFailure | undefined> {
  const { clock, stderr } = session.context;
  const contract = await contractOf(document);
  const client = credentials ?? sandboxClientOf(document);
  if (!client) {
    throw new CliError(
      "The OpenAPI document has no 'x-sandbox-client' with the sandbox's credentials; check --base-url",
      EXIT.failedCheck,
    );
  }
  session.add({
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
    fetch: fetchOf(settings, session.context),
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
    session.add(value);
  }
}

async function contractOf(document: unknown): Promise<Contract> {
  try {
    return await createContract(document);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(
      `The OpenAPI document is not usable: ${quotable(message, 300)}`,
      EXIT.failedCheck,
    );
  }
}
