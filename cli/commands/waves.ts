/**
 * `waitlist waves`: shows and changes waves of invitations. The service makes the invitations of a wave by itself.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { invite as inviteTexts } from "../../shared/generated/console.ts";
import type { InvitedSignup, WaveReport } from "../../shared/operator_schemas.ts";
import { countNotSent, progressOf } from "../../shared/wave_stage.ts";
import { askFirst, askToReplace } from "../ask_first.ts";
import { type CommandInput, defineCommand, type RunnableCommand } from "../command.ts";
import { parseCount } from "../flag_values.ts";
import {
  formatExpiry,
  formatFields,
  formatMinute,
  formatNumber,
  formatPercent,
  formatSpan,
  formatTable,
  plural,
} from "../format.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";
import { createProgress } from "../operator/progress.ts";
import { describeResumedWave, describeWave, followWave } from "./waves/follow_wave.ts";
import { describeWavePeople } from "./waves/describe_wave_people.ts";
import { readWavePeople, writeWavePeople } from "./waves/wave_people.ts";

/** The greatest lengths of the texts that the commands show, in characters. */
const MAX_LENGTHS = { waveId: 64, scheduleId: 53, link: 2_000, address: 254 };

/**
 * The titles of the columns of `waves list`. "waiting", "rejected" and "came back" continue "E-mails accepted": all four
 * columns count e-mails.
 */
const WAVES_HEADING = [
  "Wave",
  "State",
  "Started (UTC)",
  "By",
  "People",
  "Invited",
  "E-mails accepted",
  "waiting",
  "rejected",
  "came back",
  "Accepted",
];

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist waves list", "the newest first"],
    ["waitlist waves list --quiet", "only the ids"],
  ],
  declare: (command) => {
    command.option("--limit <number>", "list this many at most", "100");
  },
  parse: ({ flags }) => parseCount("--limit", String(flags.limit)),
  async run(limit, { connect, print }) {
    const client = await connect();
    const waves: WaveReport[] = [];
    let before: string | undefined;
    do {
      const query = { ...before !== undefined && { before } };
      const page = await client.call("listWaves", { query });
      waves.push(...page.waves);
      before = page.next;
    } while (before !== undefined && waves.length < limit);
    const listed = waves.slice(0, limit);
    const hasMore = waves.length > limit || before !== undefined;
    return print({
      json: { waves: listed, more: hasMore },
      text: (style) =>
        listed.length === 0
          ? "There are no waves.\n"
          : formatTable(WAVES_HEADING, listed.map(toWaveRow), style, {
            mayDrop: ["People", "By", "waiting"],
          }),
      quiet: listed.map(({ wave }) => `${wave}\n`).join(""),
      note: hasMore ? "There are more; give a larger --limit.\n" : "",
    });
  },
});

function toWaveRow(wave: WaveReport): string[] {
  const { startedAt, invited, taken, lettersWaiting = 0, refused, cameBack = 0 } = wave;
  const counts = [invited, taken, lettersWaiting, refused, cameBack].map(formatNumber);
  return [
    quotable(wave.wave, MAX_LENGTHS.waveId),
    describeStage(wave),
    formatMinute(startedAt),
    describeStarter(wave),
    describeWavePeople(wave),
    ...counts,
    formatAccepted(wave),
  ];
}

/** Describes how far a wave is, in the words of the console. */
function describeStage(wave: WaveReport): string {
  const { lettersWaiting: count = 0, lastTryAt } = wave;
  const { stage, settled, whole } = progressOf(wave);
  if (stage === "sending" && lastTryAt !== undefined) {
    return inviteTexts.tryingAgain.replace("{count}", formatNumber(count))
      .replace("{day}", lastTryAt.slice(0, 10));
  }
  if (stage !== "sending" && stage !== "inviting") return inviteTexts.states[stage];
  return withPlainHyphens(inviteTexts[stage]).replace("{done}", formatNumber(settled))
    .replace("{whole}", formatNumber(whole));
}

