import { quotable } from "../../shared/api_failure.ts";
import type { TokenResponse } from "../../shared/schemas.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import { addCredentialsFlags, getCredentials, readCredentialsSource } from "../credentials.ts";
import { EXIT } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";
import { readClaims } from "../jwt_claims.ts";
import { formatDuration } from "../output/duration.ts";
import { formatFields } from "../output/fields.ts";
import { createStyle } from "../output/style.ts";
import { readSettings } from "../settings.ts";

/** `waitlist token`: runs the client credentials flow. */
export default defineCommand({
  examples: [
    ["waitlist token --sandbox", "see whom a token is for, and how long it lasts"],
    ['curl -H "Authorization: Bearer $(waitlist token)" …', "use it elsewhere"],
    ["pass show waitlist | waitlist token --secret-stdin | cat", "with a secret from a store"],
  ],
  declare: addCredentialsFlags,
  parse: (input) => {
    const settings = readSettings(input.flags, input.variables);
    return { settings, credentials: readCredentialsSource(input, settings) };
  },
  async run({ settings, credentials }, context) {
    const { stdout, variables, clock } = context;
    const client = connect(settings, context, {
      credentials: await getCredentials(credentials, context),
    });
    const { data: token, error } = await client.token();
    if (error) throw toCliError(error);

    if (settings.json) stdout.write(`${JSON.stringify(token, null, 2)}\n`);
    else if (settings.quiet || !stdout.isTerminal) stdout.write(`${token.access_token}\n`);
    else stdout.write(formatFields(summarize(token, clock.now()), createStyle(stdout, variables)));
    return EXIT.fine;
  },
});

/** What a token says, for people; never the token. */
function summarize(
  token: TokenResponse,
  now: number,
): [name: string, value: string | undefined][] {
  const { client_id, scope, iss, exp } = readClaims(token.access_token) ?? {};
  const end = typeof exp === "number" ? exp * 1000 : now + token.expires_in * 1000;
  const text = (value: unknown) => typeof value === "string" ? quotable(value) : undefined;
  return [
    ["Client", text(client_id) ?? "(the token does not say)"],
    ["Scope", text(scope) ?? text(token.scope) ?? "(none)"],
    ["Issuer", text(iss)],
    ["Time left", end > now ? formatDuration(end - now) : "none; the clocks differ"],
  ];
}
