/**
 * How commands reach the public API, with or without the credentials of an OAuth client. `operator/client.ts` has the
 * access to the operator surface.
 *
 * @module
 */
import { type ApiClient, createApiClient } from "../shared/api_client.ts";
import { basicAuthorization, type Credentials } from "../shared/environments.ts";
import type { Access } from "./command.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";
import { chooseFetch } from "./http_log.ts";
import { readSecret } from "./secrets.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "./settings.ts";

/** The longest time that a call waits because of `Retry-After`, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/**
 * Makes the API client of a command.
 *
 * @param options.maxWait the longest time that a call waits because of `Retry-After`, in milliseconds
 */
export function connectApi(
  settings: Settings,
  context: Context,
  { credentials, maxWait = MAX_WAIT_MS }: {
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
    fetch: chooseFetch(settings, context),
    ...(credentials && { credentials }),
  }, context.clock);
}

/** The access of commands that need no credentials. */
export const PUBLIC_ACCESS: Access<ApiClient> = {
  declare: (command) => {
    command.option("--sandbox", "use the sandbox, which stores nothing and needs no credentials");
  },
  prepare: (_input, settings, context) => () => Promise.resolve(connectApi(settings, context)),
};

/**
 * An API client with the credentials that it uses. They are `undefined` in the sandbox, whose credentials are public.
 */
export type AuthorizedClient = ApiClient & { credentials: Credentials | undefined };

/** The access of commands that need the credentials of an OAuth client. */
export const CREDENTIALS_ACCESS: Access<AuthorizedClient> = {
  declare(command) {
    command
      .option("--client-id <id>", "the OAuth client (WAITLIST_CLIENT_ID)")
      .option("--secret-stdin", "read the client's secret from standard input");
    addInsecureFlag(command);
    PUBLIC_ACCESS.declare(command);
  },
  prepare({ flags, variables }, settings, context) {
    if (flags.sandbox) {
      if (flags.clientId !== undefined || flags.secretStdin) {
        throw new UsageError(
          "--sandbox uses the credentials that the sandbox publishes; leave out --client-id and " +
            "--secret-stdin",
        );
      }
      return () => Promise.resolve({ ...connectApi(settings, context), credentials: undefined });
    }
    const clientId = flags.clientId ?? variables.WAITLIST_CLIENT_ID;
    if (!clientId) {
      throw new UsageError(
        variables.WAITLIST_OPERATOR_KEY
          ? "The client_id is missing; create an OAuth client with 'waitlist clients create --name Statistics " +
            "--scope waitlist:stats:read', and set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET to " +
            "the values that 'waitlist clients create' prints"
          : "The client_id is missing; ask the operator for an OAuth client, and set WAITLIST_CLIENT_ID and " +
            "WAITLIST_CLIENT_SECRET; in the sandbox (--sandbox), you need no client of your own",
      );
    }
    refuseClearText("The client's secret", settings);
    return async () => {
      const fromStdin = flags.secretStdin === true;
      const credentials = await readCredentials(String(clientId), fromStdin, context);
      return { ...connectApi(settings, context, { credentials }), credentials };
    };
  },
};

/** Reads the client's secret, and hides it in all later output. */
async function readCredentials(
  clientId: string,
  fromStdin: boolean,
  context: Context,
): Promise<Credentials> {
  const clientSecret = await readSecret({
    name: "client secret",
    variable: "WAITLIST_CLIENT_SECRET",
    stdinFlag: "--secret-stdin",
    fromStdin,
    question: `Secret of the client ${clientId}`,
  }, context);
  if (clientSecret === "") {
    throw new UsageError(
      "The client's secret is empty; set WAITLIST_CLIENT_SECRET, or pipe the secret into the command with " +
        "--secret-stdin",
    );
  }
  const credentials = { clientId, clientSecret };
  context.hide(clientSecret);
  context.hide(basicAuthorization(credentials).replace("Basic ", ""));
  return credentials;
}