/** Gives a text of the console the hyphens of the other texts of the CLI. */
const withPlainHyphens = (text: string): string => text.replaceAll("\u2011", "-");

/** Describes how many letters of a wave are not sent any more, and why; `undefined` if all are sent. */
function describeNotSent(wave: WaveReport): string | undefined {
  const count = countNotSent(wave);
  if (count === 0) return undefined;
  const { notSentCancelled, notSentWhy } = inviteTexts;
  const reason = wave.state === "cancelled" ? notSentCancelled : notSentWhy;
  return `${formatNumber(count)} (${withPlainHyphens(reason)})`;
}

/** Describes how many letters of a wave wait, and when the next is tried again if all of them have failed before. */
function describeWaiting({ lettersWaiting = 0, nextTryAt }: WaveReport): string {
  const later = nextTryAt === undefined
    ? ""
    : ` (for a later try, the next at ${formatMinute(nextTryAt)} UTC)`;
  return formatNumber(lettersWaiting) + later;
}

/** Describes how many letters of a wave were refused, and how many of them `waves resume` sends again. */
function describeRefused({ refused, sendableAgain = 0 }: WaveReport): string {
  const again = sendableAgain > 0
    ? ` ('waitlist waves resume' sends ${formatNumber(sendableAgain)} of them again)`
    : "";
  return formatNumber(refused) + again;
}

/** Formats how many invited people have accepted, with their share. */
function formatAccepted({ invited, accepted }: WaveReport): string {
  const share = formatPercent(accepted, invited);
  return formatNumber(accepted) + (share && ` (${share})`);
}

/** Returns the name of the operator who started a wave, or of the schedule that started it. */
function describeStarter({ operator, schedule }: WaveReport): string {
  if (operator !== undefined) return operator;
  return schedule === undefined ? "" : `schedule ${quotable(schedule, MAX_LENGTHS.scheduleId)}`;
}

/**
 * Describes the median of the times from the invitation to the acceptance, as the end of a line; empty if nobody has
 * accepted.
 */
function describeMedian({ medianSeconds }: WaveReport): string {
  return medianSeconds === undefined ? "" : `, half of them within ${formatSpan(medianSeconds)}`;
}

const ID_DESCRIPTION = "the id of the wave";

const show = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [["waitlist waves show 2026-06-01", "how far the wave and its e-mails are"]],
  declare: (command) => void command.argument("<id>", ID_DESCRIPTION),
  parse: ({ args }) => args[0]!,
  async run(id, { connect, print }) {
    const wave = await (await connect()).call("showWave", { path: { id } });
    return print({
      json: wave,
      quiet: `${wave.state}\n`,
      text: (style) =>
        formatFields([
          ["Wave", quotable(wave.wave, MAX_LENGTHS.waveId)],
          ["State", describeStage(wave)],
          ["Started", wave.startedAt],
          ["By", describeStarter(wave)],
          ["People", describeWavePeople(wave)],
          ["Link", quotable(wave.link, MAX_LENGTHS.link)],
          ["E-mails", wave.letters ? "yes" : "no"],
          [
            "Valid until",
            wave.expires === undefined ? "without an end" : formatExpiry(wave.expires),
          ],
          ["Invited", String(wave.invited)],
          ["E-mails accepted by the mail server", formatNumber(wave.taken)],
          ["E-mails waiting", describeWaiting(wave)],
          ["E-mails rejected", describeRefused(wave)],
          ["E-mails that came back", formatNumber(wave.cameBack ?? 0)],
          ["E-mails not sent", describeNotSent(wave)],
          ["Accepted", formatAccepted(wave) + describeMedian(wave)],
        ], style),
    });
  },
});

