import { quotable } from "../../../shared/api_failure.ts";
import { type Contract, createContract } from "../../../shared/contract.ts";
import { environmentBase } from "../../../shared/environments.ts";
import { send } from "../../../shared/send.ts";
import type { Context } from "../../context.ts";
import { CliError, EXIT, toCliError, UsageError } from "../../errors.ts";
import { cannotRead } from "../../files.ts";
import { fetchOf } from "../../http_log.ts";
import type { Settings } from "../../settings.ts";

/** The OpenAPI document that the service serves, parsed. */
export async function fetchDocument(settings: Settings, context: Context): Promise<unknown> {
  const { baseUrl, environment, timeout } = settings;
  const { data, error } = await send(
    new Request(`${environmentBase(baseUrl, environment)}/openapi.json`),
    // The documentation says how many calls the command makes, so no call is repeated.
    { timeout, maxWait: 0, clock: context.clock, fetch: fetchOf(settings, context) },
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
    throw new UsageError(cannotRead(`the document '${path}'`, error));
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
    const what = `The OpenAPI document is not usable: ${quotable(message, 300)}`;
    throw new CliError(what, EXIT.failedCheck);
  }
}
