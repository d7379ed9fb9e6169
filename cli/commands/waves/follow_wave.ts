/**
 * Follows a running wave and describes it, for `waitlist waves` and `waitlist signups invite`.
 *
 * @module
 */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { formatNumber, plural } from "../../format.ts";
import { withRetries } from "../../operator/cuts.ts";
import { shareOf } from "../../operator/progress.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";

/** The time between two calls for the state of a wave, in milliseconds. */
const POLL_MS = 1_000;

/** Shows the progress of a wave until the wave is not running any more, and returns its report. */
export async function followWave(id: string, tools: WorkTools): Promise<WaveReport> {
  const { client, context: { clock }, progress } = tools;
  for (;;) {
    const wave = await withRetries(() => client.call("showWave", { path: { id } }), tools);
    const { state, invited, next, named } = wave;
    progress.show(`${formatNumber(invited)} invited`, shareOf(invited, next ?? named));
    if (state !== "running") return wave;
    await clock.wait(POLL_MS, new AbortController().signal);
  }
}

/**
 * Describes the state of a wave in a sentence, and says how many letters were sent again.
 *
 * @param peopleFile the file with the data of the people of a wave that is done; `undefined` if it was not written
 */
export function describeWave(
  { wave, state, invited, letters, lettersAgain = 0 }: WaveReport,
  peopleFile?: string,
): string {
  const people = plural(invited, "person", "people");
  const lettersText = lettersAgain > 0
    ? ` ${plural(lettersAgain, "e-mail was", "e-mails were")} put into the outbox again.`
    : "";
  if (state === "running") {
    return `The wave ${wave} runs; ${people} invited so far.${lettersText}\n`;
  }
  if (state !== "done") return `The wave ${wave} is ${state}; ${people} invited.${lettersText}\n`;
  const outboxText = letters ? "; their e-mails are in the outbox" : "";
  const fileText = peopleFile === undefined ? "" : `; their data is in ${peopleFile}`;
  return `Invited ${people} in the wave ${wave}${outboxText}${fileText}.${lettersText}\n`;
}

/**
 * Describes what `waves resume` has done: how many more people are invited, how many letters were put into the outbox,
 * and which letters stay as they were.
 *
 * @param before the wave before it was resumed
 */
export function describeResumedWave(wave: WaveReport, before: WaveReport): string {
  const { wave: id, state, letters, lettersAgain = 0, lettersWaiting = 0, refused } = wave;
  const invited = wave.invited - before.invited;
  const sentences = [
    `The wave ${id} is ${state}.`,
    `Invited now: ${plural(invited, "person", "people")}.`,
  ];
  if (letters) {
    const letterCounts: [name: string, count: number][] = [
      ["Put into the outbox again", lettersAgain],
      ["Waiting there, with those of earlier", lettersWaiting],
      ["Still rejected, and not sent again", refused],
    ];
    for (const [index, [name, count]] of letterCounts.entries()) {
      if (index === 0 || count > 0) {
        sentences.push(`${name}: ${plural(count, "e-mail", "e-mails")}.`);
      }
    }
  }
  return `${sentences.join(" ")}\n`;
}
