/**
 * `waitlist signups erase`: removes one person, or people by state and age.
 *
 * @module
 */
import type { ErasureOutcome, StateErasure } from "../../../shared/operator_schemas.ts";
import { STATES } from "../../../shared/schemas.ts";
import { askFirst, needTerminal } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { type ExitCode, UsageError } from "../../errors.ts";
import { retrying } from "../../operator/chunks.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { createProgress, longWork } from "../../operator/progress.ts";
import { plural } from "../../print.ts";
import { parseChoice, parseMomentFlag } from "./filters.ts";

/** Whom to erase. */
type EraseOptions = { yes: boolean } & ({ email: string } | { selection: StateErasure });

export default defineCommand<EraseOptions, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again; people who are erased already stay erased",
  examples: [
    ["waitlist signups erase ada@example.com", "asks first, as it cannot be undone"],
    ["waitlist signups erase ada@example.com --yes", "without asking, for scripts"],
    ["waitlist signups erase ada@example.com --yes --json", "shows the time, for the records"],
    ["waitlist signups erase --state unconfirmed --before 2026-05-01", "says how many first"],
  ],
  declare: (command) => {
    command
      .argument("[email]", "the person's address")
      .option("--state <state>", `erase people in this state: ${STATES.join(", ")}`)
      .option("--before <date>", "… who signed up first before this UTC day, or this time")
      .option("-y, --yes", "do not ask first");
  },
  parse: parseOptions,
  run: (options, session) =>
    "email" in options ? erasePerson(options, session) : erasePeople(options, session),
});

function parseOptions({ args: [email], flags }: CommandInput): EraseOptions {
  const yes = flags.yes === true;
  const { state } = parseChoice("state", flags);
  if (email !== undefined) {
    if (!state && flags.before === undefined) return { email, yes };
    throw new UsageError("An address and --state or --before exclude each other; leave one out");
  }
  if (!state || flags.before === undefined) {
    throw new UsageError("Say whom to erase; give an address, or both --state and --before");
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
  return `Erased: ${email} is no longer on the waitlist. Its record could not be read, so that the ` +
    "statistics still count it; correct them by 'waitlist counters repair'.\n";
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
  // What a cut call has erased is gone, and is not in the count of the next one.
  const call = () => longWork("eraseSignups", { body: selection }, { client, progress });
  const { erased } = await retrying(call, { context, progress });
  return conclude(erased);
}
