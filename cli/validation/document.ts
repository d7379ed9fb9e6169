import { environmentBase } from "../../shared/environments.ts";
import { send } from "../../shared/send.ts";
import { UsageError } from "../cli_error.ts";
import { fetchOf } from "../connect.ts";
import type { Context } from "../context.ts";
import { toCliError } from "../failures.ts";
import type { Settings } from "../settings.ts";

/** The OpenAPI document that the service serves, parsed. */
export async function fetchDocument(settings: Settings, context: Context): Promise<unknown> {
  const { baseUrl, environment } = settings;
  const { data, error } = await send(
    new Request(`${environmentBase(baseUrl, environment)}/openapi.json`),
    {
      timeout: settings.timeout,
      // The number of calls is promised, so none is repeated.
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
    throw new UsageError(`Cannot read the document '${path}': ${reasonOf(error, "read")}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The document '${path}' is not JSON; give one as /openapi.json serves it`);
  }
}

/** Why a file could not be used, for people. */
export function reasonOf(error: unknown, access: "read" | "write"): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file or folder";
  if (error instanceof Deno.errors.NotCapable) {
    return `the program has no permission for it; install it with --allow-${access}`;
  }
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  return (error as Error).message;
}
