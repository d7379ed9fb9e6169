/**
 * `waitlist signups erase`: removes one person, or all people who are in one state and signed up before a date.
 *
 * @module
 */
import type { ErasureOutcome, StateErasure } from "../../../shared/operator_schemas.ts";
import { STATES } from "../../../shared/schemas.ts";
import { requireTerminal } from "../../ask_first.ts";
import { UsageError } from "../../errors.ts";
import { parseChoice, parseMomentFlag } from "../../flag_values.ts";
import { plural } from "../../format.ts";
import { withRetries } from "../../operator/cuts.ts";
import { runLongWork } from "../../operator/run_long_work.ts";
import { type AddressSession, defineAddressCommand } from "./address_command.ts";

/** Whom to erase: one person, or all people who are in one state and signed up before a date. */
type ErasureTarget = { email: string } | { selection: StateErasure };

export default defineAddressCommand<ErasureTarget>({
  resumeAdvice:
    "to go on, run the same command again; it continues with the people who are not erased yet",
  examples: [
    ["waitlist signups erase ada@example.com", "asks first, because it cannot be undone"],
    ["waitlist signups erase ada@example.com --yes", "without asking, for scripts"],
    ["waitlist signups erase ada@example.com --yes --json", "shows the time, for your records"],
    ["waitlist signups erase --state unconfirmed --before 2026-05-01", "shows the number first"],
  ],
  addresses: ["[email]", "the person's address"],
  hasYes: true,
  declare: (command) => {
    command
      .option("--state <state>", `erase all people in this state: ${STATES.join(", ")}`)
      .option("--before <date>", "with --state, who signed up before this UTC day or time");
  },
  parse([email], flags) {
    const state = flags.state === undefined
      ? undefined
      : parseChoice("--state", String(flags.state), STATES);
    if (email !== undefined) {
      if (!state && flags.before === undefined) return { email };
      throw new UsageError(
        "An address selects one person, but --state and --before select many people; give either an address or " +
          "these two flags",
      );
    }
    if (!state || flags.before === undefined) {
      throw new UsageError(
        "It is not clear whom to erase; give an address, or both --state and --before",
      );
    }
    return { selection: { state, before: parseMomentFlag("--before", String(flags.before)) } };
  },
  async act(target, session) {
    const { settings, connect, confirm } = session;
    if ("selection" in target) {
      const { selection } = target;
      const erased = await erasePeople(selection, session);
      return {
        json: { ...selection, erased },
        text: () => `Erased ${plural(erased, "person", "people")}.\n`,
        quiet: `${erased}\n`,
      };
    }
    const { email } = target;
    await confirm(`Erase ${email} at ${settings.baseUrl}? This cannot be undone.`);
    const erasure = await (await connect()).call("eraseSignup", { body: { email } });
    return { json: erasure, text: () => describeErasure(email, erasure) };
  },
});

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
    "statistics still count this person; correct the statistics with 'waitlist counters repair'.\n";
}

/**
 * Erases people, and returns their number. Unless `--yes` is given, asks for confirmation first, with the number of
 * people.
 */
async function erasePeople(
  selection: StateErasure,
  { settings, context, connect, progress, yes, confirm }: AddressSession,
): Promise<number> {
  if (!yes) requireTerminal(context);
  const client = await connect();
  if (!yes) {
    const body = { ...selection, dryRun: true };
    const { erased } = await runLongWork("eraseSignups", { body }, { client, progress });
    if (erased === 0) return 0;
    const { state, before } = selection;
    const people = plural(erased, "person who is", "people who are");
    await confirm(
      `Erase ${people} ${state} and signed up before ${before} at ${settings.baseUrl}? ` +
        "This cannot be undone.",
    );
  }
  // If the connection was cut, the returned number can be too small, because the repeated call counts only the people
  // whom the first call had not erased.
  const call = () => runLongWork("eraseSignups", { body: selection }, { client, progress });
  return (await withRetries(call, { context, progress })).erased;
}
