/**
 * `waitlist doctor`: finds out what is wrong with a running service, and prints a line for each check.
 *
 * @module
 */
import type { Overview } from "../../shared/operator_schemas.ts";
import { connectApi } from "../api_access.ts";
import { type Access, defineCommand } from "../command.ts";
import { CliError, EXIT, toCliError, UsageError } from "../errors.ts";
import { cannotRead } from "../files.ts";
import { fetchOf } from "../http_log.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";
import type { Style } from "../print.ts";
import {
  type DoctorCheck,
  type DoctorFacts,
  fault,
  type Finding,
  type KnownSender,
  runChecks,
} from "./doctor/check.ts";
import {
  checkBackups,
  checkCounters,
  checkLaunch,
  checkLetters,
  checkSchedules,
  withKey,
} from "./doctor/check_overview.ts";
import { checkProxy } from "./doctor/check_proxy.ts";
import { checkAddress, checkClock, checkTls } from "./doctor/check_public.ts";
import { SENDER_CHECKS } from "./doctor/check_sender.ts";
import { envelopeIn, parseSignature, signatureIn } from "./doctor/signature.ts";

/** All checks in the order in which they run and are printed. */
const CHECKS: DoctorCheck[] = [
  { name: "address", run: checkAddress },
  { name: "tls", run: checkTls },
  { name: "clock", run: checkClock },
  { name: "proxy", run: checkProxy },
  { name: "overview", run: ({ overviewFault }) => overviewFault },
  { name: "launch", run: withKey(checkLaunch) },
  { name: "letters", run: withKey(checkLetters) },
  ...SENDER_CHECKS,
  { name: "backups", run: withKey(checkBackups) },
  { name: "counters", run: checkCounters },
  { name: "schedules", run: checkSchedules },
];

/** The access with the operator key, or without a key if none is given. It never asks for the key. */
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
      "the public checks, and with the operator key all checks",
    ],
    ["waitlist doctor --json | jq '.checks[] | select(.result == \"fault\")'", "for programs"],
    ["waitlist doctor --quiet || echo 'look at it'", "prints nothing; sets the exit code"],
  ],
  declare: (command) => {
    command
      .option(
        "--letter <file>",
        "the source of a letter from the service, to check SPF and DKIM",
      )
      .option(
        "--dkim <selector>",
        "the selector of the DKIM signature in letters, or SELECTOR@DOMAIN",
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
    const { clock, dns } = context;
    const sent = clock.now();
    const { data: status, error } = await connectApi(settings, context).status();
    if (error) throw toCliError(error);
    const received = clock.now();
    const operator = await connect();
    const read: Pick<DoctorFacts, "overview" | "overviewFault"> = operator
      ? await readOverview(operator)
      : {};
    const checks = await runChecks(CHECKS, {
      baseUrl,
      options: { timeout, clock, fetch: fetchOf(settings, context) },
      status,
      calledAt: { sent, received },
      ...read,
      dns,
      sender: read.overview?.sender && senderOf(read.overview.sender, { source, dkim }),
    });
    const faults = checks.filter(({ result }) => result === "fault").length;
    return print({
      json: { baseUrl, faults, checks },
      text: (style) => formatFindings(checks, style),
      exitCode: faults > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/**
 * Reads the overview of the service. An absent or wrong overview of another version of the service is a fault that is
 * reported.
 */
async function readOverview(
  operator: OperatorClient,
): Promise<Pick<DoctorFacts, "overview" | "overviewFault">> {
  try {
    return { overview: await operator.call("getOverview", {}) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { exitCode, message } = error;
    if (exitCode === EXIT.failedCheck) return { overviewFault: { result: "fault", message } };
    if (exitCode !== EXIT.notFound) throw error;
    return {
      overviewFault: fault(
        "the service has no overview, because its version is older than this program",
        "upgrade the service, or check launch, letters and backups yourself",
      ),
    };
  }
}

/**
 * Describes the sender of letters, from the overview, a letter and the flags.
 *
 * @param options.source the source of a letter; empty if none was given
 * @param options.dkim the value of `--dkim`
 */
function senderOf(
  { from, envelope }: NonNullable<Overview["sender"]>,
  { source, dkim }: { source: string; dkim: ReturnType<typeof parseSignature> | undefined },
): KnownSender {
  const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const domain = domainOf(from);
  // The sender of the envelope in a received letter takes precedence, because many providers replace this sender.
  const path = envelopeIn(source) ?? envelope;
  return {
    domain,
    envelope: path && domainOf(path),
    signature: dkim ? { domain, ...dkim } : signatureIn(source, domain),
  };
}

/** The words for results, because some readers cannot see colours. */
const RESULTS = { ok: "ok", fault: "fault", unchecked: "-" };

function formatFindings(checks: Finding[], style: Style): string {
  const colors = { ok: style.green, fault: style.red, unchecked: style.dim };
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks.map(({ check, result, message }) =>
    `${colors[result](RESULTS[result].padEnd(5))}  ${style.bold(check.padEnd(width))}  ${message}\n`
  ).join("");
}
