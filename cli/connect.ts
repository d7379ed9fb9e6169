import { type ApiClient, createApiClient } from "../shared/api_client.ts";
import type { Credentials } from "../shared/sandbox_client.ts";
import type { Context } from "./context.ts";
import { logHttp } from "./http_log.ts";
import type { Settings } from "./settings.ts";

/** The longest sum of `Retry-After` that a command waits out, in milliseconds. */
const MAX_WAIT = 5_000;

/** The `fetch` that a command's requests go through. */
export function fetchOf({ verbose }: Settings, context: Context): typeof fetch {
  return verbose ? logHttp(context) : context.fetch;
}

/** Makes the API client of a command. */
export function connect(
  settings: Settings,
  context: Context,
  { credentials, maxWait = MAX_WAIT }: {
    credentials?: Credentials | undefined;
    maxWait?: number;
  } = {},
): ApiClient {
  const { baseUrl, environment, timeout } = settings;
  return createApiClient({
    baseUrl,
    environment,
    timeout,
    maxWait,
    fetch: fetchOf(settings, context),
    ...(credentials && { credentials }),
  }, context.clock);
}