const people = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist waves people 2026-06-01", "the people of the wave"],
    ["waitlist waves people 2026-06-01 --output list.csv", "to a file, with their codes"],
  ],
  declare: (command) => {
    command.argument("<id>", ID_DESCRIPTION)
      .option("--limit <number>", "list this many at most", "100")
      .option("--output <file>", "write all people to this file, CSV or NDJSON")
      .option("-y, --yes", "replace an existing file without asking");
  },
  parse: ({ args, flags }) => ({
    id: args[0]!,
    limit: parseCount("--limit", String(flags.limit)),
    output: flags.output as string | undefined,
    yes: flags.yes === true,
  }),
  async run({ id, limit, output, yes }, { context, settings, connect, print }) {
    if (output !== undefined && !yes) await askToReplace(output, context);
    const client = await connect();
    using progress = createProgress(context, settings);
    const tools = { client, context, progress };
    if (output !== undefined) {
      const count = await writeWavePeople(output, id, tools);
      progress.end();
      const text = () => `Wrote ${plural(count, "person", "people")} to ${output}.\n`;
      return print({ json: { wave: id, file: output, count }, text });
    }
    const invited: InvitedSignup[] = [];
    // The command reads one person more than the limit, to know whether the wave has more people.
    const pages = readWavePeople(id, { limit: limit + 1 }, tools);
    for await (const page of pages) invited.push(...page);
    progress.end();
    const listed = invited.slice(0, limit);
    return print({
      json: { wave: id, people: listed },
      text: (style) =>
        listed.length === 0
          ? "Nobody.\n"
          : formatTable(PEOPLE_HEADING, listed.map(toPersonRow), style),
      quiet: listed.map(({ email }) => `${email}\n`).join(""),
      note: invited.length > limit
        ? "There are more; give a larger --limit, or --output for all.\n"
        : "",
    });
  },
});

const PEOPLE_HEADING = ["Address", "State", "Invited (UTC)", "Accepted (UTC)"];

function toPersonRow(person: InvitedSignup): string[] {
  const { email, state = "", invitedAt = "", acceptedAt = "" } = person;
  return [email, state, formatMinute(invitedAt), formatMinute(acceptedAt)]
    .map((text) => quotable(text, MAX_LENGTHS.address));
}

/** Makes a command that changes a wave. */
function defineChange(action: "pause" | "resume" | "cancel", effect: string): RunnableCommand {
  return defineCommand({
    access: OPERATOR_ACCESS,
    resumeAdvice:
      "a resumed wave continues by itself; look at its state with 'waitlist waves list'",
    examples: [[`waitlist waves ${action} 2026-06-01`, effect]],
    declare: (command) => {
      command.argument("<id>", ID_DESCRIPTION);
      if (action === "cancel") command.option("-y, --yes", "do not ask first");
    },
    parse: ({ args, flags }: CommandInput) => ({ id: args[0]!, yes: flags.yes === true }),
    async run({ id, yes }, { context, settings, connect, print }) {
      if (action === "cancel" && !yes) {
        await askFirst(
          `Cancel the wave ${id}? It cannot be resumed, and its waiting e-mails are not sent.`,
          context,
        );
      }
      const client = await connect();
      using progress = createProgress(context, settings);
      const before = action === "resume"
        ? await client.call("showWave", { path: { id } })
        : undefined;
      const changed = await client.call(`${action}Wave`, { path: { id } });
      const isRunning = changed.state === "running";
      const wave = isRunning ? await followWave(id, { client, context, progress }) : changed;
      progress.end();
      const text = () => before ? describeResumedWave(wave, before) : describeWave(wave);
      return print({ json: wave, text, quiet: `${wave.state}\n` });
    },
  });
}

const pause = defineChange("pause", "invites nobody and sends no e-mails until you resume it");
const resume = defineChange("resume", "continues, and sends missing e-mails again");
const cancel = defineChange("cancel", "invites nobody else, and sends no waiting e-mails");

export default { list, show, people, pause, resume, cancel };
