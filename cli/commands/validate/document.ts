import { quotable } from "../../../shared/api_failure.ts";
import { type Contract, createContract } from "../../../shared/contract.ts";
import { environmentBase } from "../../../shared/environments.ts";
import { send } from "../../../shared/send.ts";
import type { Context } from "../../context.ts";
import { CliError, EXIT, toCliError, UsageError } from "../../errors.ts";
import { explainFileError } from "../../files.ts";
import { fetchOf } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";

/** The OpenAPI document that the service serves, parsed. */
export async function fetchDocument(settings: Settings, context: Context): Promise<unknown> {
  const { baseUrl, environment } = settings;
  const { data, error } = await send(
    new Request(`${environmentBase(baseUrl, environment)}/openapi.json`),
    {
      timeout: settings.timeout,
      // The documentation promises a number of calls, so no call is repeated.
      maxWait: 0,
      clock: context.clock,
      fetch: fetchOf(settings, context),
    },
  );
  if (error) throw toCliError(error);
  return data;
}

/** The OpenAPI document in a JSON file, parsed. */
export async function readDocument(path: string, { files }: Context): Promise<unknown> {
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    const reason = explainFileError(error, { flags: "--allow-read", nextStep: "check the path" });
    throw new UsageError(`Cannot read the document '${path}': ${reason}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The document '${path}' is not JSON; give one as /openapi.json serves it`);
  }
}

/** The contract that a document states; throws a `CliError` where the document is not usable. */
export async function contractOf(document: unknown): Promise<Contract> {
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
