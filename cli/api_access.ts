/**
 * The access of commands to the public API, with or without credentials.
 *
 * @module
 */
import { type ApiClient, createApiClient } from "../shared/api_client.ts";
import { basicAuthorization, type Credentials } from "../shared/environments.ts";
import type { Access } from "./command.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";
import { fetchOf } from "./http_log.ts";
import { readSecret } from "./secrets.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "./settings.ts";

/** The longest sum of `Retry-After` that a command waits out, in milliseconds. */
const MAX_WAIT = 5_000;

/** Makes the API client of a command. */
export function connectApi(
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

/** The access of commands that need no credentials. */
export const PUBLIC: Access<ApiClient> = {
  declare: (command) => {
    command.option("--sandbox", "use the sandbox: it stores nothing and needs no credentials");
  },
  prepare: (_input, settings, context) => () => Promise.resolve(connectApi(settings, context)),
};

/** A client, and the credentials that it was given; none where the sandbox publishes them. */
export type AuthorizedClient = ApiClient & { credentials: Credentials | undefined };

/** The access of commands that need the credentials of an OAuth client. */
export const WITH_CREDENTIALS: Access<AuthorizedClient> = {
  declare(command) {
    command
      .option("--client-id <id>", "the OAuth client (WAITLIST_CLIENT_ID)")
      .option("--secret-stdin", "read the client's secret from standard input");
    addInsecureFlag(command);
    PUBLIC.declare(command);
  },
  prepare({ flags, variables }, settings, context) {
    if (flags.sandbox) {
      if (flags.clientId !== undefined || flags.secretStdin) {
        throw new UsageError(
          "The sandbox publishes its credentials; leave --client-id and --secret-stdin out",
        );
      }
      return () => Promise.resolve({ ...connectApi(settings, context), credentials: undefined });
    }
    const clientId = flags.clientId ?? variables.WAITLIST_CLIENT_ID;
    if (!clientId) {
      throw new UsageError(
        variables.WAITLIST_OPERATOR_KEY
          ? "There is no client_id; issue a client with 'waitlist clients create --name Statistics " +
            "--scope waitlist:stats:read', and set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET to " +
            "what it prints"
          : "There is no client_id; ask the operator for a client and set WAITLIST_CLIENT_ID, or use " +
            "--sandbox",
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

/** Reads the client's secret; from here on it is hidden in all output. */
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
      "The client's secret is empty; set WAITLIST_CLIENT_SECRET or pipe it to --secret-stdin",
    );
  }
  const credentials = { clientId, clientSecret };
  context.hide(clientSecret);
  context.hide(basicAuthorization(credentials).replace("Basic ", ""));
  return credentials;
}
