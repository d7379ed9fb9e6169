/**
 * `waitlist token`: gets an access token by the client credentials grant.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { quotable } from "../../shared/api_failure.ts";
import { isObject, type TokenResponse } from "../../shared/schemas.ts";
import { CREDENTIALS_ACCESS } from "../api_access.ts";
import { defineCommand, parseNoOptions } from "../command.ts";
import { toCliError } from "../errors.ts";
import { formatDuration, formatFields } from "../format.ts";

export default defineCommand({
  access: CREDENTIALS_ACCESS,
  examples: [
    ["waitlist token --sandbox", "shows the client and the lifetime of the token"],
    ['curl -H "Authorization: Bearer $(waitlist token)" …', "uses the token in another program"],
    // With `| cat`, standard output is no terminal, so the command prints the token itself.
    ["pass show waitlist | waitlist token --secret-stdin | cat", "with a secret from a program"],
  ],
  parse: parseNoOptions,
  async run(_options, { context: { stdout, clock }, connect, print }) {
    const { data: response, error } = await (await connect()).token();
    if (error) throw toCliError(error);
    const tokenLine = `${response.access_token}\n`;
    return print({
      json: response,
      quiet: tokenLine,
      text: (style) =>
        stdout.isTerminal ? formatFields(summarize(response, clock.now()), style) : tokenLine,
    });
  },
});

/**
 * Returns what a terminal shows of a token: some of its claims, and the time until it expires. Without `--json` and
 * `--quiet`, a terminal does not show the token itself, because a terminal keeps what it has shown.
 */
function summarize(
  response: TokenResponse,
  now: number,
): [name: string, value: string | undefined][] {
  const { client_id, scope, iss, exp } = readClaims(response.access_token) ?? {};
  const expiresAt = typeof exp === "number" ? exp * 1000 : now + response.expires_in * 1000;
  return [
    ["Client", printableText(client_id) ?? "(the token does not say)"],
    ["Scope", printableText(scope) ?? printableText(response.scope) ?? "(none)"],
    ["Issuer", printableText(iss)],
    [
      "Time left",
      expiresAt > now ? formatDuration(expiresAt - now) : "none, by the clock of this computer",
    ],
  ];
}

/** Returns a value of a token or a response as a text that is safe to print; `undefined` if the value is no text. */
function printableText(value: unknown): string | undefined {
  return typeof value === "string" ? quotable(value) : undefined;
}

/** Reads the claims of a JWT without verifying its signature; `undefined` if the token is no JWT. */
function readClaims(accessToken: string): Record<string, unknown> | undefined {
  try {
    const bytes = Buffer.from(accessToken.split(".")[1] ?? "", "base64url");
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
