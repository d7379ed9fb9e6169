/**
 * `waitlist token`: gets an access token by the client credentials grant.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { quotable } from "../../shared/api_failure.ts";
import { isObject, type TokenResponse } from "../../shared/schemas.ts";
import { CREDENTIALS_ACCESS } from "../api_access.ts";
import { defineCommand } from "../command.ts";
import { toCliError } from "../errors.ts";
import { formatDuration, formatFields } from "../format.ts";

export default defineCommand({
  access: CREDENTIALS_ACCESS,
  examples: [
    ["waitlist token --sandbox", "shows the client and the lifetime of the token"],
    ['curl -H "Authorization: Bearer $(waitlist token)" …', "uses the token in another program"],
    ["pass show waitlist | waitlist token --secret-stdin | cat", "with a secret from a program"],
  ],
  parse: () => undefined,
  async run(_options, { context: { stdout, clock }, connect, print }) {
    const { data: token, error } = await (await connect()).token();
    if (error) throw toCliError(error);
    const bareToken = `${token.access_token}\n`;
    return print({
      json: token,
      quiet: bareToken,
      text: (style) =>
        stdout.isTerminal ? formatFields(summarize(token, clock.now()), style) : bareToken,
    });
  },
});

/**
 * Returns what a terminal shows of a token: some of its claims, and the time until it expires. Without `--json` and
 * `--quiet`, a terminal does not show the token itself, because a terminal keeps what it has shown.
 */
function summarize(
  token: TokenResponse,
  now: number,
): [name: string, value: string | undefined][] {
  const { client_id, scope, iss, exp } = readClaims(token.access_token) ?? {};
  const expiresAt = typeof exp === "number" ? exp * 1000 : now + token.expires_in * 1000;
  const shown = (claim: unknown) => typeof claim === "string" ? quotable(claim) : undefined;
  return [
    ["Client", shown(client_id) ?? "(the token does not say)"],
    ["Scope", shown(scope) ?? shown(token.scope) ?? "(none)"],
    ["Issuer", shown(iss)],
    [
      "Time left",
      expiresAt > now ? formatDuration(expiresAt - now) : "none, by the clock of this computer",
    ],
  ];
}

/** Reads the claims of a JWT without verifying its signature; `undefined` if the token is no JWT. */
function readClaims(token: string): Record<string, unknown> | undefined {
  try {
    const bytes = Buffer.from(token.split(".")[1] ?? "", "base64url");
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
