import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";

/** What is said where a question is not answered with yes. */
interface Refusals {
  /** Where there is no terminal to ask on. */
  unasked: string;
  cancelled: string;
}

const IRREVERSIBLE: Refusals = {
  unasked: "This cannot be undone and there is no terminal to ask on; add --yes",
  cancelled: "Cancelled; nothing was sent",
};

/** Asks a person before the command goes on; ends it unless the answer is yes. */
export async function askFirst(
  question: string,
  { stdin, stderr, prompt }: Context,
  { unasked, cancelled }: Partial<Refusals> = {},
): Promise<void> {
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(unasked ?? IRREVERSIBLE.unasked);
  }
  if (!await prompt.confirm(question)) throw new UsageError(cancelled ?? IRREVERSIBLE.cancelled);
}

/** Asks a person before the command replaces a file that exists. */
export async function askToReplace(path: string, context: Context): Promise<void> {
  const exists = await context.files.size(path).then(() => true, () => false);
  if (!exists) return;
  await askFirst(`Replace the file ${path}?`, context, {
    unasked: `'${path}' exists already; add --yes to replace it`,
    cancelled: `Cancelled; '${path}' is as it was`,
  });
}
