/**
 * `waitlist signups invite`: has the service invite people in a wave, and asks again for a wave that was cut.
 *
 * @module
 */
import type { InvitationRequest } from "../../../shared/operator_schemas.ts";
import { askFirst, askToReplace, needTerminal } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { retrying } from "../../operator/chunks.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { plural } from "../../print.ts";
import { addFilterFlags, parseCount, parseFilter } from "./filters.ts";
import { callWave, type WaveOutcome } from "./invite/call_wave.ts";
import { writePeople } from "./invite/write_people.ts";

/** Whom to invite, and how. */
interface InviteOptions {
  /** The body of the call, without the wave's id where the command line has none. */
  request: Omit<InvitationRequest, "wave">;
  wave: string | undefined;
  output: string | undefined;
  yes: boolean;
}

export default defineCommand<InviteOptions, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again, with --wave and the wave's id if one is named above",
  examples: [
    [
      'waitlist signups invite --next 100 --link "https://app.example.com/?code={code}"',
      "says whom, and asks first",
    ],
    [
      'waitlist signups invite --next 9 --link "https://app.example.com/?code={code}" --wave june --yes',
      "asks for a wave again that was cut, or begins it",
    ],
    [
      'waitlist signups invite ada@example.com --link "https://app.example.com/?code={code}" --output list.csv',
      "to write to people by other means",
    ],
  ],
  declare: (command) => {
    command
      .argument("[email...]", "the addresses of the people, unless --next says how many")
      .option("--next <number>", "invite so many of those who wait, the first ones first");
    addFilterFlags(command);
    command
      .option("--link <url>", "where the invitation leads; {code} becomes the person's code")
      .option(
        "--wave <id>",
        "the id of the wave, to go on with one; made from the time if left out",
      )
      .option("--output <file>", "send no letters; write the people to this file, CSV or NDJSON")
      .option("--dry-run", "say who would be invited, and change nothing")
      .option("-y, --yes", "do not ask first");
  },
  parse: parseOptions,
  async run({ request, wave: given, output, yes }, session) {
    const { context, settings } = session;
    const asks = !yes && !request.dryRun;
    if (asks) {
      needTerminal(
        context,
        "There is no terminal to ask on, and nothing was sent; add --yes to invite without asking",
      );
      if (output !== undefined) await askToReplace(output, context);
    }
    const wave = given ?? waveOf(context.clock.now());
    const client = await session.connect();
    using progress = createProgress(context, settings);
    const work = { client, context, progress };
    const body = { ...request, wave };
    if (request.letters && !request.link.includes("{code}")) progress.note(NO_CODE);
    // A wave that is made here is named once it is known to invite somebody.
    if (asks || !request.dryRun && given === undefined) {
      const plan = await retrying(() => callWave({ ...body, dryRun: true }, work), work);
      progress.end();
      if (plan.invited === 0) return printOutcome(plan, body, session);
      if (asks) await askFirst(describePlan(plan.invited, body, session, output), context);
      progress.note(`This is the wave ${wave}; if it is cut, go on with --wave ${wave}.`);
    }
    const writes = output !== undefined && !request.dryRun;
    const outcome = await retrying(
      () => writes ? writePeople(output, body, work) : callWave(body, work),
      work,
    );
    progress.end();
    return printOutcome(outcome, body, session, output);
  },
});

function parseOptions({ args: emails, flags }: CommandInput): InviteOptions {
  const filter = parseFilter(flags);
  const next = flags.next === undefined ? undefined : parseCount("--next", String(flags.next));
  if ((next === undefined) === (emails.length === 0)) {
    throw new UsageError("Say whom to invite; give either --next and a number, or addresses");
  }
  const [unused] = Object.keys(filter);
  if (emails.length > 0 && unused) {
    throw new UsageError(`--${unused} goes with --next only; leave it out, or the addresses`);
  }
  if (flags.link === undefined) {
    throw new UsageError("Say where the invitation leads; give --link and an https: URL");
  }
  const output = flags.output as string | undefined;
  const request = {
    ...next === undefined ? { emails } : { next },
    ...filter,
    link: String(flags.link),
    letters: output === undefined,
    ...flags.dryRun === true && { dryRun: true },
  };
  const wave = flags.wave as string | undefined;
  return { request, wave, output, yes: flags.yes === true };
}

/** An id that sorts by time: `2026-06-01-093000-123`. */
function waveOf(now: number): string {
  return new Date(now).toISOString().replace("T", "-").replaceAll(":", "").replace(".", "-")
    .slice(0, -1);
}

function describePlan(
  invited: number,
  { link, letters }: InvitationRequest,
  { settings }: Session<OperatorClient>,
  output: string | undefined,
): string {
  const people = plural(invited, "person", "people");
  const means = letters
    ? `Each gets a letter that leads to ${link}`
    : `No letter is sent; their data goes to ${output}`;
  return `Invite ${people} at ${settings.baseUrl}? ${means}. This cannot be undone.`;
}

const NO_CODE =
  "waitlist: --link has no {code}, so the letters do not contain people's invitation " +
  "codes, although the built-in letter says that its link does; put {code} into --link.";

const REASONS: Record<WaveOutcome["notInvited"][number]["reason"], string> = {
  unknown: "is not on the list",
  unconfirmed: "has not confirmed yet",
  invited: "was invited before",
  undeliverable: "is marked as undeliverable",
  unreadable: "has a record that cannot be read",
};

/** The most people whom the text names. */
const MAX_NAMED = 20;

function printOutcome(
  { wave, invited, notInvited, wouldInvite }: WaveOutcome,
  { emails, letters, dryRun = false }: InvitationRequest,
  { print }: Session<OperatorClient>,
  output?: string,
) {
  const people = plural(invited, "person", "people");
  const named = notInvited.slice(0, MAX_NAMED)
    .map(({ email, reason }) => `Passed over: ${email} ${REASONS[reason]}.\n`);
  const rest = notInvited.length - named.length;
  if (rest > 0) named.push(`Passed over: ${plural(rest, "other person", "other people")}.\n`);
  const end = letters
    ? "; their letters are in the outbox"
    : output
    ? `; their data is in ${output}`
    : "";
  const who = wouldInvite.slice(0, MAX_NAMED)
    .map(({ email, createdAt }) => `Would invite: ${email}, on the list since ${createdAt}.\n`);
  const done = dryRun
    ? `${who.join("")}Would invite ${people}${invited > who.length ? " in all" : ""}.\n`
    : `Invited ${people} in the wave ${wave}${end}.\n`;
  return print({
    json: {
      wave,
      invited,
      notInvited,
      dryRun,
      ...dryRun && { wouldInvite },
      ...output !== undefined && { file: output },
    },
    text: () => named.join("") + (invited === 0 ? "Nobody is to be invited.\n" : done),
    quiet: `${wave}\n`,
    // Whoever names people wants to know that some of them are not invited.
    exitCode: emails && notInvited.length > 0 ? EXIT.failedCheck : EXIT.fine,
  });
}
