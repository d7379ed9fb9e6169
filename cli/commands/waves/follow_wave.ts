import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { retrying } from "../../operator/chunks.ts";
import { shareOf, type Work } from "../../operator/progress.ts";
import { plural } from "../../print.ts";

/** How often the service is asked how far a wave is, in milliseconds. */
const LOOK_MS = 1_000;

/** Shows how far a wave is until it does not run any more, and gives it as it is then. */
export async function followWave(id: string, work: Work): Promise<WaveReport> {
  const { client, context: { clock }, progress } = work;
  for (;;) {
    const wave = await retrying(() => client.call("showWave", { path: { id } }), work);
    const { state, invited, next, named } = wave;
    progress.show(`${invited.toLocaleString("en")} invited`, shareOf(invited, next ?? named));
    if (state !== "running") return wave;
    await clock.wait(LOOK_MS, new AbortController().signal);
  }
}

/** Says in a sentence what a wave has done. */
export function describeWave({ wave, state, invited, letters, lettersAgain = 0 }: WaveReport) {
  const people = plural(invited, "person", "people");
  const again = lettersAgain > 0
    ? ` ${plural(lettersAgain, "letter was", "letters were")} put in again.`
    : "";
  if (state === "running") return `The wave ${wave} runs; ${people} invited so far.${again}\n`;
  if (state !== "done") return `The wave ${wave} is ${state}; ${people} invited.${again}\n`;
  const means = letters ? "; their letters are in the outbox" : "";
  return `Invited ${people} in the wave ${wave}${means}.${again}\n`;
}
