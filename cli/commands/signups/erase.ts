/**
 * `waitlist signups erase`: removes one person, or all people with a state and an age.
 *
 * @module
 */
import type { ErasureOutcome, StateErasure } from "../../../shared/operator_schemas.ts";
import { STATES } from "../../../shared/schemas.ts";
import { askFirst, needTerminal } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { type ExitCode, UsageError } from "../../errors.ts";
import { parseChoice, parseMomentFlag } from "../../flag_values.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { retrying } from "../../operator/cuts.ts";
import { createProgress, longWork } from "../../operator/progress.ts";
import { plural } from "../../print.ts";

/** The options of the command: one address, or a state and a time. */
type EraseOptions = { yes: boolean } & ({ email: string } | { selection: StateErasure });

export default defineCommand<EraseOptions, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again; it continues with the people who are left",
  examples: [
    ["waitlist signups erase ada@example.com", "asks first, because it cannot be undone"],
    ["waitlist signups erase ada@example.com --yes", "without asking, for scripts"],
    ["waitlist signups erase ada@example.com --yes --json", "shows the time, for your records"],
    ["waitlist signups erase --state unconfirmed --before 2026-05-01", "shows the number first"],
  ],
  declare: (command) => {
    command
      .argument("[email]", "the person's address")
      .option("--state <state>", `erase all people in this state: ${STATES.join(", ")}`)
      .option("--before <date>", "with --state, who signed up before this UTC day or time")
      .option("-y, --yes", "do not ask first");
  },
  parse: parseOptions,
  run: (options, session) =>
    "email" in options ? erasePerson(options, session) : erasePeople(options, session),
});

function parseOptions({ args: [email], flags }: CommandInput): EraseOptions {
  const yes = flags.yes === true;
  const state = flags.state === undefined
    ? undefined
    : parseChoice("--state", String(flags.state), STATES);
  if (email !== undefined) {
    if (!state && flags.before === undefined) return { email, yes };
    throw new UsageError(
      "An address erases one person, --state and --before erase many; give one or the other",
    );
  }
  if (!state || flags.before === undefined) {
    throw new UsageError(
      "It is not clear whom to erase; give an address, or both --state and --before",
    );
  }
  return { selection: { state, before: parseMomentFlag("--before", String(flags.before)) }, yes };
}

async function erasePerson(
  { email, yes }: { email: string; yes: boolean },
  { settings, context, connect, print }: Session<OperatorClient>,
): Promise<ExitCode> {
  if (!yes) {
    await askFirst(`Erase ${email} at ${settings.baseUrl}? This cannot be undone.`, context);
  }
  const erasure = await (await connect()).call("eraseSignup", { body: { email } });
  return print({ json: erasure, text: () => describeErasure(email, erasure) });
}

function describeErasure(
  email: string,
  { outcome, erasedAt, countersLeft }: ErasureOutcome,
): string {
  if (outcome === "erased_before") {
    return `Nothing to do: ${email} was erased before, at ${erasedAt}.\n`;
  }
  if (!countersLeft) {
    return `Erased: ${email} is no longer on the waitlist, nor in its statistics.\n`;
  }
  return `Erased: ${email} is no longer on the waitlist. The record could not be read, so the ` +
    "statistics still count it; correct them with 'waitlist counters repair'.\n";
}

async function erasePeople(
  { selection, yes }: { selection: StateErasure; yes: boolean },
  { settings, context, connect, print }: Session<OperatorClient>,
): Promise<ExitCode> {
  const { state, before } = selection;
  const conclude = (erased: number) =>
    print({
      json: { ...selection, erased },
      text: () => `Erased ${plural(erased, "person", "people")}.\n`,
      quiet: `${erased}\n`,
    });
  if (!yes) needTerminal(context);
  const client = await connect();
  using progress = createProgress(context, settings);
  if (!yes) {
    const body = { ...selection, dryRun: true };
    const { erased } = await longWork("eraseSignups", { body }, { client, progress });
    if (erased === 0) return conclude(0);
    const people = plural(erased, "person who is", "people who are");
    const question = `Erase ${people} ${state} and signed up before ${before} at ` +
      `${settings.baseUrl}? This cannot be undone.`;
    await askFirst(question, context);
  }
  // After a cut, the number is too small, because the repeated call counts only the people who were left.
  const call = () => longWork("eraseSignups", { body: selection }, { client, progress });
  const { erased } = await retrying(call, { context, progress });
  return conclude(erased);
}
