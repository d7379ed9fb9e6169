/**
 * `waitlist doctor`: finds out what is wrong with a running service, and prints a line for each check.
 *
 * @module
 */
import type { Overview } from "../../shared/operator_schemas.ts";
import { connectApi } from "../api_access.ts";
import { type Access, defineCommand, type Session } from "../command.ts";
import { CliError, EXIT, toCliError, UsageError } from "../errors.ts";
import { cannotRead } from "../file_errors.ts";
import { chooseFetch } from "../http_log.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import type { Style } from "../print.ts";
import {
  type CheckInput,
  type DoctorCheck,
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
  // The overview is read before all checks. This check only reports why the overview could not be read.
  { name: "overview", run: ({ overviewFault }) => overviewFault },
  { name: "launch", run: withKey(checkLaunch) },
  { name: "letters", run: withKey(checkLetters) },
  ...SENDER_CHECKS,
  { name: "backups", run: withKey(checkBackups) },
  { name: "counters", run: checkCounters },
  { name: "schedules", run: checkSchedules },
];

/** The options of the command. */
interface DoctorOptions {
  /** The path of a file with the source of a letter from the service. */
  letter: string | undefined;
  /** The value of `--dkim`. */
  dkim: DkimFlag | undefined;
}

/** A DKIM signature as `--dkim` names it, with or without its domain. */
type DkimFlag = ReturnType<typeof parseSignature>;

/** The access with the operator key if `--key-stdin` or the environment gives this key, and otherwise without a key. */
const OPERATOR_OR_ANYBODY: Access<OperatorClient | undefined> = {
  declare: OPERATOR_ACCESS.declare,
  prepare(input, settings, context) {
    const hasKey = input.flags.keyStdin === true || input.variables.WAITLIST_OPERATOR_KEY;
    return hasKey
      ? OPERATOR_ACCESS.prepare(input, settings, context)
      : () => Promise.resolve(undefined);
  },
};

export default defineCommand<DoctorOptions, OperatorClient | undefined>({
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
        "the source of an e-mail from the service, to check SPF and DKIM",
      )
      .option(
        "--dkim <selector>",
        "the selector of the DKIM signature in e-mails, or SELECTOR@DOMAIN",
      );
  },
  parse: ({ flags: { letter, dkim } }) => ({
    letter: letter === undefined ? undefined : String(letter),
    dkim: dkim === undefined ? undefined : parseSignature(String(dkim)),
  }),
  async run(options, session) {
    const findings = await runChecks(CHECKS, await collectInput(options, session));
    const faultCount = findings.filter(({ result }) => result === "fault").length;
    return session.print({
      json: { baseUrl: session.settings.baseUrl, faults: faultCount, checks: findings },
      text: (style) => formatFindings(findings, style),
      exitCode: faultCount > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/** Calls the service, and collects the input of the checks. */
async function collectInput(
  { letter, dkim }: DoctorOptions,
  { settings, context, connect }: Session<OperatorClient | undefined>,
): Promise<CheckInput> {
  const { clock, dns, files } = context;
  const letterSource = letter === undefined ? "" : await files.readText(letter).catch((error) => {
    throw new UsageError(cannotRead(`'${letter}'`, error));
  });
  const sentAt = clock.now();
  const { data: status, error } = await connectApi(settings, context).status();
  if (error) throw toCliError(error);
  const answeredAt = clock.now();
  const operator = await connect();
  const overviewInput: OverviewInput = operator ? await readOverview(operator) : {};
  const sender = overviewInput.overview?.sender;
  return {
    baseUrl: settings.baseUrl,
    callOptions: { timeout: settings.timeout, clock, fetch: chooseFetch(settings, context) },
    status,
    statusProbeTimes: { sentAt, answeredAt },
    ...overviewInput,
    dns,
    ...sender && { sender: senderOf(sender, { letterSource, dkim }) },
  };
}

/** The overview, or the reason why it could not be read. */
type OverviewInput = Pick<CheckInput, "overview" | "overviewFault">;

/**
 * Reads the overview of the service. If a service of another version has no overview, or an overview that this program
 * cannot read, the doctor reports a fault.
 */
async function readOverview(operator: OperatorClient): Promise<OverviewInput> {
  try {
    return { overview: await operator.call("getOverview", {}) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { exitCode, message } = error;
    if (exitCode === EXIT.failedCheck) return { overviewFault: { result: "fault", message } };
    if (exitCode !== EXIT.notFound) throw error;
    return {
      overviewFault: fault(
        "the service has no overview, because the service is older than this program",
        "upgrade the service, or make the checks 'launch', 'letters' and 'backups' yourself",
      ),
    };
  }
}

/**
 * Describes the sender of letters, from the overview, a letter and the flags.
 *
 * @param options.letterSource the source of a letter; empty if none was given
 * @param options.dkim the value of `--dkim`
 */
function senderOf(
  { from, envelope }: NonNullable<Overview["sender"]>,
  { letterSource, dkim }: { letterSource: string; dkim: DkimFlag | undefined },
): KnownSender {
  const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const domain = domainOf(from);
  // The envelope's sender in a received letter takes precedence over the one in the overview, because many providers
  // replace the sender that the service gave.
  const envelopeSender = envelopeIn(letterSource) ?? envelope;
  return {
    domain,
    envelopeDomain: envelopeSender && domainOf(envelopeSender),
    signature: dkim ? { domain, ...dkim } : signatureIn(letterSource, domain),
  };
}

/** The words for results, because some readers cannot see colours. All have the same width. */
const RESULT_WORDS = { ok: "ok   ", fault: "fault", unchecked: "-    " };

/** Formats each finding as a line. */
function formatFindings(findings: Finding[], style: Style): string {
  const colors = { ok: style.green, fault: style.red, unchecked: style.dim };
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.map(({ check, result, message }) => {
    const word = colors[result](RESULT_WORDS[result]);
    return `${word}  ${style.bold(check.padEnd(width))}  ${message}\n`;
  }).join("");
}
