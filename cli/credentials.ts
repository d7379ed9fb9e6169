import type { Command } from "commander";
import { basicAuthorization } from "../shared/basic_authorization.ts";
import type { Credentials } from "../shared/sandbox_client.ts";
import { UsageError } from "./cli_error.ts";
import type { CommandInput } from "./command.ts";
import type { Context } from "./context.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "./settings.ts";

/** Where the credentials come from. */
export type CredentialsSource =
  /** The sandbox's own, published ones. */
  | { source: "published" }
  | { source: "given"; clientId: string; clientSecret: string | undefined; fromStdin: boolean };

/** The flags of commands that need credentials; a secret is never a flag's value. */
export function addCredentialsFlags(command: Command): void {
  command
    .option("--client-id <id>", "the OAuth client (WAITLIST_CLIENT_ID)")
    .option("--secret-stdin", "read the client's secret from standard input");
  addInsecureFlag(command);
}

/**
 * Reads where the credentials come from: flags, then the environment; the sandbox publishes its own.
 * Throws a `UsageError` where they are missing or would travel in clear text.
 */
export function readCredentialsSource(
  { flags, variables }: CommandInput,
  settings: Settings,
): CredentialsSource {
  if (flags.sandbox) {
    if (flags.clientId === undefined && !flags.secretStdin) return { source: "published" };
    throw new UsageError(
      "The sandbox publishes its credentials; leave --client-id and --secret-stdin out",
    );
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
  return {
    source: "given",
    clientId: String(clientId),
    clientSecret: variables.WAITLIST_CLIENT_SECRET || undefined,
    fromStdin: flags.secretStdin === true,
  };
}

/** Gets the credentials, asking for the secret where there is a terminal; `undefined`: the published ones. */
export async function getCredentials(
  source: CredentialsSource,
  context: Context,
): Promise<Credentials | undefined> {
  if (source.source === "published") return undefined;
  const { clientId } = source;
  const clientSecret = await getSecret(source, context);
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

async function getSecret(
  { clientId, clientSecret, fromStdin }: CredentialsSource & { source: "given" },
  { stdin, stderr, prompt }: Context,
): Promise<string> {
  if (clientSecret !== undefined && !fromStdin) return clientSecret;
  // A terminal would show what is typed into its standard input.
  if (fromStdin && !stdin.isTerminal) return (await stdin.readText()).replace(/\r?\n$/, "");
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(
      "There is no client secret and no terminal to ask on; set WAITLIST_CLIENT_SECRET or use --secret-stdin",
    );
  }
  const secret = await prompt.secret(`Secret of the client ${clientId}`);
  if (secret === undefined) throw new UsageError("Cancelled; nothing was sent");
  return secret;
}
