import { UsageError } from "../cli_error.ts";
import type { Context } from "../context.ts";

/** What is said where a question is not answered with yes. */
interface Refusals {
  /** Where nobody can be asked. */
  unasked: string;
  cancelled: string;
}

const IRREVERSIBLE: Refusals = {
  unasked: "This cannot be undone and there is no terminal to ask on; add --yes",
  cancelled: "Cancelled; nothing was sent",
};

/** Asks before something that cannot be undone; ends the command unless the answer is yes. */
export async function askFirst(
  question: string,
  { stdin, stderr, prompt }: Context,
  { unasked, cancelled } = IRREVERSIBLE,
): Promise<void> {
  if (!stdin.isTerminal || !stderr.isTerminal) throw new UsageError(unasked);
  if (!await prompt.confirm(question)) throw new UsageError(cancelled);
}

/** Asks before a file is replaced, where it is there. */
export async function askToReplace(path: string, context: Context): Promise<void> {
  const isThere = await context.files.size(path).then(() => true, () => false);
  if (!isThere) return;
  await askFirst(`Replace the file ${path}?`, context, {
    unasked: `'${path}' is there already; add --yes to replace it`,
    cancelled: `Cancelled; '${path}' is as it was`,
  });
}
