/**
 * `waitlist doctor`: what is wrong with a running service, one line for each thing.
 *
 * @module
 */
import { connectApi } from "../api_access.ts";
import { type Access, defineCommand } from "../command.ts";
import { EXIT, toCliError, UsageError } from "../errors.ts";
import { cannotRead } from "../files.ts";
import { fetchOf } from "../http_log.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";
import { type Style } from "../print.ts";
import { checkOverview, skipOverview } from "./doctor/check_overview.ts";
import { checkProxy } from "./doctor/check_proxy.ts";
import { checkSender } from "./doctor/check_sender.ts";
import { checkAddress, checkClock, checkTls } from "./doctor/check_public.ts";
import { type Finding, unchecked } from "./doctor/finding.ts";
import { envelopeIn, parseSignature, signatureIn } from "./doctor/signature.ts";

/** The access of an operator, or of anybody where no key is given; nobody is asked for one. */
const OPERATOR_OR_ANYBODY: Access<OperatorClient | undefined> = {
  declare: OPERATOR.declare,
  prepare(input, settings, context) {
    const hasKey = input.flags.keyStdin === true || input.variables.WAITLIST_OPERATOR_KEY;
    return hasKey ? OPERATOR.prepare(input, settings, context) : () => Promise.resolve(undefined);
  },
};

export default defineCommand({
  access: OPERATOR_OR_ANYBODY,
  examples: [
    [
      "waitlist doctor --base-url https://waitlist.example",
      "what anybody can see, and what an operator can",
    ],
    ["waitlist doctor --json | jq '.checks[] | select(.result == \"fault\")'", "for programs"],
    ["waitlist doctor --quiet || echo 'look at it'", "says it by the exit code alone"],
  ],
  declare: (command) => {
    command
      .option(
        "--letter <file>",
        "the source of a letter of the service, for the checks of SPF and DKIM",
      )
      .option(
        "--dkim <selector>",
        "the selector of the letters' DKIM signature, or SELECTOR@DOMAIN",
      );
  },
  parse: ({ flags: { letter, dkim } }) => ({
    letter: letter === undefined ? undefined : String(letter),
    dkim: dkim === undefined ? undefined : parseSignature(String(dkim)),
  }),
  async run({ letter, dkim }, { settings, context, connect, print }) {
    const { files } = context;
    const source = letter === undefined ? "" : await files.readText(letter).catch((error) => {
      throw new UsageError(cannotRead(`'${letter}'`, error));
    });
    const { baseUrl, timeout } = settings;
    const { clock } = context;
    const options = { timeout, clock, fetch: fetchOf(settings, context) };
    const sent = clock.now();
    const { data: status, error } = await connectApi(settings, context).status();
    if (error) throw toCliError(error);
    const received = clock.now();
    const operator = await connect();
    const checks = [
      checkAddress(baseUrl, status.openapi),
      await checkTls(baseUrl, options),
      checkClock({ time: status.time, sent, received }),
      ...settleProxy(
        await checkProxy(baseUrl, options),
        operator
          ? await checkOverview(operator, baseUrl, (configured) => {
            const { from } = configured;
            // Providers put an envelope of their own around letters, by SMTP too.
            const envelope = envelopeIn(source) ?? configured.envelope;
            const domain = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
            const signature = dkim ? { domain, ...dkim } : signatureIn(source, domain);
            const sender = { from, ...envelope !== undefined && { envelope } };
            return checkSender(sender, { dns: context.dns, signature });
          })
          : skipOverview(),
      ),
    ];
    const faults = checks.filter(({ result }) => result === "fault").length;
    return print({
      json: { baseUrl, faults, checks },
      text: (style) => formatFindings(checks, style),
      exitCode: faults > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/**
 * Puts what calls have shown of the proxy before the overview's findings. Calls alone cannot tell that visitors
 * share a proxy's address while nobody else calls: the overview knows it, and its finding stands alone.
 */
function settleProxy(proxy: Finding, overview: Finding[]): Finding[] {
  if (proxy.result === "fault") return [proxy, ...overview];
  if (overview.some(({ check }) => check === "proxy")) return overview;
  const isRead = overview.some(({ check, result }) =>
    check === "letters" && result !== "unchecked"
  );
  if (isRead || proxy.result === "unchecked") return [proxy, ...overview];
  const message =
    "visitors cannot choose the address that limits count by; whether they share one " +
    "takes the operator key; set WAITLIST_OPERATOR_KEY";
  return [unchecked("proxy", message), ...overview];
}

/** The words of results in a column of their own, as colour alone says nothing to some. */
const RESULTS = { ok: "ok", fault: "fault", unchecked: "-" };

function formatFindings(checks: Finding[], style: Style): string {
  const colors = { ok: style.green, fault: style.red, unchecked: style.dim };
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks.map(({ check, result, message }) =>
    `${colors[result](RESULTS[result].padEnd(5))}  ${style.bold(check.padEnd(width))}  ${message}\n`
  ).join("");
}
